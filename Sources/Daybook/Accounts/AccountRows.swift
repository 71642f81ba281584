public import Avro

extension State {
  /// The account's row of `profiles`.
  public func profileRow(_ account: Account) -> JSON {
    [
      "id": .key(account.key), "display_name": .string(account.displayName),
      "avatar_url": .text(account.avatarURL), "timezone": .string(account.dayClock.timeZone),
      "day_start_hour": .number(account.dayClock.dayStartHour),
      "theme": .string(account.theme.rawValue), "birthday": .day(account.birthday),
      "notifications_enabled": .bool(account.notifications.isOn),
      "notification_times": .array(
        account.notifications.times.map { .string($0.description) }),
      "onboarded_at": .instant(account.onboarded),
      "closed_before": account.closedBefore == .first ? .null : .day(account.closedBefore),
      "created_at": .instant(account.created), "updated_at": .instant(account.updated),
    ]
  }

  var profileRows: [JSON] { accountsByKey.map { profileRow($0) } }

  var pauseRows: [JSON] {
    accountsByKey.flatMap { account in
      account.pauses.sorted { one, other in
        (one.days.first, one.created, one.days.last ?? .last)
          < (other.days.first, other.created, other.days.last ?? .last)
      }
      .map { pause in
        [
          "user_id": .key(account.key), "from": .day(pause.days.first),
          "to": .day(pause.days.last), "created_at": .instant(pause.created),
        ]
      }
    }
  }

  var focusRows: [JSON] {
    accountsByKey.flatMap { account in
      accounts.number(of: account.key).map { focusRows(of: $0) } ?? []
    }
  }

  /// When which habit had an account's focus, oldest first; deleted habits are left out (DG-2).
  public func focusRows(of number: Account.ID) -> [JSON] {
    guard let account = accounts[number] else { return [] }
    return account.focus.filter { !(habits[$0.habit]?.isDeleted ?? true) }.map { span in
      [
        "user_id": .key(account.key), "habit_id": .key(habits[span.habit]?.key),
        "since": .instant(span.since), "until": .instant(span.until),
      ]
    }
  }

  /// The account's rows of `identities`: by kind, then by hash.
  public func identityRows(_ account: Account) -> [JSON] {
    account.identities.sorted { one, other in
      (one.identity.kind.symbolNumber, one.identity.hash)
        < (other.identity.kind.symbolNumber, other.identity.hash)
    }
    .map { link in
      [
        "user_id": .key(account.key), "kind": .string(link.identity.kind.rawValue),
        "hash": .string(link.identity.hash.description), "verified": .bool(link.isVerified),
        "created_at": .instant(link.created), "updated_at": .instant(link.updated),
      ]
    }
  }

  /// The account's rows of `device_tokens`, by token.
  public func deviceRows(_ account: Account) -> [JSON] {
    account.devices.sorted { $0.token < $1.token }.map { device in
      [
        "user_id": .key(account.key), "apns_token": .string(device.token),
        "environment": .string(device.environment.rawValue),
        "created_at": .instant(device.created), "updated_at": .instant(device.updated),
      ]
    }
  }

  var identityRows: [JSON] { accountsByKey.flatMap { identityRows($0) } }

  var deviceRows: [JSON] { accountsByKey.flatMap { deviceRows($0) } }

  var contactRows: [JSON] {
    accountsByKey.flatMap { account in
      account.contacts.map { contact in
        [
          "user_id": .key(account.key), "contact_hash": .string(contact.hash.description),
          "created_at": .instant(contact.created),
        ]
      }
    }
  }

  /// The accounts that were not erased, in the order of creation.
  public var livingAccounts: [Account] { accounts.elements.filter { !$0.isErased } }

  private var accountsByKey: [Account] { livingAccounts.sorted { $0.key < $1.key } }
}

public import Avro

extension State {
  /// The account's row of `profiles`.
  public func profileRow(_ account: Account) -> JSON {
    [
      "id": .key(account.key), "display_name": .string(account.displayName),
      "avatar_url": .text(account.avatarURL), "timezone": .string(account.dayClock.timeZone),
      "day_start_hour": .number(account.dayClock.dayStartHour),
      "theme": .string(account.theme.rawValue),
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
      account.focus.filter { !(habits[$0.habit]?.isDeleted ?? true) }.map { span in
        [
          "user_id": .key(account.key), "habit_id": .key(habits[span.habit]?.key),
          "since": .instant(span.since), "until": .instant(span.until),
        ]
      }
    }
  }

  /// The accounts that were not erased, in the order of creation.
  public var livingAccounts: [Account] { accounts.elements.filter { !$0.isErased } }

  private var accountsByKey: [Account] { livingAccounts.sorted { $0.key < $1.key } }
}

import Avro
import Calendar
import Daybook
import GRDB
import Values

/// A person who signs in, with all their identities.
struct Person: Sendable {
  var user: UserRecord
  var identities: [IdentityRecord]
  /// The addresses that the person has requested but not proven, and when.
  var pending: [(address: Address, at: Instant)] = []

  static func fetch(_ account: Key, at now: Instant, in database: Database) throws -> Person? {
    guard let user = try UserRecord.fetch(account, in: database) else { return nil }
    return Person(
      user: user, identities: try IdentityRecord.fetchAll(of: account, in: database),
      pending: try OneTimeCode.changes(of: account, at: now, in: database).map {
        ($0.code.address, $0.at)
      })
  }

  /// The person's first provider, and all their providers.
  var appMetadata: JSON {
    var providers: [JSON] = []
    for identity in identities {
      let name = JSON.string(identity.provider.rawValue)
      if !providers.contains(name) { providers.append(name) }
    }
    guard let first = providers.first else { return ["providers": []] }
    return ["provider": first, "providers": .array(providers)]
  }

  /// The user as clients see it: unknown members are left out, except phone and e-mail address.
  var json: JSON {
    var members: [JSON.Member] = [
      .init("id", .string(user.account.description)), .init("aud", "authenticated"),
      .init("role", "authenticated"), .init("email", .string(user.email ?? "")),
      .init("phone", .string(Address.shown(phone: user.phone))),
    ]
    func add(_ name: String, _ instant: Instant?) {
      if let instant { members.append(.init(name, .string(instant.description))) }
    }
    let confirmed = [user.emailConfirmed, user.phoneConfirmed].compactMap(\.self).min()
    add("email_confirmed_at", user.emailConfirmed)
    add("phone_confirmed_at", user.phoneConfirmed)
    add("confirmed_at", confirmed)
    for (address, instant) in pending {
      let isPhone = address.kind == .phone
      members.append(
        .init(
          isPhone ? "new_phone" : "new_email",
          .string(isPhone ? Address.shown(phone: address.value) : address.value)))
      add(isPhone ? "phone_change_sent_at" : "email_change_sent_at", instant)
    }
    add("last_sign_in_at", user.lastSignIn)
    add("created_at", user.created)
    add("updated_at", user.updated)
    members += [
      .init("app_metadata", appMetadata), .init("user_metadata", user.metadata),
      .init("identities", .array(identities.map(\.json))), .init("is_anonymous", false),
    ]
    return .object(members)
  }

  /// The user shown after a sign-up with an unproven address. It is the same for an address that already has an
  /// account, so that nobody learns who has one.
  static func unproven(_ address: Address, metadata: JSON, key: Key, at now: Instant) -> JSON {
    let provider = JSON.string(address.kind.rawValue)
    let isPhone = address.kind == .phone
    return [
      "id": .string(key.description), "aud": "authenticated", "role": "authenticated",
      "email": .string(isPhone ? "" : address.value),
      "phone": .string(isPhone ? Address.shown(phone: address.value) : ""),
      "confirmation_sent_at": .string(now.description), "created_at": .string(now.description),
      "updated_at": .string(now.description),
      "app_metadata": ["provider": provider, "providers": [provider]], "user_metadata": metadata,
      "identities": [], "is_anonymous": false,
    ]
  }
}

package import Avro
package import Daybook

/// `matches`: the contacts of an account that use the book, too (HH-6).
package struct MatchesQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "matches", "Which of your contacts use the book, too.",
    answer: "a list of user_id, display_name, avatar_url", asker: .account, .past)
  package static let defaults = MatchesQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// - Throws: ``Rejection/actorMissing``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> ContactMatchList {
    let number = try needed(asker)
    return ContactMatchList(
      found: view.state.contactMatches(of: number).compactMap { view.state.accounts[$0] },
      contactCount: view.state.accounts[number]?.contacts.count ?? 0)
  }
}

/// The accounts among an account's contacts, as others see them.
package struct ContactMatchList: Listing, QuestionAnswer {
  /// The accounts that were found.
  package let found: [Account]
  /// How many contacts were uploaded.
  package let contactCount: Int

  /// How many were found.
  package var stepCount: Int { found.count }

  /// Writes one row for each account: what others see of it, not the whole profile.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for account in found[steps] {
      rows.object { row in
        row.member("user_id", account.key)
        row.member("display_name", account.displayName)
        row.member("avatar_url", account.avatarURL)
      }
    }
  }
}

/// `profile`: an account's own profile: name, day clock, pauses, notifications, and its identities.
package struct ProfileQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "profile", "Your own profile: name, day clock, pauses, notifications, ways to sign in.",
    answer: "a row of `profiles`, and short_name, identities, device_tokens, pauses, contact_count",
    asker: .account, .past)
  package static let defaults = ProfileQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// - Throws: ``Rejection/accountNotFound``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> AccountProfile {
    guard let account = view.state.accounts[try needed(asker)] else {
      throw Rejection.accountNotFound
    }
    return AccountProfile(account: account, state: view.state)
  }
}

/// An account as its owner sees it.
package struct AccountProfile: QuestionAnswer {
  package let account: Account
  fileprivate let state: BookState

  package func write(to json: inout JSONWriter) {
    json.object { json in
      for member in state.profileRow(account).members ?? [] { json.member(member) }
      json.member("short_name", account.shortName)
      json.member("identities", state.identityRows(account)) { $0.value($1) }
      json.member("device_tokens", state.deviceRows(account)) { $0.value($1) }
      json.member("pauses", state.pauseRows(of: account)) { $0.value($1) }
      json.member("contact_count", account.contacts.count)
    }
  }
}

/// `accounts`: the accounts of the book.
package struct AccountsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "accounts", "Who uses the book: name, zone, day start, how many habits.",
    answer:
      "a list of id, display_name, timezone, day_start_hour, habit_count, created_at",
    asker: .nobody, .past)
  package static let defaults = AccountsQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// The accounts that were not erased.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> AccountList {
    AccountList(in: view.state)
  }
}

/// The accounts that were not erased, in the order of their creation.
package struct AccountList: Listing, QuestionAnswer {
  /// The accounts, each with its number of habits.
  package let accounts: [(account: Account, habitCount: Int)]

  init(in state: BookState) {
    // Counted in one pass, instead of looking up the habits of each account.
    var counts: [Key: Int] = [:]
    for habit in state.habits.elements where !habit.isDeleted {
      if let owner = state.accounts[habit.owner] { counts[owner.key, default: 0] += 1 }
    }
    accounts = state.livingAccounts.map { ($0, counts[$0.key] ?? 0) }
  }

  /// How many accounts there are.
  package var stepCount: Int { accounts.count }

  /// Writes one row for each account.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for (account, habitCount) in accounts[steps] {
      rows.object { row in
        row.member("id", account.key)
        row.member("display_name", account.displayName)
        row.member("timezone", account.dayClock.timeZone)
        row.member("day_start_hour", account.dayClock.dayStartHour)
        row.member("habit_count", habitCount)
        row.member("created_at", account.created)
      }
    }
  }
}

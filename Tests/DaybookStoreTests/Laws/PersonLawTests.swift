import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// Laws between accounts: identities and devices are exclusive, and matches equal a search.
@Suite(.tags(.law)) struct PersonLawTests {
  /// Three accounts created by themselves, with data about people.
  static let histories = Generator { source in
    var steps = try (0..<3).map { key in
      Step(wait: 0, actor: 0, isStrange: true, action: try source.account(key: key))
    }
    try source.repeated(0...40) { source in
      steps.append(
        Step(
          wait: try source.below(900), actor: try source.below(3),
          action: .person(try source.draw(PersonalAction.actions))))
    }
    return History(beginning: 0, steps: steps)
  }

  private static func play(_ history: History) throws -> (ledger: StateLedger, taken: Bool) {
    var ledger = StateLedger(clock: HandClock(Menu.beginnings[history.beginning]))
    var codes: Set<String> = []
    for step in history.steps {
      if let code = try ledger.play(step) { codes.insert(code) }
    }
    return (ledger, codes.contains("identity_taken"))
  }

  @Test func `an identity or a device belongs to at most one account (HH-2, HH-4)`() {
    let report = check("one account", Self.histories, cases: 20) { history, statistics in
      let (ledger, isTaken) = try Self.play(history)
      let accounts = ledger.state.accounts.elements
      let identities = accounts.flatMap(\.identities).map(\.identity)
      let tokens = accounts.flatMap(\.devices).map(\.token)
      statistics.cover("identities", atLeast: 40, identities.count > 2)
      statistics.cover("an identity that another has", atLeast: 30, isTaken)
      statistics.cover("devices", atLeast: 40, tokens.count > 1)
      try expectEqual(Set(identities).count, identities.count)
      try expectEqual(Set(tokens).count, tokens.count)
      for (index, account) in accounts.enumerated() {
        let number = Account.ID(index + 1)
        for link in account.identities {
          try expectEqual(ledger.state.account(having: link.identity), number)
        }
        for device in account.devices {
          try expectEqual(ledger.state.account(ofDevice: device.token), number)
        }
        let hashes = account.contacts.map(\.hash)
        try expectEqual(Set(hashes).sorted(), hashes, "contacts are unique and sorted")
      }
      for number in 0..<6 where !identities.contains(Menu.identity(number)) {
        try expect(ledger.state.account(having: Menu.identity(number)) == nil, "nobody's")
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `contact matches equal a search through all accounts (HH-6)`() {
    let report = check("matches", Self.histories, cases: 20) { history, statistics in
      let state = try Self.play(history).ledger.state
      let accounts = state.accounts.elements
      var count = 0
      for (index, account) in accounts.enumerated() {
        let naive = accounts.indices.filter { other in
          other != index
            && accounts[other].identities.contains { link in
              link.isVerified && link.identity.kind == .phone
                && account.contacts.contains { $0.hash == link.identity.hash }
            }
        }
        let number = try #require(Account.ID(index + 1))
        try expectEqual(state.contactMatches(of: number), naive.compactMap { Account.ID($0 + 1) })
        count += naive.count
      }
      statistics.cover("a match", atLeast: 30, count > 0)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `an export is imported into the same state (DM-13)`() {
    let report = check("exported people", Self.histories, cases: 20) { history, statistics in
      let ledger = try JournalLawTests.play(history)
      let lines = try ExchangeWorld.export(ledger.book)
      let copy = try ExchangeWorld.book()
      try ExchangeWorld.importing(lines, into: copy)
      statistics.cover("several entries", atLeast: 50, lines.count > 6)
      try expect(copy.read { $0 }.isSame(as: ledger.state), "another state")
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `an erased account equals its rewritten entries, and matches nobody (ES-6)`() {
    let report = check("erased people", Self.histories, cases: 10) { history, statistics in
      let ledger = try JournalLawTests.play(history)
      let erased = try #require(Account.ID(1))
      let before = ledger.state.accounts[erased]
      try assume(before != nil)
      statistics.cover(
        "something personal", atLeast: 60,
        before.map { !$0.identities.isEmpty || !$0.contacts.isEmpty || !$0.devices.isEmpty }
          ?? false)
      try ledger.book.erase(erased)
      let after = ledger.book.read { $0 }
      try expect(try ledger.book.reader.state().isSame(as: after), "a replay differs")
      for number in after.accounts.elements.indices.compactMap({ Account.ID($0 + 1) }) {
        try expect(!after.contactMatches(of: number).contains(erased), "it is matched")
      }
      for link in before?.identities ?? [] {
        try expect(after.account(having: link.identity) == nil, "it is still recognised")
      }
      try expect(after.accounts[erased]?.birthday == nil, "its birthday is known")
      let copy = try ExchangeWorld.book()
      try ExchangeWorld.importing(try ExchangeWorld.export(ledger.book), into: copy)
      try expect(copy.read { $0 }.isSame(as: after), "its export differs")
    }
    #expect(report.passed, "\(report)")
  }
}

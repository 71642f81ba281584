import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A difference applied to the tables of the earlier instant gives those of the later one.
@Suite(.tags(.law)) struct RowDifferenceLawTests {
  /// The rows of each table as text, sorted.
  private typealias Tables = [String: [String]]

  private static func tables(of state: BookState) -> Tables {
    Dictionary(
      uniqueKeysWithValues: state.tables.map { ($0.name, $0.rows.map(\.encoded).sorted()) })
  }

  private static func applied(_ difference: RowDifference, to tables: Tables) throws -> Tables {
    var tables = tables
    for change in difference.changes {
      if let before = change.before?.encoded {
        let place = tables[change.table]?.firstIndex(of: before)
        guard let place else { throw Falsified("\(change.table) has no row \(before)") }
        tables[change.table]?.remove(at: place)
      }
      if let after = change.after?.encoded { tables[change.table]?.append(after) }
    }
    return tables.mapValues { $0.sorted() }
  }

  private static func played(_ history: History) throws -> BookLedger {
    var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
    for step in history.steps { _ = try ledger.play(step) }
    return ledger
  }

  private static let cases = Generator.zip(
    Generator<History>.histories(6...45), .integer(in: 0...99), .integer(in: 0...99))

  @Test func `applying a diff to the tables of one instant gives those of the other`() {
    let report = check("diff of all", Self.cases, cases: 18) { given, statistics in
      let ledger = try Self.played(given.0)
      let (before, after) = try Self.span(ledger, given.1, given.2)
      let view = try ledger.book.reader.view()
      let found = try view.difference(from: before.at, to: after.at)
      try expectEqual(
        try Self.applied(found, to: Self.tables(of: before)), Self.tables(of: after))
      for change in found.changes {
        let words =
          "\(change.table) \(change.before?.encoded ?? "–") → \(change.after?.encoded ?? "–")"
        try expect(!change.entries.isEmpty, "no entry caused it: \(words)")
        for entry in change.entries {
          try expect(
            entry.head.position > before.position && entry.head.position <= after.position,
            "\(entry.head.position) is from another time: \(words)")
        }
        if change.table == "habit_logs", change.after != nil {
          let day = change.after?["log_date"]?.text
          let last = change.entries.last
          try expect(
            last?.event.day?.description == day || last?.event.name != "HabitLogged",
            "another day's log: \(words)")
        }
      }
      statistics.cover("came", atLeast: 30, found.changes.contains { $0.before == nil })
      statistics.cover("went", atLeast: 1, found.changes.contains { $0.after == nil })
      statistics.cover(
        "changed", atLeast: 10, found.changes.contains { $0.before != nil && $0.after != nil })
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a diff for one account covers exactly the rows it may see`() {
    let report = check("diff of one", Self.cases, cases: 15) { given, statistics in
      let ledger = try Self.played(given.0)
      let (before, after) = try Self.span(ledger, given.1, given.2)
      let view = try ledger.book.reader.view()
      for viewer in SuppositionLawTests.people(in: view.state) {
        let found = try view.difference(from: before.at, to: after.at, for: viewer)
        let seen = { (state: BookState) in
          Self.seen(by: viewer, state, now: view.state)
        }
        try expectEqual(try Self.applied(found, to: seen(before)), seen(after))
        let habits = view.state.habits.elements.indices.compactMap { Habit.ID($0 + 1) }
        for habit in habits {
          guard view.state.habits[habit]?.owner == viewer else {
            let code = #expect(throws: Rejection.self) {
              try view.difference(from: before.at, to: after.at, for: viewer, habit: habit)
            }
            try expectEqual(code?.code, "not_owner")
            continue
          }
          let own = try view.difference(from: before.at, to: after.at, for: viewer, habit: habit)
          let key = view.state.habits[habit]?.key.description
          let expected = found.changes.filter { change in
            let row = change.after ?? change.before
            guard ["habits", "habit_logs", "focus"].contains(change.table) else { return false }
            return row?[change.table == "habits" ? "id" : "habit_id"]?.text == key
          }
          try expectEqual(
            own.changes.map { "\($0.table)\($0.before?.encoded ?? "")\($0.after?.encoded ?? "")" },
            expected.map { "\($0.table)\($0.before?.encoded ?? "")\($0.after?.encoded ?? "")" })
        }
        statistics.cover(
          "a hive's row", atLeast: 1, found.changes.contains { $0.table.hasPrefix("hive") })
        statistics.cover("a log", atLeast: 5, found.changes.contains { $0.table == "habit_logs" })
      }
    }
    #expect(report.passed, "\(report)")
  }

  /// Two of the states, the earlier first.
  private static func span(
    _ ledger: BookLedger, _ one: Int, _ other: Int
  ) throws -> (BookState, BookState) {
    // If several states have one instant, only the last can be read as of that instant.
    let states = [BookState()] + ledger.states
    let known = states.indices.filter { index in
      index == states.endIndex - 1 || states[index + 1].at > states[index].at
    }
    let places = [one, other].map { known[$0 * known.count / 100] }.sorted()
    return (states[places[0]], states[places[1]])
  }

  /// The rows that an account sees, by key: its own, those of its hives, and those of its present households.
  private static func seen(
    by viewer: Account.ID, _ state: BookState, now: BookState
  ) -> Tables {
    let key = now.accounts[viewer]?.key.description ?? ""
    let hives = Set(
      state.hives.elements.filter { $0.member(viewer) != nil }.map(\.key.description))
    let inside = Set(
      now.hives.elements.filter { $0.member(viewer) != nil }.map(\.key.description))
    let homes = Set(
      now.households.elements.filter { $0.hasMember(viewer) }.map(\.key.description))
    let own = Set(
      state.habits.elements.filter { $0.owner == viewer }.map(\.key.description))
    var tables: Tables = [:]
    for table in state.tables {
      tables[table.name] = table.rows.compactMap { row -> JSON? in
        switch table.name {
        case "profiles": return row["id"]?.text == key ? row : JSON?.none
        case "hives":
          guard hives.contains(row["id"]?.text ?? "") else { return JSON?.none }
          return row.replacing("source_habit_id") { own.contains($0) }
        case "hive_members":
          guard hives.contains(row["hive_id"]?.text ?? "") else { return JSON?.none }
          return row.replacing("habit_id") { own.contains($0) }
        case "hive_member_days", "hive_days":
          return hives.contains(row["hive_id"]?.text ?? "") ? row : JSON?.none
        // Past codes are shown to accounts that are inside now.
        case "hive_invites":
          return hives.intersection(inside).contains(row["hive_id"]?.text ?? "") ? row : JSON?.none
        // Only a diff of the whole book shows identities.
        case "identities", "device_tokens": return JSON?.none
        case "household_members":
          return homes.contains(row["household_id"]?.text ?? "")
            ? row.replacing("email_hash") { _ in false } : JSON?.none
        case "households": return homes.contains(row["id"]?.text ?? "") ? row : JSON?.none
        default:
          if let home = row["household_id"]?.text { return homes.contains(home) ? row : JSON?.none }
          return row["user_id"]?.text == key ? row : JSON?.none
        }
      }.map(\.encoded).sorted()
    }
    return tables
  }
}

extension JSON {
  /// The object with one member set to null, unless its text is one that is kept.
  fileprivate func replacing(_ name: String, unless isKept: (String) -> Bool) -> JSON {
    .object(
      (members ?? []).map { member in
        guard member.name == name, let text = member.value.text, !isKept(text) else {
          return member
        }
        return .init(name, .null)
      })
  }
}

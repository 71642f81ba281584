import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// After a command and its undo, the rows are as they were before the command, whatever the earlier history.
///
/// Exceptions: times of recording; the history of the focus, which is kept (DG-2); closed days, which no undo reopens
/// (law 5); an invite, which is revoked and not forgotten; and an empty grocery list, which stays.
@Suite(.tags(.law)) struct UndoLawTests {
  @Test func `an undone command leaves the rows as before`() {
    let report = check("undo restores", Generator<History>.histories(4...24), cases: 35) {
      history, statistics in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      var (undone, refused) = (0, 0)
      for step in history.steps {
        let before = ledger.state
        _ = try ledger.play(step)
        let after = ledger.state
        guard after.position > before.position else { continue }
        try Self.checkBounds(of: step.action, before.position + 1...after.position, after, ledger)
        switch try Self.outcome(of: before.position + 1, after, ledger) {
        case .none: break
        case .refused(let code):
          refused += 1
          try expect(Self.refusals.contains(code), "\(step.action): \(code)")
        case .undone(let state):
          undone += 1
          // If a command only repeats a value, the undo cannot restore the earlier time of recording: times are not
          // compared.
          let repeated = Self.timeless(before).intersection(Self.timeless(after))
          try expectEqual(
            Self.rows(state, repeated), Self.rows(before, repeated), "\(step.action)")
        }
      }
      statistics.cover("undone", atLeast: 60, undone > 3)
      statistics.cover("refused", atLeast: 10, refused > 0)
    }
    #expect(report.passed, "\(report)")
  }

  /// The allowed refusals. `changed_since` is none of them: nothing has changed right after a command.
  private static let refusals: Set = ["not_undoable"]

  /// Checks that the history of a command holds exactly its own entries, even if they look like part of the previous
  /// command.
  private static func checkBounds(
    of action: Action, _ recorded: ClosedRange<Int64>, _ state: BookState, _ ledger: BookLedger
  ) throws {
    let past = try ledger.book.reader.commandHistory(at: recorded.lowerBound, knowing: state)
    let found = past?.entries.map(\.head.position) ?? []
    if case .logRun = action {
      try expectEqual(found.first, recorded.lowerBound, "\(action)")
    } else {
      try expectEqual(found, Array(recorded), "\(action)")
    }
  }

  private enum Outcome {
    case none
    case refused(String)
    case undone(BookState)
  }

  /// The result of undoing the command at a position, in a state, without recording it.
  private static func outcome(
    of position: Int64, _ state: BookState, _ ledger: BookLedger
  ) throws -> Outcome {
    let reader = ledger.book.reader
    guard let past = try reader.commandHistory(at: position, knowing: state),
      let actor = past.entries.first?.head.actor, state.accounts[actor]?.isErased == false,
      // In a commit of several commands, only the last command ends where the state does.
      past.entries.last?.head.position == state.position
    else { return .none }
    let context = Context(
      actor: actor, at: state.at, freshKey: Key(high: 5, low: UInt64(position)),
      zones: StateLedger.zones)
    do {
      var undone = state
      for event in try Undo(position, past).decide(state, context).events {
        undone.apply(
          Entry(
            EntryHead(position: undone.position + 1, at: state.at, actor: actor, key: nil), event))
      }
      return .undone(undone)
    } catch  where error == .nothingToUndo(position) {
      // Repeating a value changes nothing.
      return .undone(state)
    } catch { return .refused(error.code) }
  }

  /// The rows, without what an undo does not restore. The rows of `repeated` days also lack their times of recording.
  private static func rows(_ state: BookState, _ repeated: Set<String> = []) -> [String] {
    let lists = Set(state.lists.elements.filter(\.isEmpty).map(\.key.description))
    return state.tables.filter { $0.name != "focus" }.flatMap { table in
      table.rows.compactMap { row -> String? in
        if table.name == "grocery_lists", lists.contains(row["id"]?.text ?? "") { return nil }
        if table.name == "hive_invites", row["revoked"] == .bool(true) { return nil }
        if table.name == "habit_logs" {
          let timeless = timeless(row)
          if repeated.contains(timeless) { return timeless }
        }
        return text(of: row, in: table.name, without: leftOut(table.name))
      }
    }
  }

  /// The days of habits, without their times of recording.
  private static func timeless(_ state: BookState) -> Set<String> {
    Set(state.tables.filter { $0.name == "habit_logs" }.flatMap(\.rows).map(timeless))
  }

  private static func timeless(_ log: JSON) -> String {
    text(of: log, in: "habit_logs", without: ["created_at", "updated_at"])
  }

  private static func text(
    of row: JSON, in table: String, without columns: Set<String>
  ) -> String {
    let kept = (row.members ?? []).filter { !columns.contains($0.name) }
    return "\(table) \(JSON.object(kept).encoded)"
  }

  private static func leftOut(_ table: String) -> Set<String> {
    switch table {
    case "habit_logs": []
    case "hive_member_days": ["created_at", "updated_at"]
    case "grocery_items": ["created_at", "updated_at", "sources"]
    case "habits": ["updated_at", "archived"]
    case "profiles": ["updated_at", "closed_before", "habit_order"]
    case "calendar_events": ["updated_at", "synced_at"]
    default: ["updated_at"]
    }
  }
}

extension GroceryList {
  /// Whether the list is empty, and was not generated.
  fileprivate var isEmpty: Bool {
    mealPlanHash == nil && items.allSatisfy { $0.status == .removed }
  }
}

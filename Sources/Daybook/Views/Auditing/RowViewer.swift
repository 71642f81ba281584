package import Avro
import Values

/// Which rows of a part of a book one person is shown: their own, those of the hives that they are in at that time, and
/// those of the households that they are in now.
package struct RowViewer {
  private let key: String
  /// The keys of the hives that the person is in, in the earlier state and in the later.
  private let hives: [Set<String>]
  /// The keys of the hives that the person is in now, whose codes they may know.
  private let present: Set<String>
  /// Where the person left the hives that they are not in any more, by the hives' keys: of later entries they know nothing.
  private var left: [String: Int64] = [:]

  /// Sees two states of the part of a book that is a person's (``BookState/aggregates(of:withOthersHabits:)``).
  ///
  /// - Parameters:
  ///   - viewer: Who.
  ///   - before: The earlier state.
  ///   - after: The later state.
  ///   - entries: What came between.
  ///   - now: The book as it is now.
  package init(
    _ viewer: Account.ID, _ before: BookState, _ after: BookState, _ entries: some Sequence<Entry>,
    now: BookState
  ) {
    let own = after.accounts[viewer] ?? before.accounts[viewer]
    key = own?.key.description ?? ""
    hives = [before, after].map { state in
      Set(state.hives(of: viewer).compactMap { state.hives[$0]?.key.description })
    }
    let now = now.people
    present = Set(
      now.indexes.hives.hives(of: viewer).filter { now.isVisible(.hive($0), to: viewer) }
        .compactMap { now.hives[$0]?.key.description })
    for entry in entries {
      guard case .hiveLeft(let event) = entry.event, event.member == viewer,
        let hive = after.hives[event.hive]?.key.description, !hives[1].contains(hive)
      else { continue }
      left[hive] = entry.head.position
    }
  }

  /// Of the entries that did a change those of which the person may know.
  package func known(_ entries: [Entry], of change: RowDifference.Change) -> [Entry] {
    let row = change.after ?? change.before ?? .null
    let hive = change.table == "hives" ? row["id"] : row["hive_id"]
    guard let position = hive?.text.flatMap({ left[$0] }) else { return entries }
    return entries.filter { $0.head.position <= position }
  }

  /// Whether the person is shown rows of a table that were there before, or not any more some that still are: they came
  /// into a hive, or left one.
  package func seesAnew(_ table: String) -> Bool {
    hives[0] != hives[1] && table.hasPrefix("hive")
  }

  /// Whether the person is shown a row of the earlier state, or of the later.
  package func isShown(_ table: String, _ row: JSON, _ isLater: Bool) -> Bool {
    switch table {
    case "profiles": row["id"]?.text == key
    case "pauses", "focus", "identities", "device_tokens", "contact_hashes":
      row["user_id"]?.text == key
    case "hives": hives[isLater ? 1 : 0].contains(row["id"]?.text ?? "")
    case "hive_members", "hive_member_days", "hive_days":
      hives[isLater ? 1 : 0].contains(row["hive_id"]?.text ?? "")
    case "hive_invites":
      hives[isLater ? 1 : 0].intersection(present).contains(row["hive_id"]?.text ?? "")
    // Of everything else the part holds nothing that is not theirs to see.
    default: true
    }
  }
}

package import Avro
import Values

/// The rows of a part of a book that one person may see: their own, those of the hives that they are in at the time,
/// and those of the households that they are in now.
package struct RowViewer {
  private let key: String
  /// The keys of the person's hives, in the earlier state and in the later.
  private let hives: [Set<String>]
  /// The keys of the person's current hives, whose codes they may see.
  private let present: Set<String>
  /// The positions at which the person left hives, by the hives' keys: they must not see later entries.
  private var left: [String: Int64] = [:]

  /// Makes the viewer for two states of a person's part of a book (``BookState/aggregates(of:withOthersHabits:)``).
  ///
  /// - Parameters:
  ///   - viewer: The person.
  ///   - before: The earlier state.
  ///   - after: The later state.
  ///   - entries: The entries between the two states.
  ///   - now: The current state of the book.
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

  /// The entries behind a change that the person may see.
  package func known(_ entries: [Entry], of change: RowDifference.Change) -> [Entry] {
    let row = change.after ?? change.before ?? .null
    let hive = change.table == "hives" ? row["id"] : row["hive_id"]
    guard let position = hive?.text.flatMap({ left[$0] }) else { return entries }
    return entries.filter { $0.head.position <= position }
  }

  /// Whether unchanged rows of a table may appear or disappear for the person, because they joined or left a hive.
  package func seesAnew(_ table: String) -> Bool {
    hives[0] != hives[1] && table.hasPrefix("hive")
  }

  /// Whether the person may see a row of the earlier state, or of the later.
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
    // The part holds only rows that the person may see for all other tables.
    default: true
    }
  }
}

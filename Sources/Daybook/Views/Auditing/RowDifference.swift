public import Avro

/// The rows that were added, removed or changed in a book's tables between two states.
public struct RowDifference: Sendable {
  /// A row that was added, removed or changed.
  public struct Change: Sendable {
    /// The table.
    public let table: String
    /// The row as it was; nothing for an added row.
    public let before: JSON?
    /// The row as it is; nothing for a removed row.
    public let after: JSON?
    /// The entries that caused the change, oldest first, as far as the viewer may see them.
    public package(set) var entries: [Entry] = []

    /// The columns that changed, in their order; none for an added or removed row.
    public var changedColumns: [String] {
      guard let before, let after else { return [] }
      let names = (before.members ?? []).map(\.name)
      let new = (after.members ?? []).map(\.name).filter { !names.contains($0) }
      return (names + new).filter { before[$0] != after[$0] }
    }
  }

  /// The changes, in the order of the tables; in each table first the removed and changed rows in their former order,
  /// then the added ones.
  public package(set) var changes: [Change] = []

  /// Compares the tables of two states.
  ///
  /// - Parameters:
  ///   - before: The earlier state.
  ///   - after: The later state.
  ///   - isSeenAnew: Whether rows of a table may appear or disappear although both states hold them, because the viewer
  ///     sees other rows than before.
  ///   - isShown: Whether a row of a table is compared, in the earlier state (`false`) or the later.
  package init(
    from before: BookState, to after: BookState, isSeenAnew: (_ table: String) -> Bool,
    where isShown: (_ table: String, _ row: JSON, _ isLater: Bool) -> Bool
  ) {
    for (former, table) in zip(before.tables, after.tables) {
      let (old, new) = (Self.lines(of: former), Self.lines(of: table))
      // Nearly all rows are unchanged: only the others are parsed.
      let (gone, come) =
        isSeenAnew(table.name) ? (old, new) : Self.others(old, new)
      compare(
        Self.rows(gone).filter { isShown(table.name, $0, false) },
        Self.rows(come).filter { isShown(table.name, $0, true) }, table.name)
    }
  }

  private mutating func compare(_ gone: [JSON], _ come: [JSON], _ table: String) {
    // Rows with equal identities are matched in order.
    var places = Dictionary(grouping: come.indices) { RowIdentity(table, come[$0]) }
    var kept: Set<Int> = []
    for row in gone {
      let identity = RowIdentity(table, row)
      let place = places[identity]?.first
      if let place {
        places[identity]?.removeFirst()
        kept.insert(place)
        if come[place] == row { continue }
      }
      changes.append(Change(table: table, before: row, after: place.map { come[$0] }))
    }
    for place in come.indices where !kept.contains(place) {
      changes.append(Change(table: table, before: nil, after: come[place]))
    }
  }

  private static func rows(_ lines: [ArraySlice<UInt8>]) -> [JSON] {
    lines.compactMap { try? JSON(parsing: Array($0)) }
  }

  private static func lines(of table: RowTable) -> [ArraySlice<UInt8>] {
    let listing = table.listing
    var json = JSONWriter.lines
    listing.writeRows(0..<listing.stepCount, to: &json)
    return json.bytes.split(separator: 0x0A)
  }

  /// The lines that only one of the two has, in their order.
  private static func others(
    _ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]
  ) -> ([ArraySlice<UInt8>], [ArraySlice<UInt8>]) {
    var left: [ArraySlice<UInt8>: Int] = [:]
    for line in old { left[line, default: 0] += 1 }
    var come: [ArraySlice<UInt8>] = []
    for line in new {
      if let count = left[line], count > 0 { left[line] = count - 1 } else { come.append(line) }
    }
    var gone: [ArraySlice<UInt8>] = []
    // Of equal lines the last ones count as removed.
    for line in old.reversed() {
      guard let count = left[line], count > 0 else { continue }
      left[line] = count - 1
      gone.append(line)
    }
    return (gone.reversed(), come)
  }
}

/// The identity of a row within its table.
struct RowIdentity: Hashable {
  private let values: [String]

  init(_ table: String, _ row: JSON) {
    values = Self.columns(of: table).map { row[$0]?.encoded ?? "" }
  }

  /// The columns that identify a row of a table; the one that names its entity comes first.
  static func columns(of table: String) -> [String] {
    switch table {
    case "habit_logs": ["habit_id", "log_date"]
    case "pauses": ["user_id", "from", "created_at"]
    case "focus": ["user_id", "since"]
    case "hive_members": ["hive_id", "user_id", "joined_at"]
    case "hive_member_days": ["hive_id", "user_id", "log_date"]
    case "hive_days": ["hive_id", "day"]
    case "hive_invites": ["hive_id", "code"]
    case "identities": ["user_id", "kind", "hash"]
    case "device_tokens": ["user_id", "apns_token"]
    case "contact_hashes": ["user_id", "contact_hash"]
    case "household_members": ["household_id", "user_id", "joined_at"]
    case "task_labels": ["task_id", "label_id"]
    case "task_completions": ["task_id", "id"]
    case "grocery_items": ["list_id", "id"]
    default: ["id"]
    }
  }
}

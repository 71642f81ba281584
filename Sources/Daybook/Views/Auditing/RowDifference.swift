public import Avro

/// What came, went and changed in a book's tables between two states, row by row.
public struct RowDifference: Sendable {
  /// A row that is another one.
  public struct Change: Sendable {
    /// The table.
    public let table: String
    /// The row as it was; nothing when it came.
    public let before: JSON?
    /// The row as it is; nothing when it went.
    public let after: JSON?
    /// The entries that did it, oldest first, as far as whoever asks may know of them.
    public package(set) var entries: [Entry] = []

    /// The columns that are others, in their order; none of a row that came or went.
    public var changedColumns: [String] {
      guard let before, let after else { return [] }
      let names = (before.members ?? []).map(\.name)
      let new = (after.members ?? []).map(\.name).filter { !names.contains($0) }
      return (names + new).filter { before[$0] != after[$0] }
    }
  }

  /// The changes, table by table in the order of the tables; in each those that went or changed in the order that the
  /// rows had, then those that came.
  public package(set) var changes: [Change] = []

  /// Compares the tables of two states.
  ///
  /// - Parameters:
  ///   - before: The earlier state.
  ///   - after: The later state.
  ///   - isSeenAnew: Whether a row of a table may come or go though it is in both states: who looks sees others than before.
  ///   - isShown: Whether a row of a table is looked at, in the earlier state (`false`) or the later.
  package init(
    from before: BookState, to after: BookState, isSeenAnew: (_ table: String) -> Bool,
    where isShown: (_ table: String, _ row: JSON, _ isLater: Bool) -> Bool
  ) {
    for (former, table) in zip(before.tables, after.tables) {
      let (old, new) = (Self.lines(of: former), Self.lines(of: table))
      // Nearly all rows are as they were: only the others are read.
      let (gone, come) =
        isSeenAnew(table.name) ? (old, new) : Self.others(old, new)
      take(
        Self.rows(gone).filter { isShown(table.name, $0, false) },
        Self.rows(come).filter { isShown(table.name, $0, true) }, table.name)
    }
  }

  private mutating func take(_ gone: [JSON], _ come: [JSON], _ table: String) {
    // Of two rows that are told apart by nothing, the first is the first.
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

  /// The lines of each that the other has not, in their order.
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
    // Of equal lines the last ones are those that went.
    for line in old.reversed() {
      guard let count = left[line], count > 0 else { continue }
      left[line] = count - 1
      gone.append(line)
    }
    return (gone.reversed(), come)
  }
}

/// By what a row is known among those of its table.
struct RowIdentity: Hashable {
  private let values: [String]

  init(_ table: String, _ row: JSON) {
    values = Self.columns(of: table).map { row[$0]?.encoded ?? "" }
  }

  /// The columns that tell the rows of a table apart; what the row is of first.
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

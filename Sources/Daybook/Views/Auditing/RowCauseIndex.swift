import Avro
import Calendar
import Values

/// Finds the entries that caused changes of rows.
///
/// An entry changes one entity. A row's cause is an entry of its own entity that concerns its table; for a logged day,
/// an entry of that day. If there is none, it is an entry of another entity that the row refers to: for example, of a
/// habit that is no longer shown because it was deleted.
package struct RowCauseIndex {
  /// The entries by the keys of their entities, and by the identities and devices that they take over.
  private var byKey: [String: [Entry]] = [:]
  /// The entries about things of a household, by its key and their kind.
  private var byHome: [String: [EntityKind: [Entry]]] = [:]
  private let state: BookState

  /// Groups entries.
  ///
  /// - Parameters:
  ///   - entries: The entries between two states, oldest first.
  ///   - state: The later state, or any state after it: it gives the entity of each entry.
  package init(_ entries: [Entry], in state: BookState) {
    self.state = state
    for entry in entries {
      guard let aggregate = state.aggregate(of: entry.event),
        let key = state.entity(aggregate)?.key
      else { continue }
      byKey[key.description, default: []].append(entry)
      for hive in entry.event.movedHives(in: state) {
        byKey[hive.description, default: []].append(entry)
      }
      if let taken = entry.event.taken { byKey[taken, default: []].append(entry) }
      guard let home = state.household(of: aggregate).flatMap({ state.households[$0]?.key }) else {
        continue
      }
      byHome[home.description, default: [:]][aggregate.kind, default: []].append(entry)
    }
  }

  /// The entries that caused a change.
  package func entries(of change: RowDifference.Change) -> [Entry] {
    let row = change.after ?? change.before ?? .null
    let own = row[RowIdentity.columns(of: change.table)[0]]?.text ?? ""
    let direct = (byKey[own] ?? []).filter { $0.event.includes(change, in: state) }
    if !direct.isEmpty { return direct }
    var keys = Set(change.before.map(Self.keys) ?? [])
    keys.formUnion(change.after.map(Self.keys) ?? [])
    var found = keys.flatMap { byKey[$0] ?? [] }
    // These decide whether a list still matches the meals, and whether the household exists at all.
    let kinds: [EntityKind] =
      change.table.hasPrefix("grocery")
      ? [.household, .recipe, .meal, .pantryStaple, .list] : [.household]
    if let home = row["household_id"]?.text {
      found += kinds.flatMap { byHome[home]?[$0] ?? [] }
    }
    let named = Dictionary(
      found.filter { $0.event.mayTouch(change.table) }.map { ($0.head.position, $0) },
      uniquingKeysWith: { first, _ in first })
    return named.values.sorted { $0.head.position < $1.head.position }
  }

  /// The texts in a row that may be keys.
  private static func keys(of row: JSON) -> [String] {
    (row.members ?? []).flatMap { member in
      ([member.value.text] + (member.value.elements ?? []).map(\.text)).compactMap(\.self)
    }
  }
}

/// The rows of its entity that an event may change.
enum RowScope {
  /// The rows of one day; of one member, if one is given.
  case day(Day, member: Account.ID?)
  /// All rows, days included: the entity appears or disappears, or its days are judged by other rules.
  case everything
  /// The rows of named tables.
  case tables(Set<String>)
  /// All rows except those of days.
  case main

  /// The rows that show an account to itself and to the members of its households.
  static let profile = tables(["profiles", "household_members"])
}

extension EventRecord {
  /// The rows of the day of a habit that the event changes; otherwise all rows except those of days.
  var rowScope: RowScope {
    if case .day(_, let day, _) = dayEffect { .day(day, member: nil) } else { .main }
  }
}

extension Event {
  /// The rows of its entity that the event may change.
  var rowScope: RowScope { content.record.rowScope }

  /// Whether it may change rows of a table that belong to another entity.
  fileprivate func mayTouch(_ table: String) -> Bool {
    switch rowScope {
    case .day: false
    case .tables(let tables): tables.contains(table)
    case .everything, .main: true
    }
  }

  /// The hives in which a change of a day clock may change who is required on a day, by their keys: a day that the
  /// calendar of a zone omits.
  fileprivate func movedHives(in state: BookState) -> [Key] {
    guard case .dayClockChanged(let event) = self else { return [] }
    return state.indexes.hives.hives(of: event.account).compactMap { state.hives[$0]?.key }
  }

  /// Whether an event of a row's entity concerns the row.
  fileprivate func includes(_ change: RowDifference.Change, in state: BookState) -> Bool {
    let row = change.after ?? change.before ?? .null
    let isOfDay = ["habit_logs", "hive_member_days", "hive_days"].contains(change.table)
    switch rowScope {
    case .everything: return true
    case .main: return !isOfDay
    case .tables(let tables):
      if isOfDay, case .dayClockChanged = self {
        return DateLine.days.contains { row["day"]?.text == "\($0)" }
      }
      return tables.contains(change.table)
    case .day(let day, let member):
      guard isOfDay, (row["log_date"] ?? row["day"])?.text == "\(day)" else { return false }
      guard let member, let user = row["user_id"]?.text, change.table == "hive_member_days" else {
        return true
      }
      return state.accounts[member]?.key.description == user
    }
  }
}

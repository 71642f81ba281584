import Avro
import Calendar
import Values

/// Finds the entries that made rows what they are.
///
/// An entry changes one thing. The entries of the thing that a row is of did it, as far as they say something of that
/// table: of a logged day those of the day. Where none of them did, it was an entry of something else that the row names,
/// such as the habit that is not shown any more because it was deleted.
package struct RowCauses {
  /// The entries by the keys of what they are about, and by what they take over from whomever.
  private var byKey: [String: [Entry]] = [:]
  /// Those about what belongs to a household, by its key and their kind.
  private var byHome: [String: [EntityKind: [Entry]]] = [:]
  private let state: BookState

  /// Sorts entries.
  ///
  /// - Parameters:
  ///   - entries: The entries between two states, oldest first.
  ///   - state: The later state, or one after it: it tells what each is about.
  package init(_ entries: [Entry], in state: BookState) {
    self.state = state
    for entry in entries {
      guard let aggregate = state.aggregate(of: entry.event),
        let key = state.entity(aggregate)?.key
      else { continue }
      byKey[key.description, default: []].append(entry)
      if let taken = entry.event.taken { byKey[taken, default: []].append(entry) }
      guard let home = state.household(of: aggregate).flatMap({ state.households[$0]?.key }) else {
        continue
      }
      byHome[home.description, default: [:]][aggregate.kind, default: []].append(entry)
    }
  }

  /// The entries that did a change.
  package func entries(of change: RowDifference.Change) -> [Entry] {
    let row = change.after ?? change.before ?? .null
    let own = row[RowIdentity.columns(of: change.table)[0]]?.text ?? ""
    let direct = (byKey[own] ?? []).filter { $0.event.says(change, in: state) }
    if !direct.isEmpty { return direct }
    var keys = Set(change.before.map(Self.keys) ?? [])
    keys.formUnion(change.after.map(Self.keys) ?? [])
    var found = keys.flatMap { byKey[$0] ?? [] }
    // Whether a list is still what the meals come to, and whether the household is there at all.
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

  /// The texts of a row that may be keys.
  private static func keys(of row: JSON) -> [String] {
    (row.members ?? []).flatMap { member in
      ([member.value.text] + (member.value.elements ?? []).map(\.text)).compactMap(\.self)
    }
  }
}

/// Which rows of the thing that it changes an event may make others.
private enum RowReach {
  /// Those of one day; of one member where it says which.
  case day(Day, member: Account.ID?)
  /// All, with those of days: by it the thing is there, or is not, or others are asked of its days.
  case everything
  /// Those of tables that are named.
  case tables(Set<String>)
  /// All but those of days.
  case main
}

extension Event {
  /// Whether it may change rows of a table that are of something else.
  fileprivate func mayTouch(_ table: String) -> Bool {
    switch rowReach {
    case .day: false
    case .tables(let tables): tables.contains(table)
    case .everything, .main: true
    }
  }

  /// Whether an event of the thing that a row is of says something of the row.
  fileprivate func says(_ change: RowDifference.Change, in state: BookState) -> Bool {
    let row = change.after ?? change.before ?? .null
    let isOfDay = ["habit_logs", "hive_member_days", "hive_days"].contains(change.table)
    switch rowReach {
    case .everything: return true
    case .main: return !isOfDay
    case .tables(let tables): return tables.contains(change.table)
    case .day(let day, let member):
      guard isOfDay, (row["log_date"] ?? row["day"])?.text == "\(day)" else { return false }
      guard let member, let user = row["user_id"]?.text, change.table == "hive_member_days" else {
        return true
      }
      return state.accounts[member]?.key.description == user
    }
  }

  private var rowReach: RowReach {
    switch byContext {
    case .accounts(let event): Self.reach(of: event)
    case .habits(let event): Self.reach(of: event)
    case .hives(let event): Self.reach(of: event)
    case .goals, .household, .householdTasks, .recipes, .mealPlan, .groceries, .pantry, .calendar,
      .tasks, .activities:
      .main
    }
  }

  private static func reach(of event: Accounts) -> RowReach {
    switch event {
    case .accountCreated, .accountErased: .everything
    case .profileChanged, .dayClockChanged, .birthdayChanged, .notificationsChanged,
      .accountOnboarded, .habitsOrdered:
      .tables(["profiles", "household_members"])
    case .accountPaused, .accountResumed, .pausesReverted: .tables(["pauses"])
    case .identityLinked, .identityVerified, .identityUnlinked:
      .tables(["identities", "household_members"])
    case .deviceRegistered, .deviceUnregistered: .tables(["device_tokens"])
    case .contactsUploaded, .contactsRemoved, .contactNamed: .tables(["contact_hashes"])
    case .upgradeRequested: .tables(["profiles"])
    // The one says of the entries that follow what they are; the other names rows of an app's tables.
    case .commandUndone, .rowNamed: .tables([])
    }
  }

  private static func reach(of event: Habits) -> RowReach {
    switch event {
    case .habitLogged(let event): .day(event.day, member: nil)
    case .habitLogCleared(let event): .day(event.day, member: nil)
    case .habitDaySkipped(let event): .day(event.day, member: nil)
    case .habitDayReverted(let event): .day(event.day, member: nil)
    case .habitCreated, .habitDeleted, .habitUndeleted: .everything
    case .focusChosen: .tables(["focus"])
    case .habitDescribed, .habitScheduleChanged, .habitTargetChanged, .habitRemindersChanged,
      .habitArchived, .habitRestored, .habitVersionsReverted:
      .main
    }
  }

  private static func reach(of event: Hives) -> RowReach {
    switch event {
    case .hiveDayLogged(let event): .day(event.day, member: event.member)
    case .hiveDayCleared(let event): .day(event.day, member: event.member)
    case .hiveAdvanced(let event): .day(event.day, member: nil)
    case .hiveBroken(let event): .day(event.day, member: nil)
    case .hiveCreated, .hiveDeleted, .hiveRestored, .hiveJoined, .hiveLeft: .everything
    case .hiveDescribed, .hiveHandedOver, .hiveHabitLinked, .hiveInviteCreated, .hiveInviteRevoked:
      .main
    }
  }
}

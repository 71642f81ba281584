import Calendar
import Streaks

/// The habits that a query is about.
///
/// All rejections happen when the habits are found, so that the answer can then be given piece by piece.
struct RequestedHabits: Sendable {
  /// One of the habits.
  private struct Place {
    /// The index of the habit in the table.
    var index: Int
    /// Its owner's today.
    var today: Day
  }

  let state: BookState
  let query: Query
  /// Whether the rule needs to know how late records were made.
  var needsRecordTimes: Bool
  private let places: [Place]

  /// Finds the habits of an account, or of all accounts, in the order of their creation; archived ones included,
  /// deleted ones excluded.
  init(of account: Account.ID?, in state: BookState, _ query: Query) throws(Rejection) {
    let indices = state.habits.elements.indices.filter { index in
      let owner = state.habits.elements[index].owner
      return !state.habits.elements[index].isDeleted && (account == nil || owner == account)
    }
    try self.init(at: state.shown(indices), in: state, query)
  }

  /// Uses the habits at some indices of the table.
  init(at indices: [Int], in state: BookState, _ query: Query) throws(Rejection) {
    self.state = state
    self.query = query
    needsRecordTimes = query.rule.needsRecordTimes
    var places: [Place] = []
    places.reserveCapacity(indices.count)
    // Most people of a book live in few zones, and have more than one habit.
    var todays: [DayClock: Day] = [:]
    var owner: (number: Account.ID, today: Day, openFrom: Day)?
    for index in indices {
      let number = state.habits.elements[index].owner
      if owner?.number != number {
        guard let place = state.accounts.place(of: number) else { throw .accountNotFound }
        let today = try Self.today(of: state.accounts.elements[place], query, &todays)
        owner = (number, today, max(today, state.accounts.elements[place].closedBefore))
      }
      guard let owner else { continue }
      if let on = query.on {
        let last = state.habits.elements[index].days.lastDay ?? owner.today
        guard on <= max(owner.openFrom, last) else {
          throw .futureDayAsked(day: on, today: owner.today)
        }
      }
      places.append(Place(index: index, today: owner.today))
    }
    self.places = places
  }

  private static func today(
    of account: Account, _ query: Query, _ known: inout [DayClock: Day]
  ) throws(Rejection) -> Day {
    if let today = known[account.dayClock] { return today }
    let today = try query.today(of: account)
    known[account.dayClock] = today
    return today
  }

  /// The number of habits.
  var count: Int { places.count }

  /// The owners of the habits, in their order.
  var owners: [Account.ID] { places.map { state.habits.elements[$0.index].owner } }

  /// Visits some of the habits, each with its history and the requested day. All histories use the same memory.
  func forEach(
    _ range: Range<Int>, _ body: (Habit.ID, Habit, HabitHistory, Day) -> Void
  ) {
    var history = HabitHistory(created: .first, versions: [], today: .first)
    for place in places[range] {
      let habit = state.habits.elements[place.index]
      let owner = state.accounts.place(of: habit.owner)
      history.become(
        habit, owner.map { state.accounts.elements[$0].freeDays } ?? .init(), today: place.today,
        openFrom: owner.map { state.accounts.elements[$0].closedBefore })
      if needsRecordTimes, let owner {
        history.addRecordTimes(habit.days, of: state.accounts.elements[owner], query.zones)
      }
      body(Habit.ID(index: place.index), habit, history, query.on ?? place.today)
    }
  }
}

extension HabitHistory {
  /// Turns the history into that of another habit, reusing its memory.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - free: The free days of its owner.
  ///   - today: The owner's user-local today.
  ///   - openFrom: The owner's first open day: earlier days are closed, whatever the clock says.
  mutating func become(_ habit: Habit, _ free: Account.FreeDays, today: Day, openFrom: Day?) {
    created = habit.createdOn
    versions = habit.versions
    archived = habit.archived
    paused = free.pauses.isEmpty ? [] : free.pauses.map(\.days)
    leftOut = free.leftOut
    self.today = today
    self.openFrom = max(openFrom ?? today, today)
    type = habit.type
    records.removeAll(keepingCapacity: true)
    habit.days.appendHistory(to: &records)
    entered = habit.days.entered
  }
}

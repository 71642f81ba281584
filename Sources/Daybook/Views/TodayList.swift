public import Values
public import Calendar
public import Streaks
public import Avro

/// One habit on the list of a day: whether it is due, what is done, and its streak (HH-12, MO-4).
public struct TodayCard: Sendable {
  /// The habit.
  public let habit: Habit
  /// The requested day.
  public let day: Day
  /// The rule's judgement of the day; nothing when the rule did not judge it.
  public let judged: JudgedDay?
  /// The value that was entered for the day, when another one counts.
  public let entered: Amount?
  /// The target of the day.
  public let target: Target
  /// The length of the current streak.
  public let streak: Int
  /// The marks of the fourteen days up to the day, oldest first; nothing for days that were not judged.
  public let recent: [Mark?]
  /// Whether the habit has the focus (DG-2).
  public let hasFocus: Bool
  /// The key of the habit's owner.
  public let account: Key?

  /// The card as JSON.
  public var json: JSON { JSON(written: write) }

  func write(to json: inout JSONWriter) {
    json.object { row in
      row.member("habit", habit.key)
      row.member("account", account)
      row.member("name", habit.description.name)
      row.member("emoji", habit.description.emoji)
      row.member("day", day)
      row.member("mark", judged?.mark.rawValue)
      row.member("due", judged?.due ?? false)
      row.member("value", judged?.value)
      if let entered { row.member("entered_value", entered) }
      row.member("target", target.amount)
      row.member("unit", habit.description.unit)
      row.member("streak", streak)
      row.member("focus", hasFocus)
      row.member("recent", recent) { json, mark in
        if let mark { json.string(mark.rawValue) } else { json.null() }
      }
    }
  }
}

/// The habits that are due on a day or were logged on it, judged on demand; archived habits are left out.
package struct TodayList: Listing {
  private let asked: RequestedHabits

  /// The habits of an account, or of all.
  ///
  /// - Throws: ``Rejection``.
  package init(of account: Account.ID? = nil, in state: BookState, _ query: Query) throws(Rejection)
  {
    asked = try RequestedHabits(of: account, in: state, query)
  }

  /// The number of habits that may have a card.
  package var stepCount: Int { asked.count }

  /// Writes one row for each card.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    forEach(steps) { $0.write(to: &rows) }
  }

  /// The cards of all habits.
  package var cards: [TodayCard] {
    var cards: [TodayCard] = []
    forEach(0..<asked.count) { cards.append($0) }
    return cards
  }

  private func forEach(_ steps: Range<Int>, _ body: (TodayCard) -> Void) {
    let (rule, on) = (asked.query.rule, asked.query.on)
    asked.forEach(steps) { number, habit, history, day in
      let (history, last) = rule.seen(history, on: on)
      let seen = rule.walk(history, into: TodaySink(day, through: last))
      // During a pause or when archived, nothing is due.
      guard let judged = seen.judged, judged.mark != .paused,
        judged.due || judged.value != nil || judged.mark == .skipped
      else { return }
      body(
        TodayCard(
          habit: habit, day: day, judged: judged, entered: history.entered[day],
          target: judged.target,
          streak: seen.tally.length, recent: seen.recent,
          hasFocus: asked.state.hasFocus(number, of: habit.owner),
          account: asked.state.accounts.key(of: habit.owner)))
    }
  }
}

/// Collects from a habit's days what a card shows.
private struct TodaySink: DaySink {
  private let day: Day
  private let last: Day
  private(set) var tally = StreakTally()
  private(set) var judged: JudgedDay?
  private(set) var recent = [Mark?](repeating: nil, count: 14)

  /// Judges one day, and ignores days after the last one.
  init(_ day: Day, through last: Day) {
    self.day = day
    self.last = last
  }

  @inline(__always)
  mutating func receive(_ next: JudgedDay) {
    guard next.day <= last else { return }
    tally.add(next.day, next.effect)
    let age = next.day.distance(to: day)
    if age >= 0, age < recent.count { show(next, age) }
  }

  mutating func receive(_ next: JudgedDay, through end: Int) {
    // Days without a record break a streak at most once; of the others only the shown days matter.
    receive(next)
    let shown = max(Int(next.day.number) + 1, Int(day.number) - recent.count + 1)
    guard shown <= end else { return }
    var later = next
    for number in shown...end {
      later.day = Day(clampingNumber: number)
      receive(later)
    }
  }

  private mutating func show(_ next: JudgedDay, _ age: Int) {
    recent[recent.count - 1 - age] = next.mark
    guard age == 0 else { return }
    var next = next
    next.streak = tally.length
    judged = next
  }
}

extension BookState {
  /// The habits of an account (or of all) that are due on the day or were logged on it; archived habits
  /// are left out.
  ///
  /// - Throws: ``Rejection``.
  public func today(
    of account: Account.ID? = nil, _ query: Query
  ) throws(Rejection) -> [TodayCard] {
    try TodayList(of: account, in: self, query).cards
  }

  fileprivate func hasFocus(_ habit: Habit.ID, of owner: Account.ID) -> Bool {
    accounts.place(of: owner).map { accounts.elements[$0].focusHabit == habit } ?? false
  }
}

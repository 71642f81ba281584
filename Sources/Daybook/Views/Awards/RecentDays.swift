import Calendar
import Streaks

/// The days of a habit as they are known, entry after entry: the last two months or more are judged each time, what
/// lies before them once. So an entry costs as much after twenty years as after one.
///
/// What lies before is judged anew when something is recorded of it, or when what is asked of days changes. Under a
/// quota a day bears on days long before it: then all days are judged each time.
struct RecentDays {
  /// So many days before the latest are judged each time: no award looks back to before them but over days on which
  /// nothing was done.
  private static let dayCount = 62

  /// All that is asked, and what was done on the recent days.
  private var history: HabitHistory
  private let hasQuota: Bool
  /// The streaks by the days before the recent ones.
  private var tally = StreakTally()
  /// What comebacks depend on of the days before the recent ones.
  private(set) var absence = Absence()
  /// The first recent day; nothing when all are.
  private(set) var first: Day?

  /// Begins with a history, all of it recent.
  init(_ history: HabitHistory) {
    self.history = history
    hasQuota = history.versions.contains { version in
      if case .quota = version.schedule { true } else { false }
    }
  }

  /// Takes what is known of a recent day from now on: nothing when it was cleared.
  mutating func take(_ record: HabitHistory.DayRecord?, of day: Day) {
    var place = history.records.count
    while place > 0, history.records[place - 1].day >= day { place -= 1 }
    let end = place < history.records.count && history.records[place].day == day ? place + 1 : place
    history.records.replaceSubrange(place..<end, with: record.map { [$0] } ?? [])
  }

  /// The recent days as they stand when a day is open; their streaks go on from what was before them.
  mutating func judgement(open: Day) -> Judgement {
    (history.today, history.openFrom) = (open, open)
    settle()
    return Judgement(DayMarker.walk(history, into: JudgementSink(after: tally)))
  }

  /// Judges for good what has become old.
  private mutating func settle() {
    guard !hasQuota, let latest = history.records.last?.day else { return }
    let end = min(latest, history.openFrom).advanced(by: -Self.dayCount)
    let begin = first ?? min(history.created, history.records.first?.day ?? latest)
    guard begin.distance(to: end) >= Self.dayCount else { return }
    let past = DayMarker.walk(history, into: PastSink(tally, absence, before: end))
    (tally, absence) = (past.tally, past.absence)
    (first, history.created) = (end, end)
    history.records.removeAll { $0.day < end }
  }
}

/// How many days were missed in a row, others than missed ones passed over, after one that was done at all.
struct Absence {
  var missedCount = 0
  /// Whether there was a day before them that was done at all: else there is nothing to come back to.
  var hasBegun = false

  fileprivate mutating func take(_ mark: Mark) {
    if mark == .missed { missedCount += 1 }
    if Self.ends(by: mark) { (missedCount, hasBegun) = (0, true) }
  }

  /// Whether a day of this mark ends one.
  fileprivate static func ends(by mark: Mark) -> Bool {
    switch mark {
    case .full, .bonus, .partial: true
    case .missed, .off, .paused, .skipped, .pending, .leftOut: false
    }
  }
}

extension Judgement {
  /// Whether a day is full after seven or more missed in a row: days that are skipped, paused or not due are
  /// passed over. Before the first day that was done at all there is nothing to come back to.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - absence: What is known of the days before the judged ones.
  /// - Returns: Whether it is one.
  func isComeback(_ day: Day, after absence: Absence = Absence()) -> Bool {
    guard self[day]?.mark == .full else { return false }
    var missedCount = 0
    for judged in days(.first...day).dropLast().reversed() {
      if judged.mark == .missed { missedCount += 1 }
      if Absence.ends(by: judged.mark) { return missedCount >= Award.comebackDays }
    }
    return absence.hasBegun && missedCount + absence.missedCount >= Award.comebackDays
  }
}

/// Takes days that have become old.
private struct PastSink: DaySink {
  private let end: Day
  private(set) var tally: StreakTally
  private(set) var absence: Absence

  init(_ tally: StreakTally, _ absence: Absence, before end: Day) {
    self.tally = tally
    self.absence = absence
    self.end = end
  }

  mutating func take(_ day: JudgedDay) {
    guard day.day < end else { return }
    tally.take(day.day, day.effect)
    absence.take(day.mark)
  }
}

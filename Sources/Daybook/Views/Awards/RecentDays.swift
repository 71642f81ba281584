import Calendar
import Streaks

/// The known days of a habit, entry after entry: the last two months or more are judged each time, earlier days only
/// once. So an entry costs no more after twenty years than after one.
///
/// Earlier days are judged anew when something is recorded about them, or when the habit's rules change. Under a quota
/// a day affects days long before it: then all days are judged each time.
struct RecentDays {
  /// The number of days before the latest that are judged each time: no award depends on earlier days, except across
  /// days on which nothing was done.
  private static let dayCount = 62

  /// All rules of the habit, and the records of the recent days.
  private var history: HabitHistory
  private let hasQuota: Bool
  /// The streaks of the days before the recent ones.
  private var tally = StreakTally()
  /// The state of comebacks after the days before the recent ones.
  private(set) var absence = MissedDays()
  /// The first recent day; nothing when all days are recent.
  private(set) var first: Day?

  /// Begins with a history; all of its days are recent.
  init(_ history: HabitHistory) {
    self.history = history
    hasQuota = history.versions.contains { version in
      if case .quota = version.schedule { true } else { false }
    }
  }

  /// Applies a recent day's new record: nothing when it was cleared.
  mutating func update(_ record: HabitHistory.DayRecord?, of day: Day) {
    var place = history.records.count
    while place > 0, history.records[place - 1].day >= day { place -= 1 }
    let end = place < history.records.count && history.records[place].day == day ? place + 1 : place
    history.records.replaceSubrange(place..<end, with: record.map { [$0] } ?? [])
  }

  /// Judges the recent days, the given day being open; their streaks continue those before them.
  mutating func judgement(open: Day) -> Judgement {
    (history.today, history.openFrom) = (open, open)
    settle()
    return Judgement(DayMarker.walk(history, into: JudgementSink(after: tally)))
  }

  /// Judges days for good that are no longer recent.
  private mutating func settle() {
    guard !hasQuota, let latest = history.records.last?.day else { return }
    let end = min(latest, history.openFrom).advanced(by: -Self.dayCount)
    let begin = first ?? min(history.created, history.records.first?.day ?? latest)
    guard begin.distance(to: end) >= Self.dayCount else { return }
    let past = DayMarker.walk(history, into: OlderDaysSink(tally, absence, before: end))
    (tally, absence) = (past.tally, past.absence)
    (first, history.created) = (end, end)
    history.records.removeAll { $0.day < end }
  }
}

/// The number of days missed in a row since the last day that was done at all; days with other marks are skipped.
struct MissedDays {
  var missedCount = 0
  /// Whether any earlier day was done at all: if not, there is nothing to come back to.
  var hasBegun = false

  fileprivate mutating func add(_ mark: Mark) {
    if mark == .missed { missedCount += 1 }
    if Self.ends(by: mark) { (missedCount, hasBegun) = (0, true) }
  }

  /// Whether a day with this mark ends an absence.
  fileprivate static func ends(by mark: Mark) -> Bool {
    switch mark {
    case .full, .bonus, .partial: true
    case .missed, .off, .paused, .skipped, .pending, .leftOut: false
    }
  }
}

extension Judgement {
  /// Whether a day is full after seven or more missed days in a row: days that are skipped, paused or not due are
  /// ignored. Before the first day that was done at all there is nothing to come back to.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - absence: The absence before the judged days.
  /// - Returns: Whether the day is a comeback.
  func isComeback(_ day: Day, after absence: MissedDays = MissedDays()) -> Bool {
    guard self[day]?.mark == .full else { return false }
    var missedCount = 0
    for judged in days(.first...day).dropLast().reversed() {
      if judged.mark == .missed { missedCount += 1 }
      if MissedDays.ends(by: judged.mark) { return missedCount >= Award.comebackDays }
    }
    return absence.hasBegun && missedCount + absence.missedCount >= Award.comebackDays
  }
}

/// Collects days that are no longer recent.
private struct OlderDaysSink: DaySink {
  private let end: Day
  private(set) var tally: StreakTally
  private(set) var absence: MissedDays

  init(_ tally: StreakTally, _ absence: MissedDays, before end: Day) {
    self.tally = tally
    self.absence = absence
    self.end = end
  }

  mutating func receive(_ day: JudgedDay) {
    guard day.day < end else { return }
    tally.add(day.day, day.effect)
    absence.add(day.mark)
  }
}

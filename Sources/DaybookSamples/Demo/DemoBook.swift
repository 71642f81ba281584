package import Daybook
package import DaybookStore
import PropertyTesting

/// A book with two years of made-up, lifelike history.
///
/// It has three people in three zones, ten habits, changed schedules, a vacation and a lost streak.
/// The last weeks also have a hive, tasks, and a household that cooks and shops. The same seed and
/// last day make the same entries.
package enum DemoBook {
  /// How many days of history there are.
  static let dayCount = 730

  /// Fills an empty book.
  ///
  /// - Parameters:
  ///   - book: An empty book.
  ///   - now: The end of the history.
  ///   - seed: Each seed makes a different history.
  /// - Throws: ``JournalError`` when the disk refuses.
  package static func fill(_ book: Book, until now: Instant, seed: UInt64) throws {
    var story = DemoStory(seed: seed, until: now)
    var remaining = story.allScenes()[...]
    // One commit per week, so that the book looks like a history, not like one large import.
    while let first = remaining.first {
      let week = remaining.prefix { $0.at.milliseconds < first.at.milliseconds + 7 * 86_400_000 }
      try book.transaction { batch in
        for scene in week { try scene.play(&batch) }
      }
      remaining = remaining.dropFirst(week.count)
    }
  }
}

/// One action of one person at one time.
struct DemoScene {
  var at: Instant
  var play: (inout Batch) throws -> Void
}

/// Writes the scenes of the demo.
struct DemoStory {
  var random: SplitMix64
  private let now: Instant
  private let firstDay: Day
  let lastDay: Day
  var scenes: [DemoScene] = []
  private var accountCount = 0
  private var habitCount = 0

  init(seed: UInt64, until now: Instant) {
    random = SplitMix64(seed: seed)
    self.now = now
    lastDay = Day(utc: now)
    firstDay = lastDay.advanced(by: -DemoBook.dayCount)
  }

  /// All scenes, in the order of their times.
  mutating func allScenes() -> [DemoScene] {
    let (ada, ben, mei) = (ada(), ben(), mei())
    hive([ada, ben, mei])
    home(ada, account("Noor", "Europe/London", utcHour: 8))
    tasks(ada)
    let limit = now
    return scenes.enumerated().filter { $0.element.at <= limit }
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  private mutating func ada() -> Account.ID {
    let ada = account("Ada", "Europe/London", utcHour: 7)
    let vacation = lastDay.advanced(by: -160)
    act(
      at: vacation.advanced(by: -3), hour: 20, ada,
      Pause(first: vacation, last: vacation.advanced(by: 9)))
    let away = DaySpan(first: vacation, last: vacation.advanced(by: 9))
    // The habit is kept up for months, lost on one evening three weeks ago, and begun again the day
    // after.
    let lost = lastDay.advanced(by: -20)
    let meditate = habit(ada, CreateHabit(name: "Meditate", emoji: "🧘", reminders: [evening]))
    live(ada, meditate, hour: 21, chance: 97, away: away) { day in
      if day == lost { return .nothing }
      return day > vacation.advanced(by: 9) ? .log(.one) : nil
    }
    let read = habit(
      ada, CreateHabit(name: "Read", emoji: "📖", unit: "pages", type: .counter, target: target(20)))
    let change = UpdateHabit(read) {
      $0.target.amount = amount(30)
    }
    act(at: lastDay.advanced(by: -200), hour: 19, ada, change)
    live(ada, read, hour: 22, chance: 82, away: away, values: 8...36)
    if let thrice = Schedule.quota(3, in: 7) {
      let run = habit(
        ada,
        CreateHabit(
          name: "Run", emoji: "🏃", unit: "km", type: .counter,
          target: Target(Amount(thousandths: 2500) ?? .one),
          schedule: thrice))
      live(ada, run, hour: 18, chance: 46, away: away, values: 2...9)
    }
    let water = habit(
      ada,
      CreateHabit(
        name: "Drink Water", emoji: "💧", unit: "glasses", type: .counter, target: target(8)))
    live(ada, water, hour: 20, chance: 90, away: away, values: 4...8)
    act(at: firstDay.advanced(by: 30), hour: 12, ada, ChooseFocus(read))
    act(at: lastDay.advanced(by: -120), hour: 12, ada, ChooseFocus(meditate))
    act(at: firstDay.advanced(by: 2), hour: 12, ada, CreateGoal(title: "A calmer year"))
    if let goal = Goal.ID(1) {
      act(at: firstDay.advanced(by: 2), hour: 13, ada, AttachHabit(meditate, to: goal))
    }
    return ada
  }

  private mutating func ben() -> Account.ID {
    let ben = account("Ben", "America/New_York", utcHour: 12)
    let guitar = habit(
      ben, CreateHabit(name: "Guitar", emoji: "🎸", color: "#5AC8FA", schedule: weekdays(0b001_1111))
    )
    let change = UpdateHabit(guitar) {
      $0.schedule = weekdays(0b001_0101)
    }
    act(at: lastDay.advanced(by: -250), hour: 23, ben, change)
    live(ben, guitar, hour: 23, chance: 74)
    let pushUps = habit(
      ben, CreateHabit(name: "Push-ups", emoji: "💪", type: .counter, target: target(30)))
    live(ben, pushUps, hour: 13, chance: 78, values: 15...40)
    let coffee = habit(
      ben,
      CreateHabit(
        name: "Coffee", emoji: "☕", color: "#8B5A2B", unit: "cups", type: .counter,
        target: Target(amount(2), .atMost)))
    live(ben, coffee, hour: 22, chance: 93, values: 0...3)
    act(at: lastDay.advanced(by: -20), hour: 23, ben, ArchiveHabit(pushUps))
    return ben
  }

  private mutating func mei() -> Account.ID {
    let mei = account("Mei", "Asia/Tokyo", utcHour: 1)
    let journal = habit(mei, CreateHabit(name: "Journal", emoji: "✍️", color: "#34C759"))
    live(mei, journal, hour: 13, chance: 91)
    let stretch = habit(mei, CreateHabit(name: "Stretch", emoji: "🤸", color: "#34C759"))
    live(mei, stretch, hour: 3, chance: 70)
    let walk = habit(
      mei, CreateHabit(name: "Weekend Walk", emoji: "🌳", schedule: weekdays(0b110_0000)))
    live(mei, walk, hour: 6, chance: 85)
    // A year abroad: the zone changes, and no past day moves.
    act(
      at: lastDay.advanced(by: -300), hour: 12, mei,
      UpdateProfile { $0.timeZone = "Pacific/Honolulu" })
    return mei
  }

  /// The fate of a day that is not left to chance.
  private enum PlannedDay {
    case log(Amount)
    case nothing
  }

  private mutating func account(_ name: String, _ zone: String, utcHour: Int64) -> Account.ID {
    accountCount += 1
    let key = random.key()
    let at = instant(firstDay, hour: utcHour)
    // Accounts get their numbers in the order of their stories, because all are created at the same
    // time.
    scenes.append(
      DemoScene(at: instant(firstDay, hour: 0)) { batch in
        try batch.record(
          CreateAccount(key: key, name: name, timeZone: zone), at: max(at, batch.state.at))
      })
    return Account.ID(accountCount) ?? .first
  }

  /// Creates a habit. Habits get their numbers in the order of their accounts' stories, so all are
  /// created on the first day, each account's after the previous one's.
  private mutating func habit(_ account: Account.ID, _ command: CreateHabit) -> Habit.ID {
    habitCount += 1
    var command = command
    command.key = random.key()
    act(at: firstDay, hour: 13, minute: Int64(habitCount), account, command)
    return Habit.ID(habitCount) ?? .first
  }

  mutating func act(
    at day: Day, hour: Int64, minute: Int64 = 0, _ account: Account.ID, _ command: some Command
  ) {
    let at = instant(day, hour: hour).advanced(byMilliseconds: minute * 60_000)
    scenes.append(DemoScene(at: at) { batch in try batch.record(command, by: account, at: at) })
  }

  /// Two years of one habit: most days logged, some late, some skipped.
  private mutating func live(
    _ account: Account.ID, _ habit: Habit.ID, hour: Int64, chance: Int, away: DaySpan? = nil,
    values: ClosedRange<Int>? = nil, fate: (Day) -> PlannedDay? = { _ in nil }
  ) {
    var day = firstDay.advanced(by: 1)
    while day <= lastDay {
      defer { day = day.advanced(by: 1) }
      let minutes = Int64(random.next(110))
      let value = values.map { amount($0.lowerBound + random.next($0.count)) } ?? .one
      let dice = random.next(100)
      if away?.contains(day) ?? false { continue }
      let at = instant(day, hour: hour).advanced(byMilliseconds: minutes * 60_000 + 17)
      switch fate(day) {
      case .nothing: continue
      case .log(let value): log(account, habit, value, at)
      case nil:
        if dice < chance {
          log(account, habit, value, at)
        } else if dice >= 98 {
          scenes.append(
            DemoScene(at: at) { batch in
              guard !Self.isArchived(habit, batch.state) else { return }
              try batch.record(SkipDay(habit, note: "resting"), by: account, at: at)
            })
        }
      }
    }
  }

  private mutating func log(
    _ account: Account.ID, _ habit: Habit.ID, _ value: Amount, _ at: Instant
  ) {
    let source: LogSource = random.next(8) == 0 ? .sync : .manual
    scenes.append(
      DemoScene(at: at) { batch in
        guard !Self.isArchived(habit, batch.state) else { return }
        try batch.record(LogHabit(habit, value: value, source: source), by: account, at: at)
      })
  }

  private static func isArchived(_ habit: Habit.ID, _ state: BookState) -> Bool {
    state.habits[habit]?.isArchived ?? true
  }

  func instant(_ day: Day, hour: Int64) -> Instant {
    Instant(clamping: Int64(day.number) * 86_400_000 + hour * 3_600_000)
  }

  private func amount(_ whole: Int) -> Amount { Amount(whole) ?? .one }
  private func target(_ whole: Int) -> Target { Target(amount(whole)) }
  private func weekdays(_ bits: Int) -> Schedule { .weekdays(WeekdayMask(bits: bits) ?? .everyDay) }
  private var evening: LocalTime { LocalTime(minutes: 21 * 60) ?? .midnight }
}

extension SplitMix64 {
  mutating func next(_ bound: Int) -> Int { Int(next() >> 33) % bound }

  mutating func key() -> Key {
    Key(high: next() & ~0xF000 | 0x4000, low: next() & ~(3 << 62) | 1 << 63)
  }
}

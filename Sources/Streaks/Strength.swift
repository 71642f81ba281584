public import Calendar

/// How strong a habit is after a day (reference, "Strength score").
public struct Strength: Hashable, Sendable {
  /// The day.
  public var day: Day
  /// The score after the day: 0 (no habit) … 1.
  public var score: Double
}

extension HabitHistory {
  /// The strength after each judged day through today, by Loop Habit Tracker's formula.
  ///
  /// Each day moves the score towards the done share of the frequency's window; the rarer the habit is due,
  /// the slower the move. Skipped and paused days leave the score unchanged. A checkbox counts done days,
  /// over twice the window unless daily. A counter sums values over the window, a skip as the 0.003 that Loop
  /// stores for it, and compares the sum with as many targets as there are due days. Frequency and target are
  /// those in force on the day. O(days).
  public var strengths: [Strength] {
    DayMarker.walk(self, into: StrengthSink(self, through: today, keeping: true)).points
  }

  /// The strength after today, 0…1; 0 before the first judged day.
  public var strength: Double { strength(after: today) }

  /// The strength after a day, or after today if the day is in the future, 0…1; 0 before the first judged
  /// day.
  package func strength(after day: Day) -> Double { strengthSteps(after: day).end }

  /// The strength as ``strength(after:)`` computes it, with the last steps still pending.
  package func strengthSteps(after day: Day) -> EqualSteps {
    DayMarker.walk(self, into: StrengthSink(self, through: day)).steps
  }
}

/// Folds judged days into the score.
package struct StrengthSink: DaySink {
  private(set) var points: [Strength] = []
  /// The pending steps that yield the score.
  package private(set) var steps = EqualSteps(from: 0)
  private let isKept: Bool
  private let last: Day
  private let isCounter: Bool
  private var versions: VersionCursor
  private var formula: Formula
  /// The day number from which another formula holds; at first there is none yet.
  private var formulaChange = Int.min
  /// The contribution of each day to a window: its value in thousandths, or 1 for a done checkbox. A ring
  /// buffer as long as the longest window: the n-th day is at n modulo its length. A window of one day needs
  /// none.
  private var shares: [Int64]
  private var dayCount = 0
  private var sum: Int64 = 0

  /// Takes the days of a history through the given one.
  package init(_ history: HabitHistory, through day: Day, keeping isKept: Bool = false) {
    self.isKept = isKept
    last = min(day, history.today)
    isCounter = history.type == .counter
    versions = VersionCursor(history)
    formula = Formula(versions.version, isCounter: isCounter)
    var longest = 1
    for version in history.versions {
      longest = max(longest, Formula.window(of: version, isCounter: isCounter))
    }
    shares = longest > 1 ? [Int64](repeating: 0, count: longest) : []
  }

  /// The score after the days so far.
  package var score: Double { steps.end }

  /// The score after the days so far, for a caller that reads it every day.
  mutating func settledScore() -> Double {
    steps.settle()
    return steps.end
  }

  /// A full day fills a window of one day; its contribution to a longer one depends on its value.
  package var needsValues: Bool { isKept || !shares.isEmpty }

  @inline(__always)
  package mutating func receive(_ day: JudgedDay) {
    guard day.day <= last else { return }
    // An omitted day belongs to no window.
    guard day.mark != .leftOut else {
      if isKept { points.append(Strength(day: day.day, score: settledScore())) }
      return
    }
    let isDone = day.mark == .full || day.mark == .bonus
    // Loop stores a skip as the value 0.003, and adds it to the sum.
    let skip: Int64 = day.mark == .skipped ? 3 : 0
    let share = isCounter ? day.value?.thousandths ?? skip : isDone ? 1 : 0
    let isNew = Int(day.day.number) >= formulaChange
    if isNew { begin(day) }
    if shares.isEmpty { sum = share } else { remember(share, formula.window, isNew) }
    dayCount &+= 1
    if day.mark != .skipped, day.mark != .paused { formula.step(&steps, sum: sum) }
    if isKept { points.append(Strength(day: day.day, score: settledScore())) }
  }

  /// Repeats the latest day `count` times: full days when every day is due, or days without activity.
  package mutating func repeatLast(_ day: JudgedDay, _ count: Int) {
    let count = min(count, day.day.distance(to: last))
    guard count > 0 else { return }
    guard shares.isEmpty, !isKept else {
      var next = day
      for distance in 1...count {
        next.day = day.day.advanced(by: distance)
        receive(next)
      }
      return
    }
    dayCount += count
    if day.mark != .skipped, day.mark != .paused { formula.step(&steps, sum: sum, count) }
  }

  /// Switches to the version that starts on a day.
  private mutating func begin(_ day: JudgedDay) {
    _ = versions.move(to: Int(day.day.number))
    formula = Formula(versions.version, isCounter: isCounter)
    formulaChange = versions.nextChange ?? .max
    if dayCount == 0, isCounter, day.target.bound == .atMost { steps = EqualSteps(from: 1) }
  }

  /// Adds a day's share to the sum of its window; a new version may have another window.
  private mutating func remember(_ share: Int64, _ window: Int, _ isNew: Bool) {
    let gone = dayCount - window
    // The day that leaves the longest window occupied the new day's slot.
    if !isNew { sum += share - (gone >= 0 ? shares[gone % shares.count] : 0) }
    shares[dayCount % shares.count] = share
    guard isNew else { return }
    sum = (max(0, gone + 1)...dayCount).reduce(0) { $0 + shares[$1 % shares.count] }
  }
}

/// One step of the score under one version.
private struct Formula {
  /// The number of days in the rolling sum.
  let window: Int
  /// The sum to reach (at most: not to exceed).
  private let goal: Int64
  private let isAtMost: Bool
  private let keep: Double

  init(_ version: HabitHistory.Version, isCounter: Bool) {
    let frequency = LoopFrequency(version.schedule)
    isAtMost = isCounter && version.target.bound == .atMost
    let factor = Self.factor(frequency, isCounter)
    window = frequency.days * factor
    goal =
      isCounter
      ? version.target.amount.thousandths * Int64(frequency.times)
      : Int64(frequency.times * factor)
    keep = frequency.perDay == 1 ? Self.dailyKeep : Self.keep(perDay: frequency.perDay)
  }

  /// The number of days in the rolling sum of a version.
  static func window(of version: HabitHistory.Version, isCounter: Bool) -> Int {
    let frequency = LoopFrequency(version.schedule)
    return frequency.days * factor(frequency, isCounter)
  }

  /// Doubling the window smooths out a weekly habit that is done on varying weekdays.
  private static func factor(_ frequency: LoopFrequency, _ isCounter: Bool) -> Int {
    !isCounter && frequency.days > 1 ? 2 : 1
  }

  /// Applies `count` steps with the same sum.
  @inline(__always)
  func step(_ steps: inout EqualSteps, sum: Int64, _ count: Int = 1) {
    steps.append(count, keep: keep, gain: fraction(of: sum) * (1 - keep))
  }

  private func fraction(of sum: Int64) -> Double {
    if isAtMost {
      if goal == 0 { return sum > 0 ? 0 : 1 }
      return min(max(1 - Double(sum - goal) / Double(goal), 0), 1)
    }
    // Nearly every sum is 0 or has reached the goal, and needs no division.
    if sum >= goal { return 1 }
    return sum == 0 ? 0 : Double(sum) / Double(goal)
  }

  /// The fraction of the score that a day keeps, by how often the habit is due.
  private static func keep(perDay: Double) -> Double { halving(root(of: perDay) / 13) }

  /// The value for daily habits, which nearly all are.
  private static let dailyKeep = keep(perDay: 1)

  // Roots and powers by plain arithmetic give the same bits on every platform, which the C library's `pow`
  // does not promise. They also keep the domain free of the C library.

  /// The square root of 0.001…1, by Newton's method from above: 12 steps settle it.
  private static func root(of x: Double) -> Double {
    var root = (1 + x) / 2
    for _ in 0..<12 { root = (root + x / root) / 2 }
    return root
  }

  /// 0.5 to the power of 0…1/13, by its series: 12 terms reach beyond a double's precision there.
  private static func halving(_ exponent: Double) -> Double {
    let x = -exponent * 0.693147180559945309417232121458
    var sum = 1.0
    for term in stride(from: 12.0, to: 0, by: -1) { sum = 1 + sum * x / term }
    return sum
  }
}

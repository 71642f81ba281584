/// How strong a habit has become by a day (reference, "Strength score").
public struct Strength: Hashable, Sendable {
  /// The day.
  public var day: Day
  /// The score after the day: 0 (no habit) … 1.
  public var score: Double
}

extension HabitHistory {
  /// The strength after each judged day through today, by Loop Habit Tracker's formula.
  ///
  /// Each day moves the score towards the share of the frequency's window that was done: the slower,
  /// the rarer the habit is due. Skipped and paused days leave it as it is. A checkbox counts done days,
  /// over twice the window unless daily; a counter sums values over the window and compares them with
  /// as many targets as days asked for. Frequency and target are those in force on the day. O(days).
  public var strengths: [Strength] {
    DayMarker.walk(self, into: StrengthSink(self, keeping: true)).points
  }

  /// The strength after today, 0…1; 0 before the first judged day.
  public var strength: Double {
    DayMarker.walk(self, into: StrengthSink(self, keeping: false)).score
  }
}

/// Folds judged days into the score.
private struct StrengthSink: DaySink {
  private(set) var points: [Strength] = []
  private(set) var score = 0.0
  private let isKept: Bool
  private let today: Day
  private let isCounter: Bool
  private var versions: VersionCursor
  private var formula: Formula?
  /// What each day so far adds to a window: its value in thousandths, or 1 for a done checkbox.
  private var shares: [Int64] = []
  private var sum: Int64 = 0

  init(_ history: HabitHistory, keeping isKept: Bool) {
    self.isKept = isKept
    today = history.today
    isCounter = history.type == .counter
    versions = VersionCursor(history)
  }

  mutating func take(_ day: JudgedDay) {
    guard day.day <= today else { return }
    let isDone = day.mark == .full || day.mark == .bonus
    shares.append(isCounter ? day.value?.thousandths ?? 0 : isDone ? 1 : 0)
    let changed = versions.move(to: Int(day.day.number))
    let formula = changed ? nil : self.formula
    let current = formula ?? Formula(versions.version, isCounter: isCounter)
    if formula == nil {
      if shares.count == 1, isCounter, day.target.bound == .atMost { score = 1 }
      sum = shares.suffix(current.window).reduce(0, +)
    } else {
      sum += shares[shares.count - 1]
      if shares.count > current.window { sum -= shares[shares.count - 1 - current.window] }
    }
    self.formula = current
    if day.mark != .skipped, day.mark != .paused { score = current.step(score, sum: sum) }
    if isKept { points.append(Strength(day: day.day, score: score)) }
  }
}

/// One step of the score under one version.
private struct Formula {
  /// How many days the rolling sum spans.
  let window: Int
  /// What the sum should reach (at most: not pass).
  private let goal: Int64
  private let isAtMost: Bool
  private let keep: Double

  init(_ version: HabitHistory.Version, isCounter: Bool) {
    let frequency = Frequency(version.schedule)
    isAtMost = isCounter && version.target.bound == .atMost
    if isCounter {
      window = frequency.days
      goal = version.target.amount.thousandths * Int64(frequency.times)
    } else {
      // Twice the window smooths out a weekly habit done on another weekday.
      let factor = frequency.days > 1 ? 2 : 1
      window = frequency.days * factor
      goal = Int64(frequency.times * factor)
    }
    keep = Self.halving(Self.root(of: frequency.perDay) / 13)
  }

  func step(_ score: Double, sum: Int64) -> Double {
    score * keep + fraction(of: sum) * (1 - keep)
  }

  private func fraction(of sum: Int64) -> Double {
    if isAtMost {
      if goal == 0 { return sum > 0 ? 0 : 1 }
      return min(max(1 - Double(sum - goal) / Double(goal), 0), 1)
    }
    return goal == 0 ? 1 : min(1, Double(sum) / Double(goal))
  }

  // Roots and powers by plain arithmetic give the same bits on every platform, which the C library's
  // `pow` does not promise, and leave the domain without a C library.

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

public import Values
import Calendar
public import Streaks
public import Avro

/// A summary of one habit's streaks: what `daybook streaks` shows.
public struct StreakReport: Sendable {
  /// The habit.
  public let habit: Habit
  /// The current and longest streak, and the number of done days.
  public let summary: StreakSummary
  /// The strength of the habit, 0…1.
  public fileprivate(set) var strength: Double
  /// The key of the habit's owner.
  public let account: Key?

  /// The report as JSON, in the form of `daybook streaks --json`.
  public var json: JSON { JSON(written: write) }

  func write(to json: inout JSONWriter) {
    json.object { row in
      row.member("habit", habit.key)
      row.member("account", account)
      row.member("name", habit.description.name)
      row.member("current", summary.current?.length ?? 0)
      row.member("longest", summary.longest?.length ?? 0)
      row.member("current_start", summary.current?.start)
      row.member("longest_start", summary.longest?.start)
      row.member("longest_end", summary.longest?.end)
      row.member("full_days", summary.completion.full)
      row.member("completion", share: summary.completion.share)
      row.member("strength", share: strength)
      row.member("archived", habit.isArchived)
    }
  }
}

/// The streaks of many habits, judged on demand.
package struct StreakList: Listing {
  private let asked: RequestedHabits

  /// The streaks of an account's habits, or of all.
  ///
  /// - Throws: ``Rejection``.
  package init(of account: Account.ID? = nil, in state: BookState, _ query: Query) throws(Rejection)
  {
    asked = try RequestedHabits(of: account, in: state, query)
  }

  /// The number of habits.
  package var stepCount: Int { asked.count }

  /// Writes one row for each habit.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    forEachPage(steps) { page in
      for index in page.indices { page[index].write(to: &rows) }
    }
  }

  /// The reports of all habits.
  package var reports: [StreakReport] {
    var reports: [StreakReport] = []
    forEachPage(0..<asked.count) { reports += $0 }
    return reports
  }

  /// Passes the reports of some habits to `body`, in pages large enough to compute their strengths together.
  private func forEachPage(_ steps: Range<Int>, _ body: ([StreakReport]) -> Void) {
    for start in stride(from: steps.lowerBound, to: steps.upperBound, by: 128) {
      body(reports(start..<min(start + 128, steps.upperBound)))
    }
  }

  private func reports(_ steps: Range<Int>) -> [StreakReport] {
    let (rule, on) = (asked.query.rule, asked.query.on)
    var reports: [StreakReport] = []
    var strengths: [EqualSteps] = []
    reports.reserveCapacity(steps.count)
    strengths.reserveCapacity(steps.count)
    asked.forEach(steps) { _, habit, history, day in
      let (history, last) = rule.seen(history, on: on)
      let sink = StreakStrengthSink(history, rule, through: last, asked: day)
      let brief = rule.walk(history, into: sink)
      strengths.append(brief.strengthSteps ?? history.strengthSteps(after: day))
      reports.append(
        StreakReport(
          habit: habit, summary: brief.summary, strength: 0,
          account: asked.state.accounts.key(of: habit.owner)))
    }
    for (index, strength) in EqualSteps.ends(of: strengths).enumerated() {
      reports[index].strength = strength
    }
    return reports
  }
}

extension BookState {
  /// The streaks of an account's habits, or of all.
  ///
  /// - Throws: ``Rejection``.
  public func streaks(
    of account: Account.ID? = nil, _ query: Query
  ) throws(Rejection) -> [StreakReport] {
    try StreakList(of: account, in: self, query).reports
  }
}

/// Computes a habit's streaks and strength, in one pass if the rule allows it.
struct StreakStrengthSink: DaySink {
  private let last: Day
  private var short = SummarySink()
  private var strong: StrengthSink?

  /// Begins before the first day.
  ///
  /// - Parameters:
  ///   - history: The history of the habit.
  ///   - rule: The rule that judges its days.
  ///   - last: The last day to include.
  ///   - day: The requested day.
  init(_ history: HabitHistory, _ rule: StreakRule, through last: Day, asked day: Day) {
    self.last = last
    // The strength is computed from the days as Daybook's own rule judges them.
    strong = rule.marksAsDaybook ? StrengthSink(history, through: day) : nil
  }

  var needsValues: Bool { strong?.needsValues ?? false }

  @inline(__always)
  mutating func receive(_ day: JudgedDay) {
    guard day.day <= last else { return }
    short.receive(day)
    strong?.receive(day)
  }

  mutating func receive(_ day: JudgedDay, through end: Int) {
    let end = min(end, Int(last.number))
    guard end >= Int(day.day.number) else { return }
    receive(day)
    let count = end - Int(day.day.number)
    short.repeatLast(day, count)
    strong?.repeatLast(day, count)
  }

  /// The streaks and the counts.
  var summary: StreakSummary { short.summary }

  /// The strength on the requested day; nothing under another rule than Daybook's.
  var strength: Double? { strong?.score }

  /// The ``strength``, with the last steps of its computation still pending.
  var strengthSteps: EqualSteps? { strong?.steps }
}

package import Values
package import Calendar
package import Streaks
package import Avro

/// A habit in figures: completion, streaks and totals by period (DG-5, HH-14).
package struct StatisticsReport: Sendable {
  package let habit: Habit
  /// The current and longest streak, and the number of done days.
  package let summary: StreakSummary
  /// The strength of the habit, 0…1.
  package let strength: Double
  /// The period of the totals.
  package let period: Period
  /// The totals, oldest first, without gaps.
  package let totals: [Totals]
  /// The key of the habit's owner.
  package let account: Key?

  /// Counts a habit's days by period.
  ///
  /// - Parameters:
  ///   - view: The habit, judged.
  ///   - period: The period to count by.
  ///   - count: The number of periods up to the requested day; all if not given.
  ///   - account: The key of the habit's owner.
  package init(_ view: HabitView, by period: Period, count: Int? = nil, account: Key? = nil) {
    let last = view.judgement.days.last?.day ?? .first
    self.init(
      view.habit, view.history, view.rule, through: last, asked: view.day, by: period, count: count,
      account: account)
  }

  init(
    _ habit: Habit, _ history: HabitHistory, _ rule: StreakRule, through last: Day,
    asked day: Day, by period: Period, count: Int?, account: Key?
  ) {
    let seen = rule.walk(
      history, into: StatisticsSink(history, rule, through: last, asked: day, by: period))
    self.habit = habit
    self.account = account
    summary = seen.brief.summary
    strength = seen.brief.strength ?? history.strength(after: day)
    self.period = period
    let totals = seen.tally.totals
    self.totals = count.map { Array(totals.suffix(max(0, $0))) } ?? totals
  }

  /// The marks of the bars' axis: for days done, or for the counted amount of a counter (DG-5).
  package var axis: [Amount] {
    let greatest =
      habit.type == .counter
      ? totals.map(\.sumThousandths).max() ?? 0
      : Int64(totals.map(\.completion.full).max() ?? 0) * 1000
    return Axis.marks(
      upTo: Amount(thousandths: greatest) ?? .zero, isWhole: habit.type == .checkbox)
  }

  /// The report as JSON.
  package var json: JSON { JSON(written: write) }

  func write(to json: inout JSONWriter) {
    json.object { row in
      row.member("habit", habit.key)
      row.member("account", account)
      row.member("name", habit.description.name)
      row.member("completion", share: summary.completion.share)
      row.member("strength", share: strength)
      row.member("current", summary.current?.length ?? 0)
      row.member("longest", summary.longest?.length ?? 0)
      row.member("unit", habit.description.unit)
      row.member("period", period.rawValue)
      row.member("axis", axis) { $0.digits($1.appendText) }
      row.member("totals", totals) { json, bucket in
        json.object { row in
          row.member("start", bucket.start)
          row.member("full_days", bucket.completion.full)
          row.member("due_days", bucket.completion.due)
          row.member("completion", share: bucket.completion.share)
          if let sum = Amount(thousandths: bucket.sumThousandths) {
            row.member("sum", sum)
          } else {
            row.member("sum", bucket.sumThousandths / 1000)
          }
        }
      }
    }
  }
}

/// The figures of many habits, judged on demand.
package struct StatisticsList: Listing {
  private let asked: RequestedHabits
  private let period: Period
  private let count: Int

  /// The figures of one habit, of an account's habits, or of all.
  ///
  /// - Parameters:
  ///   - habit: The habit, if only one is requested.
  ///   - account: The owner of the habits, if no habit is given.
  ///   - state: The state of the book.
  ///   - query: The instant of the view.
  ///   - period: The period to count by.
  ///   - count: The number of periods up to the requested day.
  /// - Throws: ``Rejection``.
  package init(
    of habit: Habit.ID?, _ account: Account.ID?, in state: BookState, _ query: Query,
    by period: Period, count: Int
  ) throws(Rejection) {
    if let habit {
      asked = try RequestedHabits(
        at: state.habits.place(of: habit).map { [$0] } ?? [], in: state, query)
    } else {
      asked = try RequestedHabits(of: account, in: state, query)
    }
    self.period = period
    self.count = count
  }

  /// The number of habits.
  package var stepCount: Int { asked.count }

  /// The number of habits a page: fewer for more periods, because each habit has a row of totals for each period.
  package var pageStepCount: Int { max(1, min(128, 4096 / max(1, count))) }

  /// The owners of the habits, in their order.
  package var owners: [Account.ID] { asked.owners }

  /// Writes one row for each habit.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    forEach(steps) { $0.write(to: &rows) }
  }

  /// Passes the reports to `body`, one after another.
  package func forEach(_ body: (StatisticsReport) -> Void) { forEach(0..<asked.count, body) }

  private func forEach(_ steps: Range<Int>, _ body: (StatisticsReport) -> Void) {
    let (rule, on) = (asked.query.rule, asked.query.on)
    asked.forEach(steps) { _, habit, history, day in
      let (history, last) = rule.seen(history, on: on)
      body(
        StatisticsReport(
          habit, history, rule, through: last, asked: day, by: period, count: count,
          account: asked.state.accounts.key(of: habit.owner)))
    }
  }
}

/// Counts a habit's days by period in the pass that also computes its streaks and its strength.
private struct StatisticsSink: DaySink {
  private let last: Day
  private(set) var brief: StreakStrengthSink
  private(set) var tally: TotalsTally

  init(
    _ history: HabitHistory, _ rule: StreakRule, through last: Day, asked day: Day,
    by period: Period
  ) {
    self.last = last
    brief = StreakStrengthSink(history, rule, through: last, asked: day)
    tally = TotalsTally(by: period, entered: history.entered)
  }

  @inline(__always)
  mutating func receive(_ day: JudgedDay) {
    guard day.day <= last else { return }
    brief.receive(day)
    tally.receive(day)
  }

  mutating func receive(_ day: JudgedDay, through end: Int) {
    let end = min(end, Int(last.number))
    guard end >= Int(day.day.number) else { return }
    brief.receive(day, through: end)
    tally.receive(day, through: end)
  }
}

extension HeatCell {
  /// The cell as JSON.
  package var json: JSON {
    [
      "day": .day(day), "value": value.map { .number($0) } ?? .null, "target": .number(target),
      "level": .number(level),
    ]
  }
}

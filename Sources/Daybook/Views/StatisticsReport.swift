public import Avro

/// A habit in figures: completion, streaks and totals by period (DG-5, HH-14).
public struct StatisticsReport: Sendable {
  /// The habit as it was seen.
  public let view: HabitView
  /// What the totals are counted by.
  public let period: Period
  /// The totals, oldest first, without gaps.
  public let totals: [Totals]

  /// Counts a habit's days by period.
  ///
  /// - Parameters:
  ///   - view: The habit, judged.
  ///   - period: What to count by.
  ///   - count: How many periods up to the day that is asked about; all of them without it.
  public init(_ view: HabitView, by period: Period, count: Int? = nil) {
    self.view = view
    self.period = period
    let totals = view.judgement.totals(by: period)
    self.totals = count.map { Array(totals.suffix(max(0, $0))) } ?? totals
  }

  /// The marks of the bars' axis: of days done, or for a counter of what was counted (DG-5).
  public var axis: [Amount] {
    let greatest =
      view.habit.type == .counter
      ? totals.map(\.sumThousandths).max() ?? 0
      : Int64(totals.map(\.completion.full).max() ?? 0) * 1000
    return Axis.marks(
      upTo: Amount(thousandths: greatest) ?? .zero, isWhole: view.habit.type == .checkbox)
  }

  /// The report as JSON.
  public var json: JSON {
    let judgement = view.judgement
    return [
      "habit": .key(view.habit.key), "name": .string(view.habit.description.name),
      "completion": .share(judgement.completion), "strength": .share(view.strength),
      "current": .number(judgement.current?.length ?? 0),
      "longest": .number(judgement.longest?.length ?? 0),
      "unit": .string(view.habit.description.unit), "period": .string(period.rawValue),
      "axis": .array(axis.map { .number($0) }),
      "totals": .array(
        totals.map { bucket in
          [
            "start": .day(bucket.start), "full_days": .number(bucket.completion.full),
            "due_days": .number(bucket.completion.due),
            "completion": .share(bucket.completion.share),
            "sum": Amount(thousandths: bucket.sumThousandths).map { .number($0) }
              ?? .number(bucket.sumThousandths / 1000),
          ]
        }),
    ]
  }
}

extension HeatCell {
  /// The cell as JSON.
  public var json: JSON {
    [
      "day": .day(day), "value": value.map { .number($0) } ?? .null, "target": .number(target),
      "level": .number(level),
    ]
  }
}

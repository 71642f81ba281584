public import Calendar

/// One day in a habit's heat map of a year (HH-14, DG-7).
public struct HeatCell: Hashable, Sendable {
  /// The day.
  public var day: Day
  /// The entered amount; `nil` when nothing was logged, or the day was skipped.
  public var value: Amount?
  /// The target amount in force.
  public var target: Amount
  /// The intensity of the cell: 0 for nothing, 1…3 by thirds of the target, 4 for a target met.
  public var level: Int

  /// A cell without data.
  package static func blank(_ day: Day) -> HeatCell {
    HeatCell(day: day, value: nil, target: .zero, level: 0)
  }
}

extension HabitHistory {
  /// One cell for each day of a calendar year; without a year, for the 365 or 366 days up to today.
  ///
  /// Empty for a year outside 1…9999. O(cells + records).
  public func heatmap(year: Int? = nil) -> [HeatCell] {
    Self.heatmapDays(year: year, today: today).map { heatmap(of: $0) } ?? []
  }

  /// One cell for each day of a range. O(cells + records).
  package func heatmap(of days: ClosedRange<Day>) -> [HeatCell] {
    var versions = VersionCursor(self)
    var nextRecord = 0
    return (days.lowerBound.number...days.upperBound.number).map { number in
      _ = versions.move(to: Int(number))
      while nextRecord < records.count, records[nextRecord].day.number < number { nextRecord += 1 }
      var value: Amount?
      if nextRecord < records.count, records[nextRecord].day.number == number {
        value = records[nextRecord].value
      }
      let target = versions.version.target
      return HeatCell(
        day: Day(unchecked: number),
        value: value.map { entered[Day(unchecked: number)] ?? $0 }, target: target.amount,
        level: value.map(target.heat) ?? 0)
    }
  }

  /// The days of a calendar year, or of the last twelve months; `nil` for a year outside 1…9999.
  package static func heatmapDays(year: Int?, today: Day) -> ClosedRange<Day>? {
    if let year {
      guard let first = Day(year: year, month: 1, day: 1),
        let last = Day(year: year, month: 12, day: 31)
      else { return nil }
      return first...last
    }
    let (year, month, day) = today.parts
    guard year > 1 else { return Day.first...today }
    // Starts on the day after today's date a year ago; on 29 February, on the day after 28 February.
    let yearAgo = Day(
      year: year - 1, month: month, day: min(day, Day.dayCount(year: year - 1, month: month)))
    return yearAgo.map { $0.advanced(by: 1)...today }
  }
}

extension Target {
  /// The level of a logged value: 4 when it meets the target, 0 when it is zero, else 1 + the whole thirds
  /// reached. For an at-most target it is the thirds that the target makes of the value.
  func heat(_ value: Amount) -> Int {
    if isMet(by: value) { return 4 }
    let (part, whole) =
      bound == .atLeast
      ? (value.thousandths, amount.thousandths) : (amount.thousandths, value.thousandths)
    guard value > .zero, whole > 0 else { return 0 }
    return min(1 + Int(part * 3 / whole), 3)
  }
}

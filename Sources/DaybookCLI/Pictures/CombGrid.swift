import Daybook
import Pictures

/// The layout of a comb's cells: a column for each week and a row for each weekday; several years are placed
/// one below the other.
struct CombGrid {
  private static let left = 44.0
  private static let bandHeight = CombLayout.stepY * 7 + 30

  /// The days, consecutive.
  private let days: [Day]
  /// The vertical centre of the first row.
  private let top: Double
  /// Whether each calendar year has a band of its own.
  let hasYears: Bool

  /// Lays out consecutive days.
  init(_ days: [Day], top: Double) {
    self.days = days
    self.top = top
    hasYears = days.count > 366
  }

  /// The width of the grid, and the position of its lower edge.
  var size: (width: Double, height: Double) {
    let weeks = (days.indices.map { week($0) }.max() ?? -1) + 1
    let bands = days.isEmpty ? 1 : band(of: days[days.count - 1]) + 1
    let end = layout(of: bands - 1).end(afterWeeks: weeks)
    return (end.x + 20, end.y)
  }

  /// The centre of a cell.
  func place(_ place: Int) -> (x: Double, y: Double) {
    let day = days[place]
    return layout(of: band(of: day)).cell(week: week(place), weekday: day.weekday)
  }

  /// Draws the months above the columns, the weekdays beside the rows, and the years if there are several.
  func drawHeads(_ picture: inout Picture) {
    for (place, day) in days.enumerated() where day.parts.day == 1 {
      let head = layout(of: band(of: day)).head(ofWeek: week(place))
      picture.text(day.monthName, x: head.x, y: head.y, "faint")
    }
    for band in 0...(days.last.map { self.band(of: $0) } ?? 0) {
      let layout = layout(of: band)
      if hasYears {
        picture.text(
          "\(days[0].parts.year + band)", x: 8, y: layout.head(ofWeek: 0).y, size: 9, "ink")
      }
      for row in stride(from: 0, to: 7, by: 2) {
        let name = Day.weekdayNames[row]
        picture.text(name, x: 12, y: layout.baseline(ofWeekday: row), size: 9, "faint")
      }
    }
  }

  /// Draws the legend of the given shapes, in as many lines as necessary, and ends the picture below it.
  func drawLegend(_ shapes: some Sequence<CombShape>, _ picture: inout Picture) {
    var (x, y) = (Self.left, size.height + 14)
    for shape in shapes {
      let length = 22 + 5.8 * Double(shape.meaning.count)
      if x + length > picture.width - 12 { (x, y) = (Self.left, y + 20) }
      picture.use(shape.name, x: x, y: y)
      picture.text(shape.meaning, x: x + 11, y: y + 3.5)
      x += length + 6
    }
    picture.height = y + 24
  }

  /// The places of the days of a band.
  private func layout(of band: Int) -> CombLayout {
    CombLayout(left: Self.left, top: top + Self.bandHeight * Double(band))
  }

  private func band(of day: Day) -> Int { hasYears ? day.parts.year - days[0].parts.year : 0 }

  private func week(_ place: Int) -> Int {
    let day = days[place]
    // With several years, the first column of each is the week of 1 January.
    let origin = hasYears ? Day(year: day.parts.year, month: 1, day: 1) ?? days[0] : days[0]
    return (origin.distance(to: day) + origin.weekday) / 7
  }
}

import Daybook
import DaybookStore

/// A year of a habit as a picture of hexagons: a column a week, a row a weekday, with months, weekdays and a legend
/// (HH-14).
///
/// What became of a day is told by shape, and only then by colour.
struct CombPicture {
  let heatmap: Heatmap
  let palette: Palette
  let theme: Picture.Theme

  private static let radius = 7.0
  private static let (stepX, stepY) = (radius * 1.732 + 2.2, radius * 1.5 + 2.2)
  private static let (left, top) = (44.0, 62.0)

  /// What a cell is drawn as.
  private enum Shape: Hashable, Comparable {
    case done, bonus
    case part(Int)
    case missed, skipped, paused, off, open, future

    var name: String {
      switch self {
      case .part(let level): "part\(level)"
      default: "\(self)"
      }
    }

    var meaning: String {
      switch self {
      case .done: "done"
      case .bonus: "done, though not due"
      case .part(1): "less than a third"
      case .part(2): "less than two thirds"
      case .part: "two thirds or more"
      case .missed: "missed"
      case .skipped: "skipped"
      case .paused: "paused"
      case .off: "not due"
      case .open: "open"
      case .future: "to come"
      }
    }
  }

  /// The picture.
  var picture: Picture {
    let weeks = heatmap.cells.indices.last.map { week($0) + 1 } ?? 0
    let width = max(480, Self.left + Self.stepX * (Double(weeks) + 0.5) + 20)
    var picture = Picture(YearComb.title(of: heatmap), description, theme, width: width)
    picture.rules = (1...4).map { level in
      let (light, dark) = (palette.color(level).text, palette.color(level, onDark: true).text)
      return (
        ".l\(level){stroke-linejoin:round;stroke-width:3.2;", "fill:\(light);stroke:\(light)",
        "fill:\(dark);stroke:\(dark)"
      )
    }
    picture.shapes = Self.shapes
    drawHeads(&picture)
    for place in heatmap.cells.indices {
      guard let shape = shape(place) else { continue }
      let day = heatmap.cells[place].day
      picture.use(
        shape.name, x: x(week(place), row: day.weekday),
        y: Self.top + Self.stepY * Double(day.weekday), hint: hint(place, shape))
    }
    drawLegend(&picture)
    return picture
  }

  private func week(_ place: Int) -> Int {
    let first = heatmap.cells[0].day
    return (first.distance(to: heatmap.cells[place].day) + first.weekday) / 7
  }

  /// Every other row is shifted, so that the cells interlock as in a comb.
  private func x(_ week: Int, row: Int) -> Double {
    Self.left + Self.stepX * Double(week) + (row % 2 == 0 ? 0 : Self.stepX / 2)
  }

  /// What a day is drawn as; nothing before the habit began.
  private func shape(_ place: Int) -> Shape? {
    switch heatmap.sign(at: place) {
    case .done: .done
    case .bonus: .bonus
    case .firstThird: .part(1)
    case .secondThird: .part(2)
    case .lastThird: .part(3)
    case .missed: .missed
    case .skipped: .skipped
    case .paused: .paused
    case .off: .off
    case .open: .open
    case .partial, .unshared: nil
    case nil: heatmap.cells[place].day > heatmap.today ? .future : nil
    }
  }

  // MARK: Words

  private func hint(_ place: Int, _ shape: Shape) -> String {
    let cell = heatmap.cells[place]
    let value = cell.value.map { ": \($0) of \(cell.target)" } ?? ""
    return "\(cell.day.weekdayName) \(cell.day), \(shape.meaning)\(value)"
  }

  /// What the comb comes to, for who does not see it.
  private var description: String {
    let counts = counts
    let parts = counts.map { "\($0.count) \($0.shape.meaning)" }
    return
      "A cell for each of \(heatmap.cells.count.counted("day")), a column a week, Monday at the top: "
      + (parts.isEmpty ? "nothing yet" : parts.joined(separator: ", ")) + "."
  }

  /// How many days are drawn as what.
  private var counts: [(shape: Shape, count: Int)] {
    var counts: [Shape: Int] = [:]
    for place in heatmap.cells.indices {
      if let shape = shape(place) { counts[shape, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: Parts

  private func drawHeads(_ picture: inout Picture) {
    for place in heatmap.cells.indices where heatmap.cells[place].day.parts.day == 1 {
      picture.text(
        heatmap.cells[place].day.monthName, x: x(week(place), row: 0) - Self.radius,
        y: Self.top - 13, "faint")
    }
    for (row, name) in [(0, "Mon"), (2, "Wed"), (4, "Fri"), (6, "Sun")] {
      picture.text(
        name, x: 12, y: Self.top + Self.stepY * Double(row) + 3.5, size: 9, "faint")
    }
  }

  /// What the shapes mean that there are, in as many lines as it takes.
  private func drawLegend(_ picture: inout Picture) {
    var (x, y) = (Self.left, Self.top + Self.stepY * 7 + 14)
    for (shape, _) in counts {
      let length = 22 + 5.8 * Double(shape.meaning.count)
      if x + length > picture.width - 12 { (x, y) = (Self.left, y + 20) }
      picture.use(shape.name, x: x, y: y)
      picture.text(shape.meaning, x: x + 11, y: y + 3.5)
      x += length + 6
    }
    picture.height = y + 24
  }

  /// A hexagon on its point.
  private static func hexagon(_ radius: Double) -> String {
    let corners = [(0.0, -1.0), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5)]
      .map { "\(Picture.length($0.0 * radius)) \(Picture.length($0.1 * radius))" }
    return "M\(corners.joined(separator: "L"))Z"
  }

  private static let shapes: String = {
    let full = hexagon(radius - 1.6)
    func filled(_ level: Int) -> String { "<path class=\"l\(level)\" d=\"\(full)\"/>" }
    func line(_ path: String, _ style: String, _ width: String, _ more: String = "") -> String {
      "<path class=\"\(style)\" fill=\"none\" stroke-width=\"\(width)\" stroke-linecap=\"round\""
        + " stroke-linejoin=\"round\"\(more) d=\"\(path)\"/>"
    }
    let outline = line(hexagon(radius - 0.9), "empty", "1.2")
    let parts: [(String, String)] = [
      ("done", filled(4)), ("bonus", filled(4) + line("M-2.6 0H2.6M0 -2.6V2.6", "cut", "1.6")),
      // The more of it was done, the more of its middle is filled.
      ("part1", filled(1) + line(hexagon(3.4), "cut", "2.2")),
      ("part2", filled(2) + line(hexagon(2.2), "cut", "1.8")),
      ("part3", filled(3) + line("M-0.2 0H0.2", "cut", "2.2")),
      ("missed", outline), ("skipped", outline + line("M-2.6 2.6L2.6 -2.6", "sign", "1.5")),
      ("paused", outline + line("M-1.5 -2.4V2.4M1.5 -2.4V2.4", "sign", "1.5")),
      ("off", line("M-0.1 0H0.1", "sign", "3")),
      ("open", line(hexagon(radius - 0.9), "open", "1.6", " stroke-dasharray=\"2 2.4\"")),
      ("future", line(hexagon(2.6), "empty", "0.8")),
    ]
    return parts.map { "<g id=\"\($0.0)\">\($0.1)</g>\n" }.joined()
  }()
}

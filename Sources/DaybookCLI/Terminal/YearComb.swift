import Daybook

/// A year of a habit as a comb of hexagons: a column a week, a row a weekday, Monday first (HH-14).
struct YearComb {
  let title: String
  let cells: [HeatCell]
  let palette: Palette

  /// The column of a cell: weeks since the first cell's week.
  private func column(_ cell: HeatCell) -> Int {
    guard let first = cells.first else { return 0 }
    return (first.day.distance(to: cell.day) + first.day.weekday) / 7
  }

  private var columnCount: Int { cells.last.map { column($0) + 1 } ?? 0 }

  /// The comb as lines of text: in colour where the terminal shows it, else `.` nothing, `-` `+` `*` by
  /// thirds of the target, `#` the target met.
  func lines() -> [String] {
    var rows = [[String]](
      repeating: [String](repeating: " ", count: columnCount), count: 7)
    for cell in cells {
      let plain = [".", "-", "+", "*", "#"][min(max(cell.level, 0), 4)]
      rows[cell.day.weekday][column(cell)] =
        Output.hasColor ? Style.color(palette.color(cell.level))("⬢") : plain
    }
    let names = ["Mon", "   ", "Wed", "   ", "Fri", "   ", "Sun"]
    return [monthLine()]
      + rows.enumerated().map { index, row in
        // Every other row is shifted, so that the cells interlock as in a comb.
        Style.faint(names[index]) + (index % 2 == 0 ? " " : "  ") + row.joined(separator: " ")
      }
  }

  private func monthLine() -> String {
    var line = [Character](repeating: " ", count: columnCount * 2 + 4)
    for cell in cells where cell.day.parts.day == 1 {
      let start = 4 + 2 * column(cell)
      for (offset, letter) in Self.months[cell.day.parts.month - 1].enumerated()
      where start + offset < line.count {
        line[start + offset] = letter
      }
    }
    return Style.faint(String(line))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The comb as an SVG picture of rounded hexagons, with months, weekdays and a legend.
  var svg: String {
    let radius = 7.0
    let stepX = radius * 1.732 + 2.2
    let stepY = radius * 1.5 + 2.2
    let left = 44.0
    let top = 62.0
    let width = left + stepX * (Double(columnCount) + 0.5) + 20
    let height = top + stepY * 7 + 44
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.text(width))" \
      height="\(Self.text(height))" viewBox="0 0 \(Self.text(width)) \(Self.text(height))" \
      role="img" font-family="system-ui, sans-serif" font-size="10" fill="#1C1C1E">
      <title>\(Self.escaped(title))</title>
      <rect width="100%" height="100%" rx="14" fill="#FFF6E6"/>
      <text x="20" y="28" font-size="15" font-weight="600">\(Self.escaped(title))</text>

      """
    for cell in cells where cell.day.parts.day == 1 {
      let x = left + stepX * Double(column(cell)) - radius
      let month = Self.months[cell.day.parts.month - 1]
      svg += "<text x=\"\(Self.text(x))\" y=\"\(Self.text(top - 12))\">\(month)</text>\n"
    }
    for (row, name) in [(0, "Mon"), (2, "Wed"), (4, "Fri"), (6, "Sun")] {
      let y = top + stepY * Double(row) + 3.5
      svg += "<text x=\"12\" y=\"\(Self.text(y))\" font-size=\"9\">\(name)</text>\n"
    }
    for cell in cells {
      let shift = cell.day.weekday % 2 == 0 ? 0 : stepX / 2
      let hint = cell.value.map { "\($0) of \(cell.target)" } ?? "nothing logged"
      svg += hexagon(
        x: left + stepX * Double(column(cell)) + shift,
        y: top + stepY * Double(cell.day.weekday), radius: radius, level: cell.level,
        hint: "\(cell.day): \(hint)")
    }
    let legendY = top + stepY * 7 + 12
    svg += "<text x=\"\(Self.text(left - 8))\" y=\"\(Self.text(legendY + 3.5))\">less</text>\n"
    for level in 0...4 {
      svg += hexagon(
        x: left + 28 + stepX * Double(level), y: legendY, radius: radius, level: level, hint: nil)
    }
    svg +=
      "<text x=\"\(Self.text(left + 40 + stepX * 4))\" y=\"\(Self.text(legendY + 3.5))\">done</text>\n"
    return svg + "</svg>\n"
  }

  /// A hexagon on its point; the thick round line in its own colour rounds the corners.
  private func hexagon(x: Double, y: Double, radius: Double, level: Int, hint: String?) -> String {
    let inner = radius - 1.6
    let corners = [(0.0, -1.0), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5)]
      .map { "\(Self.text(x + $0.0 * inner)),\(Self.text(y + $0.1 * inner))" }
      .joined(separator: " ")
    let color = palette.color(level).text
    let title = hint.map { "<title>\(Self.escaped($0))</title>" } ?? ""
    return "<polygon points=\"\(corners)\" fill=\"\(color)\" stroke=\"\(color)\" "
      + "stroke-width=\"3.2\" stroke-linejoin=\"round\">\(title)</polygon>\n"
  }

  /// A length with at most two digits, the same on every machine.
  private static func text(_ length: Double) -> String {
    let hundredths = Int((length * 100).rounded())
    let fraction = abs(hundredths % 100)
    let whole = "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100)"
    return fraction == 0 ? whole : whole + "." + (fraction < 10 ? "0" : "") + "\(fraction)"
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}

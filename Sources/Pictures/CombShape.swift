/// The shape in which a day of a comb is drawn.
package enum CombShape: Hashable, Comparable, Sendable {
  case done, bonus
  case part(Int)
  case missed, skipped, paused, off, leftOut, open, future

  /// The name of the shape in ``definitions``.
  package var name: String {
    switch self {
    case .part(let level): "part\(level)"
    default: "\(self)"
    }
  }

  /// The meaning, in words.
  package var meaning: String {
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
    case .leftOut: "left out of the calendar"
    case .open: "open"
    case .future: "to come"
    }
  }

  // MARK: Drawing

  /// The distance from the centre of a cell to its corners.
  package static let radius = 7.0

  /// The CSS rules for the colours of the levels.
  package static func rules(_ palette: Palette) -> [(rule: String, light: String, dark: String)] {
    (1...4).map { level in
      let (light, dark) = (palette.color(level).text, palette.color(level, onDark: true).text)
      return (
        ".l\(level){stroke-linejoin:round;stroke-width:3.2;", "fill:\(light);stroke:\(light)",
        "fill:\(dark);stroke:\(dark)"
      )
    }
  }

  /// The path of a hexagon standing on a corner.
  static func hexagon(_ radius: Double, at centre: (x: Double, y: Double) = (0, 0)) -> String {
    let corners = [(0.0, -1.0), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5)]
      .map {
        "\(SVG.length(centre.x + $0.0 * radius)) \(SVG.length(centre.y + $0.1 * radius))"
      }
    return "M\(corners.joined(separator: "L"))Z"
  }

  /// The SVG definitions of the shapes, for use by name.
  package static let definitions: String = {
    let full = hexagon(radius - 1.6)
    func filled(_ level: Int) -> String { "<path class=\"l\(level)\" d=\"\(full)\"/>" }
    func line(_ path: String, _ style: String, _ width: String, _ more: String = "") -> String {
      "<path class=\"\(style)\" fill=\"none\" stroke-width=\"\(width)\" stroke-linecap=\"round\""
        + " stroke-linejoin=\"round\"\(more) d=\"\(path)\"/>"
    }
    let outline = line(hexagon(radius - 0.9), "empty", "1.2")
    let parts: [(String, String)] = [
      ("done", filled(4)), ("bonus", filled(4) + line("M-2.6 0H2.6M0 -2.6V2.6", "cut", "1.6")),
      // The more was done, the more of the centre is filled.
      ("part1", filled(1) + line(hexagon(3.4), "cut", "2.2")),
      ("part2", filled(2) + line(hexagon(2.2), "cut", "1.8")),
      ("part3", filled(3) + line("M-0.2 0H0.2", "cut", "2.2")),
      ("missed", outline), ("skipped", outline + line("M-2.6 2.6L2.6 -2.6", "sign", "1.5")),
      ("paused", outline + line("M-1.5 -2.4V2.4M1.5 -2.4V2.4", "sign", "1.5")),
      ("off", line("M-0.1 0H0.1", "sign", "3")),
      ("leftOut", line("M-2.6 -2.6L2.6 2.6M-2.6 2.6L2.6 -2.6", "sign", "1.2")),
      ("open", line(hexagon(radius - 0.9), "open", "1.6", " stroke-dasharray=\"2 2.4\"")),
      ("future", line(hexagon(2.6), "empty", "0.8")),
    ]
    return parts.map { "<g id=\"\($0.0)\">\($0.1)</g>\n" }.joined()
  }()
}

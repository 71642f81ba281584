import Avro
import Calendar
import Pictures

extension CombShape {
  /// The shape of a day.
  ///
  /// - Parameters:
  ///   - mark: The day's mark.
  ///   - level: How much of the target was reached, 0…4.
  init?(mark: String?, level: Int = 2) {
    switch mark {
    case "full": self = .done
    case "bonus": self = .bonus
    case "partial": self = .part(min(max(level, 1), 3))
    case "missed": self = .missed
    case "skipped": self = .skipped
    case "paused": self = .paused
    case "off": self = .off
    case "left_out": self = .leftOut
    case "pending": self = .open
    default: return nil
    }
  }
}

/// The last days of a habit in a row of hexagons.
struct RowComb {
  private let marks: [String]
  private let last: Day?
  private let visit: Visit

  init(_ marks: [String], ending last: Day?, _ visit: Visit) {
    self.marks = marks
    self.last = last
    self.visit = visit
  }

  /// The picture, with a text for whoever does not see it.
  var svg: String {
    let step = 15.0
    var body = ""
    for (place, mark) in marks.enumerated() {
      guard let shape = CombShape(mark: mark) else { continue }
      body += "<use href=\"#\(shape.name)\" x=\"\(SVG.length(8 + step * Double(place)))\" y=\"9\"/>"
    }
    let done = marks.count { $0 == "full" || $0 == "bonus" }
    let said = visit.say(
      "comb.recent", ["done": String(done), "count": String(marks.count)])
    let width = SVG.length(step * Double(marks.count) + 2)
    return
      "<svg class=\"comb\" viewBox=\"0 0 \(width) 18\" width=\"\(width)\" height=\"18\" role=\"img\""
      + " aria-label=\"\(SVG.escaped(said))\">\(body)</svg>"
  }
}

/// A year of a habit: a column a week, Monday at the top.
struct YearGrid {
  private let days: [JSON]
  private let visit: Visit
  private let name: String
  /// The marks that days would have after what is supposed.
  private let supposed: [Day: String]

  init(
    _ heatmap: JSON, of name: String, supposing supposed: [Day: String] = [:], _ visit: Visit
  ) {
    days = heatmap["days"]?.elements ?? []
    self.supposed = supposed
    self.visit = visit
    self.name = name
  }

  private static let (stepX, stepY, left, top) = (14.3, 12.7, 26.0, 26.0)

  /// The picture, with a hint on each day and a text for whoever does not see it.
  var svg: String {
    guard let first = days.first?["day"]?.text.flatMap({ Day($0) }) else { return "" }
    var (body, heads, weeks, counts) = ("", "", 0, [String: Int]())
    for entry in days {
      guard let day = entry["day"]?.text.flatMap({ Day($0) }) else { continue }
      let week = (first.distance(to: day) + first.weekday) / 7
      weeks = max(weeks, week)
      let shift = day.weekday % 2 == 0 ? 0 : Self.stepX / 2
      let x = Self.left + Self.stepX * Double(week) + shift
      if day.parts.day == 1 {
        heads +=
          "<text x=\"\(SVG.length(x - 6))\" y=\"11\">\(SVG.escaped(visit.language.monthName(day)))</text>"
      }
      let mark = supposed[day] ?? entry["mark"]?.text
      guard let shape = CombShape(mark: mark, level: entry["level"]?.integer ?? 0) else { continue }
      counts[mark ?? "", default: 0] += 1
      let isSupposed = supposed[day] != nil
      let hint =
        visit.language.shown(day) + ", " + visit.say("mark.\(mark ?? "")")
        + (isSupposed ? ", " + visit.say("whatif.supposed") : "")
      let y = SVG.length(Self.top + Self.stepY * Double(day.weekday))
      if isSupposed { body += "<use href=\"#supposed\" x=\"\(SVG.length(x))\" y=\"\(y)\"/>" }
      body +=
        "<use href=\"#\(shape.name)\"\(isSupposed ? " class=\"supposed\"" : "")"
        + " data-day=\"\(day)\" x=\"\(SVG.length(x))\" y=\"\(y)\">"
        + "<title>\(SVG.escaped(hint))</title></use>"
    }
    for (row, weekday) in visit.language.weekdays.enumerated() where row % 2 == 0 {
      heads +=
        "<text x=\"0\" y=\"\(SVG.length(Self.top + Self.stepY * Double(row) + 4))\">\(SVG.escaped(weekday))</text>"
    }
    let said = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \(visit.say("mark.\($0.key)"))" }.joined(separator: ", ")
    let (width, height) = (
      Self.left + Self.stepX * (Double(weeks) + 1.5), Self.top + Self.stepY * 7
    )
    return
      "<svg class=\"year\" viewBox=\"0 0 \(SVG.length(width)) \(SVG.length(height))\" role=\"img\""
      + " aria-label=\"\(SVG.escaped("\(name): \(said)"))\">\(heads)\(body)</svg>"
  }
}

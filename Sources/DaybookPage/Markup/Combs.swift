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
      body += SVG.use(shape.name, at: (8 + step * Double(place), 9))
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

  private static let layout = CombLayout(left: 26, top: 26)

  /// The picture, with a hint on each day and a text for whoever does not see it.
  var svg: String {
    guard let first = days.first?["day"]?.text.flatMap({ Day($0) }) else { return "" }
    var (body, heads, weeks, counts) = ("", "", 0, [String: Int]())
    for entry in days {
      guard let day = entry["day"]?.text.flatMap({ Day($0) }) else { continue }
      let week = (first.distance(to: day) + first.weekday) / 7
      weeks = max(weeks, week)
      let place = Self.layout.cell(week: week, weekday: day.weekday)
      if day.parts.day == 1 {
        heads += head(visit.language.monthName(day), at: Self.layout.head(ofWeek: week))
      }
      let mark = supposed[day] ?? entry["mark"]?.text
      guard let shape = CombShape(mark: mark, level: entry["level"]?.integer ?? 0) else { continue }
      counts[mark ?? "", default: 0] += 1
      let isSupposed = supposed[day] != nil
      let hint =
        visit.language.shown(day) + ", " + visit.say("mark.\(mark ?? "")")
        + (isSupposed ? ", " + visit.say("whatif.supposed") : "")
      if isSupposed { body += SVG.use("supposed", at: place) }
      body += SVG.use(
        shape.name, at: place, hint: hint,
        attributes: (isSupposed ? " class=\"supposed\"" : "") + " data-day=\"\(day)\"")
    }
    for (row, weekday) in visit.language.weekdays.enumerated() where row % 2 == 0 {
      heads += head(weekday, at: (0, Self.layout.baseline(ofWeekday: row)))
    }
    let said = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \(visit.say("mark.\($0.key)"))" }.joined(separator: ", ")
    let end = Self.layout.end(afterWeeks: weeks + 1)
    return
      "<svg class=\"year\" viewBox=\"0 0 \(SVG.length(end.x)) \(SVG.length(end.y))\" role=\"img\""
      + " aria-label=\"\(SVG.escaped("\(name): \(said)"))\">\(heads)\(body)</svg>"
  }

  private func head(_ text: String, at place: (x: Double, y: Double)) -> String {
    "<text x=\"\(SVG.length(place.x))\" y=\"\(SVG.length(place.y))\">\(SVG.escaped(text))</text>"
  }
}

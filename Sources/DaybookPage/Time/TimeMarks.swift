import Avro
import Calendar
import Pictures

/// Where something was recorded, above the slider: a bar where entries were recorded, higher where there were more, and a
/// diamond where days were changed after they were over.
struct TimeMarks {
  /// A few days that share a place: more places would not be told apart on a phone.
  private struct Place {
    var entryCount = 0
    var isLate = false
  }

  private static let placeCount = 96
  /// How many days changed later are named.
  private static let namedCount = 30
  private static let height = 20.0

  private let days: [(day: Day, entryCount: Int, lateCount: Int)]
  private let start: Day
  private let most: Int
  private let visit: Visit

  init(_ density: [JSON], from start: Day, through last: Day, _ visit: Visit) {
    self.start = start
    self.visit = visit
    most = max(1, start.distance(to: last))
    days = density.compactMap { row in
      row["day"]?.text.flatMap { Day($0) }.map { day in
        (day, row["entries"]?.integer ?? 0, row["late"]?.integer ?? 0)
      }
    }
  }

  private var lateDays: [(day: Day, entryCount: Int, lateCount: Int)] {
    days.filter { $0.lateCount > 0 }
  }

  var hasLate: Bool { !lateDays.isEmpty }

  /// How many days were changed later, in words.
  var lateSaid: String { visit.language.words.count("slider.late", lateDays.count) }

  /// The last days that were changed after they were over, each with the way to see what changed.
  var late: [Fields] {
    lateDays.suffix(Self.namedCount).reversed().map { row in
      [
        "day": visit.language.shown(row.day),
        "link": visit.target(asOf: row.day.description, [("beside", "now")]),
        "count": visit.language.words.count("slider.late_entries", row.lateCount),
      ]
    }
  }

  /// The picture, with a text for whoever does not see it. Its width is that of the slider, whatever that is.
  var svg: String {
    var places: [Int: Place] = [:]
    for row in days {
      // What is about days before the account is shown at its beginning.
      let place = min(max(start.distance(to: row.day), 0), most) * (Self.placeCount - 1) / most
      places[place, default: Place()].entryCount += row.entryCount
      if row.lateCount > 0 { places[place, default: Place()].isLate = true }
    }
    let greatest = max(1, places.values.map(\.entryCount).max() ?? 1)
    var body = ""
    for (number, place) in places.sorted(by: { $0.key < $1.key }) {
      let x = SVG.length(100 * Double(number) / Double(Self.placeCount - 1)) + "%"
      if place.entryCount > 0 {
        let height = 3 + 7 * Double(place.entryCount) / Double(greatest)
        body +=
          "<rect class=\"mark\" x=\"\(x)\" y=\"\(SVG.length(Self.height - height))\" width=\"2\""
          + " height=\"\(SVG.length(height))\" transform=\"translate(-1)\"/>"
      }
      if place.isLate { body += "<use href=\"#late-mark\" x=\"\(x)\" y=\"4.5\"/>" }
    }
    let said = visit.say(
      "slider.marks",
      [
        "days": visit.language.words.count("days", days.count { $0.entryCount > 0 }),
        "late": lateSaid,
      ])
    return
      "<svg class=\"marks\" width=\"100%\" height=\"20\" role=\"img\""
      + " aria-label=\"\(SVG.escaped(said))\">\(body)</svg>"
  }
}

import Calendar
import Wire

/// The slider through time: as of when the book is shown, and the way to other moments.
struct Slider {
  private let visit: Visit

  init(_ visit: Visit) { self.visit = visit }

  /// What of an address stays at another moment.
  private static let kept: Set = [
    "on", "rule", "search", "before", "whatif",
    // Of the household's rooms.
    "household", "show", "week", "month", "servings", "cook", "step", "why",
  ]

  /// The values for the frame.
  var fields: Fields {
    let (language, now) = (visit.language, visit.now)
    let present = visit.clock.day(of: now, in: visit.zones) ?? Day(utc: now)
    let start = visit.clock.day(of: visit.since, in: visit.zones) ?? present
    let day = visit.today
    let most = max(1, start.distance(to: present))
    func step(_ days: Int) -> Any {
      let target = day.advanced(by: days)
      guard target >= start else { return Nothing() }
      return visit.target(asOf: target >= present ? nil : target.description) as Any
    }
    let moment =
      visit.asOf.map {
        visit.asOfText.flatMap { Day($0) } == nil ? visit.shown($0) : language.shown(day)
      }
    return [
      "most": String(most), "back": String(min(most, max(0, day.distance(to: present)))),
      "first": start.description, "last": present.description, "day": day.description,
      "said": moment.map { visit.say("slider.then", ["moment": $0]) } ?? visit.say("slider.now"),
      "fields": visit.request.query.items.filter {
        Self.kept.contains($0.name) && !$0.value.isEmpty
      }.map { ["name": $0.name, "value": $0.value] as Fields },
      "action": "/" + visit.request.path.map { PercentCode.encoded($0) }.joined(separator: "/"),
      "day_before": step(-1), "week_before": step(-7),
      "day_after": visit.isPast ? step(1) : Nothing(),
      "week_after": visit.isPast ? step(7) : Nothing(),
    ]
  }
}

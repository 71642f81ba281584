import Avro
import Calendar
import Wire

/// The slider through time: as of when the book is shown and about which day, where something was recorded, and the way
/// to other moments.
struct Slider {
  private let visit: Visit
  private let timeline: Timeline
  private let density: [JSON]
  private let moment: JSON

  /// Asks what the slider shows.
  ///
  /// - Throws: ``PageRefusal``.
  init(_ visit: Visit, _ timeline: Timeline) async throws {
    self.visit = visit
    self.timeline = timeline
    density = try await visit.ask("density", timeline.columns).elements ?? []
    moment = try await visit.ask(
      "moment", timeline.columns + (visit.asOf.map { [("until", $0.description)] } ?? []))
  }

  /// What of an address stays at another moment.
  private static let kept: Set = [
    "as_of", "on", "rule", "search", "before", "whatif", "beside", "award", "labels", "needed",
    "status",
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
    let on = min(visit.on ?? day, day)
    func back(_ day: Day) -> String { String(min(most, max(0, day.distance(to: present)))) }
    func step(_ days: Int) -> Any {
      let target = day.advanced(by: days)
      guard target >= start else { return Nothing() }
      return visit.target(asOf: target >= present ? nil : target.description) as Any
    }
    let marks = TimeMarks(density, from: start, through: present, visit)
    let hidden = visit.request.query.items.filter { item in
      Self.kept.contains(item.name) && !item.value.isEmpty
        && !(timeline.hasDay && item.name == "on")
    }
    return [
      "most": String(most), "back": back(day), "last": present.description,
      "said": visit.momentSaid.map { visit.say("slider.then", ["moment": $0]) }
        ?? visit.say("slider.now"),
      // At the present moment the screen matters more than the ways through time.
      "is_open": visit.isPast || on != day,
      "has_day": timeline.hasDay, "on_back": back(on),
      "on_said": on == day
        ? visit.say("slider.same_day")
        : visit.say("slider.on_day", ["day": language.shown(on)]),
      "fields": hidden.map { ["name": $0.name, "value": $0.value] as Fields },
      "action": "/" + visit.request.path.map { PercentCode.encoded($0) }.joined(separator: "/"),
      "day_before": step(-1), "week_before": step(-7),
      "day_after": visit.isPast ? step(1) : Nothing(),
      "week_after": visit.isPast ? step(7) : Nothing(),
      "entry_before": entry("before"), "entry_after": visit.isPast ? entry("after") : Nothing(),
      "changes": changes, "marks": marks.svg, "late": marks.late, "any_late": marks.hasLate,
      "late_said": marks.lateSaid, "beside_link": besideLink,
      "is_beside": visit.isBeside,
      "link_here": visit.target(asOf: visit.asOfText ?? now.description),
      "put_back_link": putBackLink,
    ]
  }

  /// The address of the moment of the entry before or after.
  private func entry(_ name: String) -> Any {
    guard let at = moment[name]?["at"]?.text else { return Nothing() }
    return visit.target(asOf: at)
  }

  /// What was recorded last at the moment: who did what, and when it was recorded.
  private var changes: [Fields] {
    (moment["entries"]?.elements ?? []).map { EntryLine($0, visit).fields }
  }

  private var besideLink: Any {
    guard visit.isPast else { return Nothing() }
    return visit.target([("beside", visit.isBeside ? nil : "now")])
  }

  private var putBackLink: Any {
    guard visit.isPast, timeline.canPutBack, let key = timeline.about else { return Nothing() }
    return PutBack.link(to: key, visit)
  }
}

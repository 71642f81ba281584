import Avro
import Calendar

/// The days on which all habits pause: those that are over, now, and to come.
struct PauseList {
  /// How many pauses that are over are shown.
  private static let pastCount = 6

  private let pauses: [(first: Day, last: Day?)]
  private let visit: Visit

  /// The pauses in the answer to `profile`.
  init(_ profile: JSON, _ visit: Visit) {
    self.visit = visit
    pauses = (profile["pauses"]?.elements ?? []).compactMap { pause in
      guard let first = pause["from"]?.text.flatMap({ Day($0) }) else { return nil }
      return (first, pause["to"]?.text.flatMap { Day($0) })
    }
  }

  /// The pause of the moment that is shown, in words; nothing when there is none.
  var now: Any {
    let today = visit.on ?? visit.today
    let current = pauses.filter { $0.first <= today && today <= $0.last ?? .last }
    guard !current.isEmpty else { return Nothing() }
    // If several overlap, the last to end counts.
    guard let last = current.compactMap(\.last).max(), current.allSatisfy({ $0.last != nil })
    else { return visit.say("pause.now_open") }
    return visit.say("pause.now", ["day": visit.language.shown(last)])
  }

  var fields: Fields {
    let today = visit.today
    let over = pauses.filter { $0.last.map { $0 < today } ?? false }
    let rest = pauses.filter { $0.last.map { $0 >= today } ?? true }
    let shown = Array(over.suffix(Self.pastCount)) + rest
    return [
      "pauses": shown.reversed().map { pause -> Fields in
        let isOver = pause.last.map { $0 < today } ?? false
        return [
          "said": said(pause), "over": isOver, "running": !isOver && pause.first <= today,
          "ahead": pause.first > today, "first_day": pause.first.description,
        ]
      },
      "any_pauses": !pauses.isEmpty, "paused_now": now, "today": today.description,
      "pause_from": visit.typed("from") ?? today.description, "pause_to": visit.typed("to") ?? "",
    ]
  }

  private func said(_ pause: (first: Day, last: Day?)) -> String {
    let first = visit.language.shown(pause.first)
    guard let last = pause.last else { return visit.say("pause.open", ["first": first]) }
    guard last > pause.first else { return visit.say("pause.one", ["first": first]) }
    return visit.say("pause.span", ["first": first, "last": visit.language.shown(last)])
  }
}

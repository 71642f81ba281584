import Avro
import Calendar
import Pictures

/// How it goes over all: completion, weekdays and months, what is at risk, and what was earned (HH-14, DG-5, DG-6).
struct InsightsScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let answer = try await visit.ask("insights")
    let streaks = try await visit.ask("streaks").elements ?? []
    let awards = try await visit.ask("awards").elements ?? []
    let words = visit.language.words
    let weekdays = zip(visit.language.weekdays, answer["weekdays"]?.elements ?? []).map {
      Bar($0, $1, visit)
    }
    let months = (answer["months"]?.elements ?? []).suffix(12).map { month in
      Bar(month["start"]?.text.flatMap { Day($0) }.map(visit.language.month) ?? "", month, visit)
    }
    return Content(
      "insights", visit.say("place.insights"),
      [
        "completion": visit.language.percent(answer["completion"]?.number ?? 0),
        "message": visit.said(messageOf: answer),
        "weekdays": weekdays.map(\.fields), "months": Array(months.map(\.fields)),
        "risks": (answer["habits_at_risk"]?.elements ?? []).map { risk -> Fields in
          [
            "name": risk["name"]?.text ?? "",
            "link": visit.link("/habits/\(risk["habit"]?.text ?? "")"),
            "streak": words.count("days", risk["streak"]?.integer ?? 0),
          ]
        },
        "streaks": streaks.filter { $0["archived"]?.boolean != true }.map { streak -> Fields in
          [
            "name": streak["name"]?.text ?? "",
            "link": visit.link("/habits/\(streak["habit"]?.text ?? "")"),
            "current": words.count("days", streak["current"]?.integer ?? 0),
            "longest": words.count("days", streak["longest"]?.integer ?? 0),
            "completion": visit.language.percent(streak["completion"]?.number ?? 0),
          ]
        },
        "awards": awards.reversed().prefix(60).map { award -> Fields in
          let count = award["count"]?.integer ?? 0
          return [
            "said": visit.say("award.\(award["award"]?.text ?? "")", ["count": String(count)]),
            "of": award[award["hive"] == .null ? "habit_name" : "hive_name"]?.shown ?? Nothing(),
            "day": award["day"]?.text.flatMap { Day($0) }.map(visit.language.shown) ?? "",
            "then": award["at"]?.text.map { visit.target(asOf: $0) } ?? "",
            "undone": award["undone"]?.boolean == true,
          ]
        },
      ])
  }
}

/// A share as a bar, with its figures in words.
private struct Bar {
  private let label: String
  private let row: JSON
  private let visit: Visit

  init(_ label: String, _ row: JSON, _ visit: Visit) {
    self.label = label
    self.row = row
    self.visit = visit
  }

  var fields: Fields {
    let share = min(1, max(0, row["completion"]?.number ?? 0))
    return [
      "label": label, "width": SVG.length(share * 200),
      "figures": visit.say(
        "insights.figures",
        [
          "done": row["full_days"]?.integer.map(String.init) ?? "0",
          "due": row["due_days"]?.integer.map(String.init) ?? "0",
          "share": visit.language.percent(share),
        ]),
    ]
  }
}

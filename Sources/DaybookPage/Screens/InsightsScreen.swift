import Avro
import Calendar
import Pictures
import Wire

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
    let chart = try await ProgressChart(visit).fields()
    return Content(
      "insights", visit.say("place.insights"),
      [
        "chart": chart,
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
            "id": streak["habit"]?.text ?? "", "name": streak["name"]?.text ?? "",
            "link": visit.link("/habits/\(streak["habit"]?.text ?? "")"),
            "why_link": visit.link(
              "/habits/\(streak["habit"]?.text ?? "")", on: visit.on, at: "why"),
            "current": words.count("days", streak["current"]?.integer ?? 0),
            "longest": words.count("days", streak["longest"]?.integer ?? 0),
            "completion": visit.language.percent(streak["completion"]?.number ?? 0),
          ]
        },
        "awards": awards.reversed().prefix(60).map { AwardLine($0, visit).fields },
        "earned": try await AwardEvidence(of: awards, visit)?.fields ?? Nothing() as Any,
        "rule": try await RuleSwitch(visit).fields,
      ], Timeline(hasDay: true))
  }
}

/// An award in a line, with the way to the entries that earned it.
private struct AwardLine {
  private let award: JSON
  private let visit: Visit

  init(_ award: JSON, _ visit: Visit) {
    self.award = award
    self.visit = visit
  }

  /// Its name in an address: awards of one entry differ in what they are for.
  var name: String {
    [
      String(award["position"]?.integer ?? 0), award["award"]?.text ?? "",
      String(award["count"]?.integer ?? 0),
    ].joined(separator: "-")
  }

  var fields: Fields {
    [
      "said": visit.say(
        "award.\(award["award"]?.text ?? "")", ["count": String(award["count"]?.integer ?? 0)]),
      "of": award[award["hive"] == .null ? "habit_name" : "hive_name"]?.shown ?? Nothing(),
      "day": award["day"]?.text.flatMap { Day($0) }.map(visit.language.shown) ?? "",
      "then": award["at"]?.text.map { visit.target(asOf: $0) } ?? "",
      "why_link": visit.target([("award", name)]) + "#earned",
      "undone": award["undone"]?.boolean == true,
    ]
  }
}

/// The entries that earned the award of the address (DG-6).
private struct AwardEvidence {
  /// How many entries are told.
  private static let mostCount = 100

  private let line: AwardLine
  private let entries: [JSON]
  private let count: Int
  private let visit: Visit

  /// Asks for the entries; `nil` unless the address names an award that the person has.
  ///
  /// - Throws: ``PageRefusal``.
  init?(of awards: [JSON], _ visit: Visit) async throws {
    guard let name = visit.request.query["award"],
      let award = awards.first(where: { AwardLine($0, visit).name == name })
    else { return nil }
    let positions = award["evidence"]?.elements?.compactMap(\.integer) ?? []
    line = AwardLine(award, visit)
    count = positions.count
    self.visit = visit
    entries =
      try await visit.ask(
        "entries", positions.suffix(Self.mostCount).map { ("positions", String($0)) }
      ).elements ?? []
  }

  var fields: Fields {
    var fields = line.fields
    fields["entries"] = entries.map { EntryLine($0, visit).fields }
    fields["count_said"] = visit.language.words.count("award.entries", count)
    return fields
  }
}

/// How much of what was due was done, by day, week or month (DG-5).
private struct ProgressChart {
  private let visit: Visit
  private let period: String

  /// The periods, and how many of each are shown.
  private static let counts = [("day", 30), ("week", 26), ("month", 24)]

  init(_ visit: Visit) {
    self.visit = visit
    let asked = visit.request.query["by"]
    period = Self.counts.first { $0.0 == asked }?.0 ?? "week"
  }

  func fields() async throws -> Fields {
    let count = Self.counts.first { $0.0 == period }?.1 ?? 1
    let habits = try await visit.ask("stats", [("by", period), ("last", String(count))]).elements
    var sums: [Day: (done: Int, due: Int)] = [:]
    for bucket in (habits ?? []).flatMap({ $0["totals"]?.elements ?? [] }) {
      guard let start = bucket["start"]?.text.flatMap({ Day($0) }) else { continue }
      sums[start, default: (0, 0)].done += bucket["full_days"]?.integer ?? 0
      sums[start, default: (0, 0)].due += bucket["due_days"]?.integer ?? 0
    }
    let columns = sums.sorted { $0.key < $1.key }.map { start, sum -> ColumnChart.Column in
      let share = sum.due == 0 ? nil : Double(sum.done) / Double(sum.due)
      let name = name(of: start)
      let figures = visit.say(
        "insights.figures",
        [
          "done": String(sum.done), "due": String(sum.due),
          "share": share.map { visit.language.percent($0) } ?? "–",
        ])
      return .init(label: label(of: start), share: share, hint: "\(name): \(figures)")
    }
    let ticks = [0, 0.5, 1].map { visit.language.percent($0) }
    return [
      "svg": ColumnChart(columns, ticks: ticks).svg(label: visit.say("insights.by.\(period)")),
      "any": !columns.isEmpty,
      "rows": columns.suffix(12).map { ["hint": $0.hint] as Fields },
      "periods": Self.counts.map { name, _ -> Fields in
        [
          "link": visit.link("/insights?by=\(name)") + "#chart", "chosen": name == period,
          "name": visit.say("insights.period.\(name)"),
        ]
      },
    ]
  }

  private func name(of start: Day) -> String {
    period == "month" ? visit.language.month(start) : visit.language.shown(start)
  }

  private func label(of start: Day) -> String {
    period == "month"
      ? visit.language.monthName(start)
      : "\(start.parts.day) \(visit.language.monthName(start))"
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
    let share = row["completion"]?.number ?? 0
    let due = row["due_days"]?.integer ?? 0
    return [
      "label": label, "bar": ShareBar(share, width: 200, height: 12).svg,
      "figures": due == 0
        ? "–"
        : visit.say(
          "insights.figures",
          [
            "done": row["full_days"]?.integer.map(String.init) ?? "0", "due": String(due),
            "share": visit.language.percent(share),
          ]),
    ]
  }
}

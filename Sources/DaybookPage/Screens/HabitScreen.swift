import Avro
import Calendar
import Daybook
import Pictures
import Values
import Wire

/// A habit: its streaks and why they are what they are, its month and year, its history (HH-13, ES-3).
struct HabitScreen: Screen {
  let habit: String

  func content(_ visit: Visit) async throws -> Content {
    let all = try await visit.ask("habits").elements ?? []
    guard let found = all.first(where: { $0["id"]?.text == habit }) else {
      throw PageRefusal.notFound
    }
    let name = found["name"]?.text ?? ""
    let day = visit.on ?? visit.today
    let month = HabitMonth(of: day)
    let streaks = try await visit.ask("streaks").elements?.first { $0["habit"]?.text == habit }
    let audit = try await visit.ask(
      "audit", [("habit", habit), ("from", day.advanced(by: -13).description)])
    let year = try await visit.ask("heatmap", [("habit", habit)], on: nil)
    let days = try await visit.ask(
      "heatmap", [("habit", habit)], on: min(month.last, visit.today))
    let history = try await visit.ask("history", [("habit", habit), ("limit", "20")])
    let rules = try await visit.ask("rules").elements ?? []
    let whatIf = try await SupposedDay(found, visit)
    let supposed = whatIf?.marks ?? [:]
    let words = visit.language.words
    var fields: Fields = [
      "habit": found.fields, "id": habit, "name": name,
      "day": day.description, "day_said": visit.language.shown(day),
      "current": words.count("streak", streaks?["current"]?.integer ?? 0),
      "longest": words.count("days", streaks?["longest"]?.integer ?? 0),
      "completion": visit.language.percent(streaks?["completion"]?.number ?? 0),
      "strength": visit.language.percent(streaks?["strength"]?.number ?? 0),
      "year": YearGrid(year, of: name, supposing: supposed, visit).svg,
      "month": month.fields(days, supposing: supposed, habit, visit),
      "why": AuditDays(audit, visit).fields, "because": AuditDays(audit, visit).evidence(of: day),
      "history": (history.elements ?? []).map { EntryLine($0, visit).fields },
      "rules": rules.map { rule -> Fields in
        let ruleName = rule["name"]?.text ?? ""
        return [
          "name": ruleName, "about": rule["about"]?.text ?? "",
          "chosen": ruleName == visit.request.query["rule"] ?? "daybook",
        ]
      },
      "is_counter": found["type"]?.text == "counter",
      "target": found["target_per_day"]?.amount?.description ?? "1",
      "as_of_kept": visit.asOfText ?? Nothing() as Any,
    ]
    if let today = try await visit.ask("today").elements?.first(where: {
      $0["habit"]?.text == habit
    }) {
      fields["card"] = HabitCard(today, found, visit).fields
    }
    fields["whatif"] = whatIf?.fields ?? Nothing() as Any
    fields["acts"] = try await HabitActs(found, visit).fields()
    return Content(
      "habit", name, fields, Timeline(about: habit, hasDay: true, canPutBack: true))
  }
}

/// A month of a habit as a calendar: each day a cell with its mark, which leads to that day.
struct HabitMonth {
  private let first: Day
  private let chosen: Day

  init(of day: Day) {
    chosen = day
    first = day.advanced(by: 1 - day.parts.day)
  }

  var last: Day {
    let (year, month, _) = first.parts
    let next =
      month == 12
      ? Day(year: year + 1, month: 1, day: 1) : Day(year: year, month: month + 1, day: 1)
    return (next ?? first.advanced(by: 28)).advanced(by: -1)
  }

  func fields(
    _ heatmap: JSON, supposing supposed: [Day: String], _ habit: String, _ visit: Visit
  ) -> Fields {
    let entries = heatmap["days"]?.elements ?? []
    let marks = Dictionary(
      entries.compactMap { entry in entry["day"]?.text.map { ($0, entry) } }
    ) { first, _ in first }
    func link(_ day: Day) -> String {
      visit.link("/habits/\(habit)?on=\(day)") + "#day"
    }
    var cells: [Fields] = []
    for offset in -first.weekday..<(first.distance(to: last) + 1) {
      let day = first.advanced(by: offset)
      guard offset >= 0 else {
        cells.append(["blank": true])
        continue
      }
      let entry = marks[day.description]
      let mark = supposed[day] ?? entry?["mark"]?.text
      let shape = CombShape(mark: mark, level: entry?["level"]?.integer ?? 0) ?? .future
      let isAhead = day > visit.today
      cells.append([
        "blank": false, "number": String(day.parts.day), "shape": shape.name,
        "link": isAhead ? Nothing() : link(day) as Any,
        "said": visit.language.shown(day) + ", "
          + visit.say(mark.map { "mark.\($0)" } ?? "mark.none")
          + (supposed[day] == nil ? "" : ", " + visit.say("whatif.supposed")),
        "chosen": day == chosen, "supposed": supposed[day] != nil,
      ])
    }
    let before = first.advanced(by: -1)
    let after = last.advanced(by: 1)
    return [
      "name": visit.language.month(first), "cells": cells, "weekdays": visit.language.weekdays,
      "before": link(before), "after": after <= visit.today ? link(after) : Nothing() as Any,
    ]
  }
}

/// Why a streak is what it is: each day with the entries that made it so.
struct AuditDays {
  private let audit: JSON
  private let visit: Visit

  init(_ audit: JSON, _ visit: Visit) {
    self.audit = audit
    self.visit = visit
  }

  /// The entries that made a day what it is.
  func evidence(of day: Day) -> [Fields] {
    let entry = audit["days"]?.elements?.first { $0["day"]?.text == day.description }
    return (entry?["evidence"]?.elements ?? []).map { EntryLine($0, visit).fields }
  }

  var fields: Fields {
    let days = (audit["days"]?.elements ?? []).reversed().map { entry -> Fields in
      let day = entry["day"]?.text.flatMap { Day($0) }
      let mark = entry["mark"]?.text ?? ""
      return [
        "date": day?.description ?? "", "day": day.map { visit.language.shown($0) } ?? "",
        "mark": visit.say("mark.\(mark)"),
        "shape": CombShape(mark: mark)?.name ?? "future",
        "value": entry["value"]?.amount.map { visit.language.number($0.description) } ?? Nothing()
          as Any,
        "target": entry["target"]?.amount.map { visit.language.number($0.description) } ?? "",
        "streak": entry["streak"]?.integer.map(String.init) ?? "0",
        "evidence": (entry["evidence"]?.elements ?? []).map { EntryLine($0, visit).fields },
      ]
    }
    let breaks = (audit["breaks"]?.elements ?? []).reversed().map { item -> Fields in
      let day = item["day"]?.text.flatMap { Day($0) }
      return [
        "said": visit.say(
          "why.break",
          [
            "day": day.map { visit.language.shown($0) } ?? "",
            "lost": visit.language.words.count("days", item["lost"]?.integer ?? 0),
          ]),
        "saved_by": (item["saved_by"]?.elements ?? []).compactMap { $0["do"]?.text }
          .map { visit.say("why.\($0)") }.joined(separator: visit.say("why.or")),
      ]
    }
    return ["days": Array(days), "breaks": Array(breaks), "any_breaks": !breaks.isEmpty]
  }
}

/// What would be otherwise after a log, a skip or a clear of a day.
struct SupposedDay {
  private let name: String
  private let day: Day
  private let id: JSON
  private let answer: JSON
  private let visit: Visit

  /// Asks what the address supposes; `nil` if it supposes nothing.
  ///
  /// - Throws: ``PageRefusal``.
  init?(_ habit: JSON, _ visit: Visit) async throws {
    guard let name = visit.request.query["whatif"],
      ["log_habit", "skip_day", "clear_log"].contains(name)
    else { return nil }
    self.name = name
    self.visit = visit
    day = visit.on ?? visit.today
    id = habit["id"] ?? .null
    var command: [JSON.Member] = [
      .init("do", .string(name)), .init("habit", id), .init("day", .string(day.description)),
    ]
    if name == "log_habit" { command.append(.init("value", habit["target_per_day"] ?? .null)) }
    answer = try await visit.suppose([.object(command)])
  }

  /// The marks that days would have instead of those that they have.
  var marks: [Day: String] {
    let own = (answer["marks"]?.elements ?? []).filter { $0["habit"] == id }
    return Dictionary(
      own.compactMap { change in
        guard let day = change["day"]?.text.flatMap({ Day($0) }),
          let mark = change["mark"]?.elements?.last?.text
        else { return nil }
        return (day, mark)
      }
    ) { _, last in last }
  }

  var fields: Fields {
    let words = visit.language.words
    let change = answer["habits"]?.elements?.first { $0["habit"] == id }
    func pair(_ name: String) -> [String] {
      (change?[name]?.elements ?? []).map { words.count("days", $0.integer ?? 0) }
    }
    let (current, longest) = (pair("current"), pair("longest"))
    let count = marks.count
    return [
      "said": visit.say("whatif.\(name)", ["day": visit.language.shown(day)]),
      "same": change == nil && count == 0, "changed": change != nil,
      "days_said": count > 0 ? words.count("whatif.days", count) : Nothing() as Any,
      "current_before": current.first ?? "", "current_after": current.last ?? "",
      "longest_before": longest.first ?? "", "longest_after": longest.last ?? "",
    ]
  }
}

extension JSON {
  /// The value of a number, as near as possible.
  var number: Double? { if case .number(let text) = self { Double(text) } else { nil } }
}

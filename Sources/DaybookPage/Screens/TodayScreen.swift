import Avro
import Calendar
import Daybook

/// Today: a card for each habit, with its streak and its last days (HH-12, DG-4, MO-4).
struct TodayScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let rows = try await visit.ask("today").elements ?? []
    let habits = try await visit.ask("habits").elements ?? []
    let byID = Dictionary(habits.map { ($0["id"]?.text ?? "", $0) }) { first, _ in first }
    let goals = try await visit.ask("goals").byKey("id")
    let cards = rows.map { row -> Fields in
      let habit = byID[row["habit"]?.text ?? ""]
      return HabitCard(row, habit, visit, goal: goals[habit?["goal_id"]?.text ?? ""]).fields
    }
    let done = rows.count { $0["mark"]?.text == "full" || $0["mark"]?.text == "bonus" }
    return Content(
      "today", visit.say("place.today"),
      [
        "cards": cards, "any": !cards.isEmpty, "day": visit.language.shown(visit.on ?? visit.today),
        "progress": visit.say(
          "today.progress", ["done": String(done), "count": String(rows.count)]),
        "done_count": String(done), "count": String(max(1, rows.count)),
        "is_free": cards.isEmpty && habits.contains { $0["is_active"]?.boolean == true },
        "is_new": !habits.contains { $0["is_active"]?.boolean == true },
        "rule": try await RuleSwitch(visit).fields,
      ].merging(try await TodayAside(rows, byID, visit).fields()) { own, _ in own },
      Timeline(area: "habits", hasDay: true))
  }
}

/// A habit's card: what it is, how far its day is, and what can be done now.
struct HabitCard {
  private let row: JSON
  private let habit: JSON?
  private let visit: Visit
  /// The goal that the habit serves.
  private let goal: JSON?

  init(_ row: JSON, _ habit: JSON?, _ visit: Visit, goal: JSON? = nil) {
    self.row = row
    self.habit = habit
    self.visit = visit
    self.goal = goal
  }

  var fields: Fields {
    var fields = row.fields
    let id = row["habit"]?.text ?? ""
    let mark = row["mark"]?.text ?? ""
    let (value, target) = (row["value"]?.amount ?? .zero, row["target"]?.amount ?? .one)
    let isDone = mark == "full" || mark == "bonus"
    let streak = row["streak"]?.integer ?? 0
    let isCounter = habit?["type"]?.text == "counter"
    fields["face"] = HabitFace(habit).fields
    fields["goal_name"] = goal?["title"]?.shown ?? Nothing()
    fields["goal_link"] = goal?["id"]?.text.map { visit.link("/goals/\($0)") } ?? ""
    fields["id"] = id
    fields["link"] = visit.link("/habits/\(id)")
    fields["why_link"] = visit.link("/habits/\(id)", on: visit.on, at: "why")
    fields["shown_value"] = visit.language.number(value.description)
    fields["shown_target"] = visit.language.number(target.description)
    fields["is_done"] = isDone
    fields["is_counter"] = isCounter
    fields["is_checkbox"] = !isCounter
    fields["streak_said"] = visit.language.words.count("streak", streak)
    // A streak that includes this day has just reached it.
    let isMilestone = isDone && Milestone.isReached(by: streak)
    fields["milestone"] =
      isMilestone
      ? visit.say("card.milestone", ["days": visit.language.words.count("days", streak)])
      : Nothing() as Any
    fields["mark_said"] = visit.say("mark.\(mark)")
    fields["value_now"] = value.description
    fields["target_now"] = target.description
    fields["more"] = Amount(thousandths: value.thousandths + 1000)?.description ?? Nothing() as Any
    fields["less"] =
      Amount(thousandths: value.thousandths - 1000).map { $0.description } ?? Nothing() as Any
    fields["has_value"] = row["value"] != .null
    let marks = row["recent"]?.elements?.compactMap(\.text) ?? []
    fields["comb"] = RowComb(marks, ending: row["day"]?.text.flatMap { Day($0) }, visit).svg
    return fields
  }
}

extension JSON {
  /// The amount of a number.
  var amount: Amount? { if case .number(let text) = self { Amount(text) } else { nil } }
}

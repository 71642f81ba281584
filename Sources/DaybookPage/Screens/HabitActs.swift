import Avro
import Pictures
import Values
import DaybookStore

/// What a habit's screen offers besides its days: what it belongs to, and what can be done with it (HH-13, HH-15, DG-2).
struct HabitActs {
  private let habit: JSON
  private let visit: Visit

  init(_ habit: JSON, _ visit: Visit) {
    self.habit = habit
    self.visit = visit
  }

  func fields() async throws -> Fields {
    let id = habit["id"]?.text ?? ""
    let goals = try await visit.ask("goals").elements ?? []
    let own = habit["goal_id"]?.text
    let hives = (try await visit.ask("hives").elements ?? []).filter {
      $0["source_habit_id"]?.text == id
    }
    let isActive = habit["is_active"]?.boolean == true
    var fields: Fields = [
      "face": HabitFace(habit).fields, "schedule": visit.said(scheduleOf: habit),
      "edit_link": visit.link("/habits/\(id)/edit"), "is_active": isActive,
      "is_archived": !isActive,
      "in_focus": try await visit.ask("focus").chosenFocus == id,
      "hive_chips": hives.map { chip($0) }, "hive_key": Key().description,
      "goal_chip": goals.first { $0["id"]?.text == own }.map { goal in
        [
          "name": goal["title"]?.text ?? "", "link": visit.link("/goals/\(goal["id"]?.text ?? "")"),
        ] as Fields
      } ?? Nothing() as Any,
      "goals": goals.filter { $0["id"]?.text != own }.map {
        ["key": $0["id"]?.text ?? "", "name": $0["title"]?.text ?? ""] as Fields
      },
      "backfill": visit.typed("p_backfill_days") ?? "30",
      "hive_name": visit.typed("p_name") ?? habit["name"]?.text ?? "",
      "refused": visit.refusedSentence(),
    ]
    fields["any_goals"] = goals.contains { $0["id"]?.text != own }
    fields["curve"] = try await curve(of: id)
    return fields
  }

  /// A hive that was made from the habit, with how its day stands.
  private func chip(_ hive: JSON) -> Fields {
    let words = visit.language.words
    let (done, required) = (
      hive["complete_count"]?.integer ?? 0, hive["required_count"]?.integer ?? 0
    )
    return [
      "name": hive["name"]?.text ?? "", "link": visit.link("/hives/\(hive["hive"]?.text ?? "")"),
      "said": visit.say("hive.ring", ["done": String(done), "required": String(required)]),
      "streak": words.count("days", hive["streak"]?.integer ?? 0),
      "shape": hive["verdict"]?.text == "advanced" ? "done" : required == 0 ? "off" : "open",
    ]
  }

  /// The course of the habit's strength; nothing before there is one.
  private func curve(of id: String) async throws -> Any {
    let answer = try await visit.ask("strength", [("habit", id), ("last", "120")])
    let shares = (answer["days"]?.elements ?? []).compactMap { $0["strength"]?.number }
    guard shares.count > 1, let first = shares.first, let last = shares.last else {
      return Nothing()
    }
    let said = visit.say(
      "habit.curve_said",
      [
        "first": visit.language.percent(first), "last": visit.language.percent(last),
        "days": visit.language.words.count("days", shares.count),
      ])
    return ["svg": ShareCurve(shares).svg(label: said), "said": said] as Fields
  }
}

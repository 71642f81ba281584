import Avro
import Calendar
import Pictures
import Values
import DaybookStore

/// The goals, each with how the day of its habits stands (MO-2, MO-6).
struct GoalsScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let goals = try await visit.ask("goals").elements ?? []
    let progress = try await GoalProgress(visit)
    // The form names the goal, so that it leads to the goal's own screen.
    let key = visit.typed("key") ?? Key().description
    return Content(
      "goals", visit.say("place.goals"),
      [
        "goals": goals.map { progress.fields(of: $0) }, "any": !goals.isEmpty,
        "goal_key": key, "typed_title": visit.typed("title") ?? "",
        "typed_description": visit.typed("description") ?? "",
        "refused": visit.refusedSentence(), "title_wrong": visit.refusal?.field == "title",
      ], Timeline(area: "habits"))
  }
}

/// A goal with its habits and their streaks (MO-2, MO-3).
struct GoalScreen: Screen {
  let goal: String

  func content(_ visit: Visit) async throws -> Content {
    guard let found = try await visit.ask("goals").byKey("id")[goal] else {
      throw PageRefusal.notFound
    }
    let habits = try await visit.ask("habits").elements ?? []
    let (own, others) = (
      habits.filter { $0["goal_id"]?.text == goal },
      habits.filter { $0["goal_id"]?.text != goal && $0["is_active"]?.boolean == true }
    )
    let lines = try await HabitLines(visit)
    var fields = try await GoalProgress(visit).fields(of: found)
    fields["habits"] = own.map { lines.fields(of: $0) }
    fields["any_habits"] = !own.isEmpty
    fields["others"] = others.map {
      ["key": $0["id"]?.text ?? "", "name": $0["name"]?.text ?? ""] as Fields
    }
    fields["goals_link"] = visit.link("/goals")
    fields["any_others"] = !others.isEmpty
    fields["more_link"] = visit.link("/habits/new?goal=\(goal)")
    fields["typed_name"] = visit.typed("do") == "create_habit" ? visit.typed("name") ?? "" : ""
    fields["since"] =
      found["created_at"]?.text.flatMap { Instant($0) }.map { visit.shown($0) } ?? ""
    let isEdited = visit.typed("do") == "update_goal"
    fields["edits"] = isEdited
    fields["typed_title"] = isEdited ? visit.typed("title") ?? "" : found["title"]?.text ?? ""
    fields["typed_description"] =
      isEdited ? visit.typed("description") ?? "" : found["description"]?.text ?? ""
    fields["edit_refused"] = visit.refusedSentence(of: "update_goal")
    fields["habit_refused"] = visit.refusedSentence(of: "create_habit")
    return Content(
      "goal", found["title"]?.text ?? "", fields, Timeline(about: goal, canPutBack: true))
  }
}

/// How the day of goals' habits stands.
private struct GoalProgress {
  private let visit: Visit
  private let cards: [String: JSON]
  private let streaks: [String: JSON]

  init(_ visit: Visit) async throws {
    self.visit = visit
    cards = try await visit.ask("today").byKey("habit")
    streaks = try await visit.ask("streaks").byKey("habit")
  }

  /// A goal's ring, and how its habits go.
  func fields(of goal: JSON) -> Fields {
    let id = goal["id"]?.text ?? ""
    let habits = (goal["habits"]?.elements ?? []).compactMap(\.text)
    let due = habits.compactMap { cards[$0] }
    let done = due.count { $0["mark"]?.text == "full" || $0["mark"]?.text == "bonus" }
    let running = habits.compactMap { streaks[$0]?["current"]?.integer }.max() ?? 0
    let shares = habits.compactMap { streaks[$0]?["completion"]?.number }
    let words = visit.language.words
    let counts = ["done": String(done), "count": String(due.count)]
    return [
      "id": id, "name": goal["title"]?.text ?? "", "link": visit.link("/goals/\(id)"),
      "about": goal["description"]?.shown ?? Nothing(),
      "ring": Ring(done: done, of: due.count).svg(
        label: due.isEmpty ? visit.say("goal.nothing_due") : visit.say("goal.ring", counts)),
      "habit_count": words.count("habits", habits.count), "has_habits": !habits.isEmpty,
      "running": words.count("days", running),
      "completion": shares.isEmpty
        ? Nothing()
        : visit.language.percent(shares.reduce(0, +) / Double(shares.count)) as Any,
    ]
  }
}

import Avro
import Calendar

/// What today's screen shows besides the habits: the day's message, the focus, tasks that are due, tonight's meal, and
/// the pause (DG-4, DM-2, MC-6).
struct TodayAside {
  private let rows: [JSON]
  private let habits: [String: JSON]
  private let visit: Visit

  /// - Parameters:
  ///   - rows: The cards in the answer to `today`.
  ///   - habits: The habits by their keys.
  ///   - visit: The visit.
  init(_ rows: [JSON], _ habits: [String: JSON], _ visit: Visit) {
    self.rows = rows
    self.habits = habits
    self.visit = visit
  }

  func fields() async throws -> Fields {
    let profile = try await visit.ask("profile")
    let pauses = PauseList(profile, visit)
    let tasks = try await dueTasks()
    let meals = try await meals()
    return [
      "message": visit.said(messageOf: try await visit.ask("insights")),
      "in_focus": try await focus(), "any_habits": !habits.isEmpty,
      "tasks": tasks, "any_tasks": !tasks.isEmpty, "meals": meals, "any_meals": !meals.isEmpty,
      "paused_now": pauses.now, "today": visit.today.description,
      "is_welcome": profile["onboarded_at"] == .null,
    ]
  }

  /// The habit in focus with how its day stands; nothing when none was chosen.
  private func focus() async throws -> Any {
    guard let id = try await visit.ask("focus").chosenFocus, let habit = habits[id] else {
      return Nothing()
    }
    let mark = rows.first { $0["habit"]?.text == id }?["mark"]?.text
    return [
      "name": habit["name"]?.text ?? "", "link": visit.link("/habits/\(id)"),
      "said": mark.map { visit.say("mark.\($0)") } ?? Nothing() as Any,
    ] as Fields
  }

  /// The tasks of the day and those that are overdue, by when they are due. Ticked ones stay where they are.
  private func dueTasks() async throws -> [Fields] {
    var tasks: [String: JSON] = [:]
    for asked in [[("due", "today"), ("status", "any")], [("due", "overdue")]] {
      for bucket in try await visit.ask("tasks", asked).elements ?? [] {
        for task in bucket["tasks"]?.elements ?? [] where task["match"]?.boolean == true {
          tasks[task["id"]?.text ?? ""] = task
        }
      }
    }
    func order(_ task: JSON) -> [String] {
      [task["due_at"]?.text ?? "", task["title"]?.text ?? "", task["id"]?.text ?? ""]
    }
    return tasks.values.sorted { order($0).lexicographicallyPrecedes(order($1)) }.map { task in
      var fields = task.fields
      fields["due"] =
        task["due_at"]?.text.flatMap { Instant($0) }.map { visit.shown($0) } ?? Nothing() as Any
      return fields
    }
  }

  /// What the person's households eat on the day.
  private func meals() async throws -> [Fields] {
    let day = visit.on ?? visit.today
    var meals: [Fields] = []
    for household in try await visit.ask("household").elements ?? [] {
      let plan = try await visit.ask(
        "plan",
        [("household", household["id"]?.text ?? ""), ("week_start", day.description)])
      for meal in plan["meals"]?.elements ?? [] where meal["date"]?.text == day.description {
        let recipe = meal["recipe_id"]?.text.map { ["household", "recipes", $0] }
        meals.append([
          "name": meal["name"]?.text ?? "", "kind": meal["meal_type"]?.shown ?? Nothing(),
          "link": visit.link(toScreenAt: recipe ?? ["household", "plan"]),
        ])
      }
    }
    return meals
  }
}

extension Visit {
  /// The address of a screen at the same moment; nothing where there is no such screen.
  func link(toScreenAt path: [String]) -> Any {
    guard ScreenList().screen(at: path) != nil else { return Nothing() }
    return link("/" + path.joined(separator: "/"))
  }

  /// The day's message in the person's language, from the answer to `insights` (DG-4).
  func said(messageOf insights: JSON) -> Any {
    let key = "message.\(insights["message_key"]?.text ?? "")"
    let said = say(key)
    // A message that is newer than the page's words is said as the book says it.
    return said == key ? insights["message"]?.shown ?? Nothing() : said
  }
}

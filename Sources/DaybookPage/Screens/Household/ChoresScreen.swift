import Avro
import Calendar
import Wire

/// What is to be done in the household, what is due first at the top (MC-3).
struct ChoresScreen: HouseholdRoom {
  private static let filters = ["all", "mine", "incomplete", "complete"]

  func content(_ home: HouseholdVisit) async throws -> Content {
    let asked = home.visit.request.query["show"] ?? ""
    let show = Self.filters.contains(asked) ? asked : "incomplete"
    let chores = try await home.ask("chores", [("show", show)]).elements ?? []
    return Content(
      "chores", home.say("room.chores"),
      [
        "filters": Self.filters.map { filter -> Fields in
          [
            "name": home.say("chores.show.\(filter)"), "current": filter == show,
            "link": home.link("chores", [("show", filter)]),
          ]
        },
        "chores": chores.map { Chore($0, home).fields }, "any": !chores.isEmpty,
        "empty": home.say("chores.empty.\(show)"),
        "priorities": Chore.priorities(choosing: "medium", home),
        "people": home.people(choosing: nil),
      ])
  }
}

/// A task of a household in a line, with what can be done with it.
struct Chore {
  private let row: JSON
  private let home: HouseholdVisit

  init(_ row: JSON, _ home: HouseholdVisit) {
    self.row = row
    self.home = home
  }

  static func priorities(choosing chosen: String?, _ home: HouseholdVisit) -> [Fields] {
    choices(
      ["urgent", "high", "medium", "low"], named: { home.say("priority.\($0)") }, choosing: chosen)
  }

  var fields: Fields {
    let isDone = row["is_complete"]?.boolean == true
    let day = row["due_date"]?.day
    let time = row["due_time"]?.text.map { String($0.prefix(5)) } ?? ""
    let priority = row["priority"]?.text ?? "medium"
    let due = [day.map(home.shown), time.isEmpty ? nil : time].compactMap(\.self)
    return [
      "id": row["id"]?.text ?? "", "name": row["title"]?.text ?? "", "is_complete": isDone,
      "about": row["description"]?.shown ?? Nothing(),
      "about_text": row["description"]?.text ?? "",
      "due": due.isEmpty ? Nothing() : due.joined(separator: " ") as Any,
      "overdue": !isDone && day.map { $0 < home.visit.today } ?? false,
      "due_date": day?.description ?? "", "due_time": time,
      "priority": priority,
      "priority_said": ["high", "urgent"].contains(priority) && !isDone
        ? home.say("priority.\(priority)") : Nothing() as Any,
      "urgent": priority == "urgent",
      "who": home.name(of: row["assigned_to"]?.text) ?? Nothing() as Any,
      "assigned_to": row["assigned_to"]?.text ?? "",
      "completed": completed ?? Nothing() as Any,
      "own_priorities": Self.priorities(choosing: priority, home),
      "own_people": home.people(choosing: row["assigned_to"]?.text),
      "put_back_link": PutBack.offered(to: row["id"], home.visit),
    ]
  }

  /// By whom it was done, and when.
  private var completed: String? {
    guard let at = row["completed_at"]?.instant else { return nil }
    return home.say(
      "chores.completed",
      ["who": home.name(of: row["completed_by"]?.text) ?? "", "moment": home.visit.shown(at)])
  }
}

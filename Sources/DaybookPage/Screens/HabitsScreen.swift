import Avro
import Calendar

/// All habits with their streaks, those that are archived, the focus and the pauses (HH-7, DG-2).
struct HabitsScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let habits = try await visit.ask("habits").elements ?? []
    let lines = try await HabitLines(visit)
    let active = habits.filter { $0["is_active"]?.boolean == true }
    let archived = habits.filter { $0["is_active"]?.boolean != true }
    let chosen = lines.focus
    let pauses = PauseList(try await visit.ask("profile"), visit)
    return Content(
      "habits", visit.say("place.habits"),
      [
        "active": active.map { lines.fields(of: $0) }, "any_active": !active.isEmpty,
        "archived": archived.map { lines.fields(of: $0) }, "any_archived": !archived.isEmpty,
        "focus_choices": active.map {
          [
            "key": $0["id"]?.text ?? "", "name": $0["name"]?.text ?? "",
            "chosen": $0["id"]?.text == chosen,
          ] as Fields
        },
        "has_focus": chosen != nil, "refused": visit.refusedSentence(),
        "new_link": visit.link("/habits/new"),
      ].merging(pauses.fields) { own, _ in own }, Timeline(area: "habits"))
  }
}

/// Habits in lines: what each is called, when it is due, and how its streak stands.
struct HabitLines {
  private let visit: Visit
  private let streaks: [String: JSON]
  private let goals: [String: JSON]
  /// The key of the habit in focus, if one was chosen.
  let focus: String?

  init(_ visit: Visit) async throws {
    self.visit = visit
    streaks = try await visit.ask("streaks").byKey("habit")
    goals = try await visit.ask("goals").byKey("id")
    focus = try await visit.ask("focus").chosenFocus
  }

  /// A habit's line.
  ///
  /// - Parameter habit: Its row of `habits`.
  /// - Returns: The values for the template `habit_line`.
  func fields(of habit: JSON) -> Fields {
    let id = habit["id"]?.text ?? ""
    let streak = streaks[id]
    let (language, goal) = (visit.language, goals[habit["goal_id"]?.text ?? ""])
    var fields = HabitFace(habit).fields
    fields["id"] = id
    fields["name"] = habit["name"]?.text ?? ""
    fields["link"] = visit.link("/habits/\(id)")
    fields["schedule"] = visit.said(scheduleOf: habit)
    fields["current"] = language.words.count("days", streak?["current"]?.integer ?? 0)
    fields["longest"] = language.words.count("days", streak?["longest"]?.integer ?? 0)
    fields["completion"] = language.percent(streak?["completion"]?.number ?? 0)
    fields["in_focus"] = id == focus
    fields["goal_name"] = goal?["title"]?.shown ?? Nothing()
    fields["goal_link"] = goal?["id"]?.text.map { visit.link("/goals/\($0)") } ?? Nothing() as Any
    return fields
  }
}

extension JSON {
  /// The rows of a list by one of their members; of two with a value, the first.
  func byKey(_ name: String) -> [String: JSON] {
    Dictionary((elements ?? []).map { ($0[name]?.text ?? "", $0) }) { first, _ in first }
  }

  /// The habit that has the focus now, in the answer to `focus`. The habit that stands in where none was chosen is not meant.
  var chosenFocus: String? {
    self["history"]?.elements?.last { $0["until"] == .null }?["habit_id"]?.text
  }
}

import Avro
import Daybook
import Values
import DaybookStore
import Wire

/// The form of a habit: a new one, or one that there is (HH-7, MO-3).
struct HabitFormScreen: Screen {
  /// The habit to change; `nil` for a new one.
  var habit: String?

  func content(_ visit: Visit) async throws -> Content {
    guard let habit else { return try await newContent(visit) }
    let habits = try await visit.ask("habits").byKey("id")
    guard let found = habits[habit] else { throw PageRefusal.notFound }
    let name = found["name"]?.text ?? ""
    return Content(
      "habit_form", visit.say("habit.edit_title", ["name": name]),
      HabitForm(found, visit).fields.merging([
        "edits": true, "creates": false, "id": habit,
        "back_link": visit.link("/habits/\(habit)"), "after": "/habits/\(habit)",
        "form_title": visit.say("habit.edit_title", ["name": name]),
      ]) { _, new in new })
  }

  private func newContent(_ visit: Visit) async throws -> Content {
    let goals = try await visit.ask("goals").elements ?? []
    let goal = visit.typed("goal") ?? visit.request.query["goal"]
    let known = goals.first { $0["id"]?.text == goal }?["id"]?.text
    // The form names the habit, so that it leads to the habit's own screen.
    let key = visit.typed("key") ?? Key().description
    let back = known.map { "/goals/\($0)" } ?? "/habits"
    return Content(
      "habit_form", visit.say("habit.new_title"),
      HabitForm(Self.tile(of: visit), visit).fields.merging([
        "edits": false, "creates": true, "key": key, "after": "/habits/\(key)",
        "back_link": visit.link(back), "form_title": visit.say("habit.new_title"),
        "goals": goals.map {
          [
            "key": $0["id"]?.text ?? "", "name": $0["title"]?.text ?? "",
            "chosen": $0["id"]?.text == known,
          ] as Fields
        }, "any_goals": !goals.isEmpty,
      ]) { _, new in new })
  }

  /// What the form begins with: the starter habit that the address names, or nothing.
  private static func tile(of visit: Visit) -> JSON {
    guard let tile = visit.request.query["tile"].flatMap({ StarterTile(rawValue: $0) }) else {
      return [:]
    }
    return [
      "name": .string(visit.say("tile.\(tile.rawValue)")), "emoji": .string(tile.emoji),
      "color_hex": .string(tile.color), "unit": .string(visit.say("unit.\(tile.unit)")),
      "type": .string(tile.timesPerDay == 1 ? "checkbox" : "counter"),
      "target_per_day": .number(tile.timesPerDay),
    ]
  }
}

/// The fields of the form: what was typed into it, else what the habit is, else what is usual.
private struct HabitForm {
  /// How many times of day there are to fill in, at least.
  private static let reminderCount = 3

  private let habit: JSON
  private let visit: Visit

  init(_ habit: JSON, _ visit: Visit) {
    self.habit = habit
    self.visit = visit
  }

  private func value(_ name: String, else usual: String = "") -> String {
    visit.typed(name) ?? habit[name]?.text ?? habit[name]?.amount?.description ?? usual
  }

  private func choices(_ name: String, _ keys: [String], _ words: String) -> [Fields] {
    let chosen = value(name, else: keys.first ?? "")
    return keys.map {
      ["key": $0, "name": visit.say("\(words).\($0)"), "chosen": $0 == chosen] as Fields
    }
  }

  private var mask: Int { habit["schedule_weekmask"]?.integer ?? 127 }

  private var schedule: String {
    if let typed = visit.typed("schedule") { return typed }
    if let quota = habit["schedule_quota"], quota != .null { return "quota" }
    return mask == 127 ? "daily" : "weekdays"
  }

  var fields: Fields {
    let isNameWrong = visit.refusal?.field == "name"
    var fields: Fields = [
      "name": value("name"), "emoji": value("emoji"), "question": value("question"),
      "unit": value("unit"), "target": value("target_per_day", else: "1"),
      "color": visit.typed("color_hex") ?? HabitFace(habit).color,
      "types": choices("type", ["checkbox", "counter"], "type"),
      "bounds": choices("target_bound", ["at_least", "at_most"], "bound"),
      "refused": sentence, "name_wrong": isNameWrong, "again": visit.request.target,
    ]
    let quota = habit["schedule_quota"]
    fields["quota_times"] =
      visit.typed("quota_times") ?? quota?["times"]?.integer.map(String.init) ?? "3"
    fields["quota_days"] =
      visit.typed("quota_days") ?? quota?["days"]?.integer.map(String.init) ?? "7"
    for kind in ["daily", "weekdays", "quota"] { fields["is_\(kind)"] = schedule == kind }
    let days = visit.allTyped("weekday")
    fields["weekdays"] = visit.language.weekdayNames.enumerated().map { place, name in
      let isTicked = days.map { $0.contains(String(place)) } ?? (mask >> place & 1 == 1)
      return ["key": String(place), "name": name, "chosen": isTicked] as Fields
    }
    let times =
      visit.allTyped("reminders") ?? (habit["reminders"]?.elements ?? []).compactMap(\.text)
    let blank = [String](repeating: "", count: max(1, Self.reminderCount - times.count))
    fields["reminders"] = ((visit.refusal == nil ? times + blank : times).enumerated()).map {
      [
        "value": $1, "number": String($0 + 1),
        "label": visit.say("habit.reminder", ["number": String($0 + 1)]),
      ] as Fields
    }
    return fields
  }

  /// Why the form was refused. The book speaks of columns where people see weekdays.
  private var sentence: Any {
    guard visit.refusal?.field == "schedule_weekmask" else { return visit.refusedSentence() }
    return visit.say("habit.no_weekday")
  }
}

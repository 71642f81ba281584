import Avro
import Calendar
import Daybook
import Values
import Wire

/// A task: its text, due time, repetition and labels, its parts, and the ways to move and delete it (DM-2…5).
struct TaskScreen: Screen {
  let task: String

  func content(_ visit: Visit) async throws -> Content {
    guard Values.Key(task) != nil else { throw PageRefusal.notFound }
    let buckets = try await visit.ask("tasks", [("status", "any")]).elements ?? []
    let all = buckets.flatMap { $0["tasks"]?.elements ?? [] }
    guard let row = all.first(where: { $0["id"]?.text == task }) else { throw PageRefusal.notFound }
    let labels = try await TaskLabels(visit)
    let due = row["due_at"]?.text.flatMap { Instant($0) }
    let wall = WallClock(timeZone: visit.clock.timeZone, zones: visit.zones)
    let own = labels.keys(named: (row["labels"]?.elements ?? []).compactMap(\.text))
    let bucket = row["bucket_key"]?.text ?? ""
    var fields: Fields = ["task": row.fields]
    fields["due"] = due.map { visit.shown($0) } ?? Nothing() as Any
    fields["due_local"] =
      due.flatMap { wall.local(of: $0) }.map { String($0.description.prefix(16)) } ?? ""
    fields["rules"] = rules(row["recurrence_rule"]?.text, visit)
    fields["rule"] = row["recurrence_rule"]?.shown ?? Nothing()
    fields["bucket_name"] = visit.say("bucket.\(bucket)")
    fields["labels"] = labels.choices(own)
    fields["any_labels"] = labels.any
    fields["targets"] = TasksScreen.buckets.filter { $0 != bucket }.map {
      ["key": $0, "name": visit.say("bucket.\($0)")] as Fields
    }
    let parts = all.filter { $0["parent_task_id"]?.text == task }
    fields["any_parts"] = !parts.isEmpty
    fields["parts"] = parts.map { part -> Fields in
      var line = part.fields
      line["link"] = visit.link("/tasks/\(part["id"]?.text ?? "")")
      return line
    }
    let parent = all.first { $0["id"] == row["parent_task_id"] }
    fields["parent"] =
      parent.map {
        ["title": $0["title"]?.text ?? "", "link": visit.link("/tasks/\($0["id"]?.text ?? "")")]
          as Fields
      } ?? Nothing() as Any
    fields["tasks_link"] = visit.link("/tasks")
    return Content("task", row["title"]?.text ?? "", fields)
  }

  /// The repetitions to choose from. One that the page does not offer can be kept.
  private func rules(_ rule: String?, _ visit: Visit) -> [Fields] {
    let known = TaskFields.rules.first { $0.1 == rule }?.0
    var choices = ["none"] + TaskFields.rules.map(\.0)
    if rule != nil, known == nil { choices.append("kept") }
    let chosen = rule == nil ? "none" : known ?? "kept"
    return choices.map {
      ["key": $0, "name": visit.say("repeat.\($0)"), "chosen": $0 == chosen] as Fields
    }
  }
}

/// The labels of tasks, to be created, renamed, coloured and deleted (DM-4).
struct LabelsScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let rows = try await visit.ask("labels").elements ?? []
    return Content(
      "labels", visit.say("labels.title"),
      [
        "any": !rows.isEmpty, "tasks_link": visit.link("/tasks"),
        "labels": rows.map { row -> Fields in
          var fields = row.fields
          let count = row["open_tasks"]?.integer ?? 0
          fields["open_said"] = visit.language.words.count("labels.open", count)
          // A browser's field for colours knows no opacity.
          fields["color"] = (row["color"]?.text).map { String($0.prefix(7)) } ?? ""
          fields["link"] = visit.link("/tasks?labels=\(row["id"]?.text ?? "")")
          return fields
        },
      ])
  }
}

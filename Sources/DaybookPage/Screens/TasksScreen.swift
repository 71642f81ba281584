import Avro
import Calendar
import Daybook
import Wire

/// The tasks in their five buckets, side by side, each followed by its parts (DM-1, DM-3).
struct TasksScreen: Screen {
  private static let buckets = ["THIS_WEEK", "WEEKEND", "NEXT_WEEK", "NEXT_MONTH", "ROUTINES"]

  func content(_ visit: Visit) async throws -> Content {
    var asked: [(String, String)] = []
    if let search = visit.request.query["search"], !search.isEmpty {
      asked.append(("search", search))
    }
    let answer = try await visit.ask("tasks", asked).elements ?? []
    let tasks = Dictionary(
      answer.map { ($0["bucket_key"]?.text ?? "", $0["tasks"]?.elements ?? []) }
    ) { first, _ in first }
    let buckets = Self.buckets.map { bucket -> Fields in
      let own = tasks[bucket] ?? []
      return [
        "key": bucket, "name": visit.say("bucket.\(bucket)"), "any": !own.isEmpty,
        "count": String(own.count { $0["is_completed"]?.boolean != true }),
        "tasks": own.map { TaskLine($0, Self.buckets.filter { $0 != bucket }, visit).fields },
      ]
    }
    return Content(
      "tasks", visit.say("place.tasks"),
      [
        "buckets": buckets, "search": visit.request.query["search"] ?? "",
        "bucket_choices": Self.buckets.map {
          ["key": $0, "name": visit.say("bucket.\($0)")] as Fields
        },
      ], Timeline(area: "tasks"))
  }
}

/// A task in a line, with what can be done with it.
private struct TaskLine {
  private let task: JSON
  private let others: [String]
  private let visit: Visit

  init(_ task: JSON, _ others: [String], _ visit: Visit) {
    self.task = task
    self.others = others
    self.visit = visit
  }

  var fields: Fields {
    var fields = task.fields
    fields["depth"] = String(min(task["depth"]?.integer ?? 0, 5))
    fields["due"] =
      task["due_at"]?.text.flatMap { Instant($0) }.map { visit.shown($0) } ?? Nothing() as Any
    fields["repeats"] = task["recurrence_rule"] != .null
    fields["label_names"] = (task["labels"]?.elements ?? []).compactMap(\.text)
    fields["targets"] = others.map { ["key": $0, "name": visit.say("bucket.\($0)")] as Fields }
    fields["put_back_link"] =
      visit.isPast
      ? task["id"]?.text.map { PutBack.link(to: $0, visit) } ?? Nothing() as Any : Nothing()
    fields["is_part"] = task["parent_task_id"] != .null
    return fields
  }
}

import Avro
import Calendar
import Daybook
import Wire

/// The tasks in their five buckets, side by side, each followed by its parts (DM-1, DM-3), or those of some labels (DM-4).
struct TasksScreen: Screen {
  static let buckets = ["THIS_WEEK", "WEEKEND", "NEXT_WEEK", "NEXT_MONTH", "ROUTINES"]

  func content(_ visit: Visit) async throws -> Content {
    let query = visit.request.query
    let labels = try await TaskLabels(visit)
    let chosen = query.items.filter { $0.name == "labels" && !$0.value.isEmpty }.map(\.value)
    let (search, needed, status) = (
      query["search"] ?? "", query["needed"] == "all" ? "all" : "any",
      query["status"].flatMap { Self.statuses.contains($0) ? $0 : nil } ?? "open"
    )
    var asked = [("needed", needed), ("status", status)] + chosen.map { ("labels", $0) }
    if !search.isEmpty { asked.append(("search", search)) }
    let answer = try await visit.ask("tasks", asked).elements ?? []
    let tasks = Dictionary(
      answer.map { ($0["bucket_key"]?.text ?? "", $0["tasks"]?.elements ?? []) }
    ) { first, _ in first }
    let buckets = Self.buckets.map { bucket -> Fields in
      let own = tasks[bucket] ?? []
      return [
        "key": bucket, "name": visit.say("bucket.\(bucket)"), "any": !own.isEmpty,
        "count": String(own.count { $0["is_completed"]?.boolean != true }),
        "tasks": own.map { TaskLine($0, labels, visit).fields },
      ]
    }
    return Content(
      "tasks", visit.say("place.tasks"),
      [
        "buckets": buckets, "search": search, "any_labels": labels.any,
        "labels": labels.choices(chosen), "labels_link": visit.link("/tasks/labels"),
        "is_all": needed == "all", "is_any": needed == "any",
        "is_filtered": !chosen.isEmpty || !search.isEmpty || status != "open",
        "all_link": visit.link("/tasks"),
        "statuses": Self.statuses.map {
          ["key": $0, "name": visit.say("tasks.status.\($0)"), "chosen": $0 == status] as Fields
        },
        "bucket_choices": Self.buckets.map {
          ["key": $0, "name": visit.say("bucket.\($0)")] as Fields
        },
      ], Timeline(area: "tasks"))
  }

  private static let statuses = ["open", "completed", "any"]
}

/// A task in a line, with what can be done with it.
private struct TaskLine {
  private let task: JSON
  private let labels: TaskLabels
  private let visit: Visit

  init(_ task: JSON, _ labels: TaskLabels, _ visit: Visit) {
    self.task = task
    self.labels = labels
    self.visit = visit
  }

  var fields: Fields {
    var fields = task.fields
    fields["depth"] = String(min(task["depth"]?.integer ?? 0, 5))
    fields["due"] =
      task["due_at"]?.text.flatMap { Instant($0) }.map { visit.shown($0) } ?? Nothing() as Any
    fields["repeats"] = task["recurrence_rule"] != .null
    fields["labels"] = labels.named((task["labels"]?.elements ?? []).compactMap(\.text))
    fields["link"] = visit.link("/tasks/\(task["id"]?.text ?? "")")
    fields["name"] = task["title"]?.text ?? ""
    fields["put_back_link"] = PutBack.offered(to: task["id"], visit)
    return fields
  }
}

/// An account's labels, by their names and keys (DM-4).
struct TaskLabels {
  private let rows: [JSON]

  init(_ visit: Visit) async throws {
    rows = try await visit.ask("labels").elements ?? []
  }

  var any: Bool { !rows.isEmpty }

  /// The labels of a form, some of which are chosen.
  func choices(_ chosen: [String]) -> [Fields] {
    rows.map { row in
      var fields = row.fields
      fields["chosen"] = chosen.contains(row["id"]?.text ?? "")
      return fields
    }
  }

  /// The keys of the labels with these names.
  func keys(named names: [String]) -> [String] {
    rows.filter { names.contains($0["name"]?.text ?? "") }.compactMap { $0["id"]?.text }
  }

  /// The labels with these names, each with its colour.
  func named(_ names: [String]) -> [Fields] {
    names.map { name in
      let row = rows.first { $0["name"]?.text == name }
      return ["name": name, "color": row?["color"]?.shown ?? Nothing()]
    }
  }
}

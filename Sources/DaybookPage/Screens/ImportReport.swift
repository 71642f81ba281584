import Avro
import DaybookStore

/// What an import brought, or would bring, in sentences.
struct ImportReport {
  private let answer: JSON
  private let file: FileImport
  private let visit: Visit

  init(_ answer: JSON, of file: FileImport, _ visit: Visit) {
    self.answer = answer
    self.file = file
    self.visit = visit
  }

  var fields: Fields {
    [
      "file": file.name, "format": visit.say("format.\(file.format.rawValue)"),
      "is_trial": answer["dry_run"]?.boolean == true,
      "taken": taken, "left_out": leftOut, "any_left_out": !leftOut.isEmpty,
    ]
  }

  private func count(_ key: String, _ count: Int) -> String {
    visit.language.words.count("import.\(key)", count)
  }

  private func count(_ key: String, _ member: String) -> String? {
    let number = answer[member]?.integer ?? 0
    return number > 0 ? count(key, number) : nil
  }

  /// What is taken, a line a kind.
  private var taken: [String] {
    let lines: [String?]
    switch file.format {
    case .loop, .habitbull, .tickmate:
      lines = [count("habits", "habits_made"), count("days", "entries_recorded")]
    case .todoist, .taskwarrior:
      lines = [count("tasks", "tasks_made"), count("labels", "labels_made")]
    case .recipe:
      lines = recipes.filter { $0["ok"] != nil && $0["was_known"]?.boolean != true }
        .map { $0["ok"]?["title"]?.text }
    case .ics:
      let made = answer["created"]?.elements?.count ?? 0
      let changed = answer["changed"]?.elements?.count ?? 0
      lines = [
        made > 0 ? count("events", made) : nil, changed > 0 ? count("changed", changed) : nil,
      ]
    }
    let found = lines.compactMap(\.self)
    return found.isEmpty ? [visit.say("import.nothing")] : found
  }

  /// What is left out, and why.
  private var leftOut: [String] {
    switch file.format {
    case .loop, .habitbull, .tickmate:
      return [
        count("known_habits", "habits_found"), count("known_days", "entries_found"),
        count("computed", "computed_left_out"), count("deleted_habits", "habits_deleted"),
        count("loose_notes", "notes_not_kept"),
      ].compactMap(\.self) + omissions
    case .todoist, .taskwarrior:
      return [count("known_tasks", "tasks_found")].compactMap(\.self) + omissions
    case .recipe:
      return recipes.compactMap { recipe in
        if let error = recipe["error"] {
          let name = recipe["title"]?.text ?? recipe["file"]?.text ?? ""
          return "\(name): \(error["message"]?.text ?? "")"
        }
        if recipe["was_known"]?.boolean == true {
          return visit.say(
            "import.known_recipe", ["title": recipe["ok"]?["title"]?.text ?? ""])
        }
        let parts = (recipe["left_out"]?.elements ?? []).compactMap(\.text)
        guard !parts.isEmpty else { return nil }
        return "\(recipe["ok"]?["title"]?.text ?? ""): \(parts.joined(separator: ", "))"
      }
    case .ics:
      let problems = (answer["problems"]?.elements ?? []).prefix(20).map {
        visit.say(
          "import.problem",
          ["line": String($0["line"]?.integer ?? 0), "what": $0["message"]?.text ?? ""])
      }
      let parts = (answer["not_imported"]?.members ?? []).map {
        "\($0.name): \($0.value.integer ?? 0)"
      }
      return [
        count("known_events", "unchanged"), count("deleted_events", "kept_deleted"),
        count("own_events", "own"),
      ].compactMap(\.self) + parts + problems
    }
  }

  private var recipes: [JSON] { answer["recipes"]?.elements ?? [] }

  private var omissions: [String] {
    (answer["left_out"]?.elements ?? []).map {
      "\($0["what"]?.text ?? ""): \($0["count"]?.integer ?? 0)"
    }
  }
}

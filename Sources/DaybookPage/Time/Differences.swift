import Avro
import Calendar

/// The rows that were added, deleted or changed between the moment that the address names (`as_of`) and now, each with
/// the entries that changed it.
struct Differences {
  /// The largest number of rows that are shown.
  private static let mostCount = 40

  /// The tables whose rows belong to a part of the book.
  private static let tables: [String: Set<String>] = [
    "habits": ["habits", "habit_logs", "goals", "pauses", "focus", "profiles"],
    "hives": ["hives", "hive_members", "hive_member_days", "hive_days", "hive_invites"],
    "tasks": ["tasks", "labels", "task_labels", "task_completions"],
    "household": [
      "households", "household_members", "household_tasks", "recipes", "meal_plan",
      "grocery_lists", "grocery_items", "pantry_staples", "calendar_events",
    ],
  ]

  /// The columns that say when and by what a row was written, not what it says.
  private static let silent: Set = ["updated_at", "created_at", "client_updated_at", "source"]

  private let rows: [JSON]
  private let names: [String: String]
  private let visit: Visit

  /// Asks for the differences of what a screen is about.
  ///
  /// - Throws: ``PageRefusal``.
  init(_ visit: Visit, _ timeline: Timeline) async throws {
    self.visit = visit
    guard let asOf = visit.asOf else {
      (rows, names) = ([], [:])
      return
    }
    let all =
      try await visit.ask("diff", [("from", asOf.description)]).elements ?? []
    let tables = timeline.area.flatMap { Self.tables[$0] }
    rows = all.filter { row in
      guard tables?.contains(row["table"]?.text ?? "") ?? true else { return false }
      guard let key = timeline.about else { return true }
      return Self.isAbout(key, row)
    }
    names = try await Self.names(visit)
  }

  /// Whether a row describes an entity, or something that belongs to that entity.
  static func isAbout(_ key: String, _ row: JSON) -> Bool {
    let row = (row["after"] ?? .null) == .null ? row["before"] : row["after"]
    return row?.members?.contains { member in
      member.value.text == key && (member.name == "id" || member.name.hasSuffix("_id"))
    } ?? false
  }

  /// The names of present and of deleted habits, because rows hold only the keys of habits.
  private static func names(_ visit: Visit) async throws -> [String: String] {
    var names: [String: String] = [:]
    for moment in [visit.visit(asOf: visit.asOfText), visit.visit(asOf: nil)] {
      for habit in try await moment.ask("habits").elements ?? [] {
        names[habit["id"]?.text ?? ""] = habit["name"]?.text
      }
    }
    return names
  }

  /// The differences, a line each.
  var lines: [Fields] { rows.prefix(Self.mostCount).map { line($0, isBack: false) } }

  /// The changes that putting the entity back would make: the differences, reversed.
  var back: [Fields] { rows.prefix(Self.mostCount).map { line($0, isBack: true) } }

  /// How many more there are, in words; nothing when there are none.
  var more: Any {
    rows.count > Self.mostCount
      ? visit.say("beside.more", ["count": String(rows.count - Self.mostCount)]) : Nothing()
  }

  private func line(_ change: JSON, isBack: Bool) -> Fields {
    let (old, new) =
      isBack ? (change["after"], change["before"]) : (change["before"], change["after"])
    let row = (new ?? .null) == .null ? old : new
    let word =
      (old ?? .null) == .null ? "came" : (new ?? .null) == .null ? "went" : "changed"
    let entry = change["entries"]?.elements?.last
    let at = entry?["at"]?.text.flatMap { Instant($0) }
    return [
      "what": visit.say("table.\(change["table"]?.text ?? "")"), "name": name(of: row),
      "day": day(of: row),
      "word": visit.say("beside.\(word)"), "sign": ["came": "+", "went": "−"][word] ?? "≠",
      "columns": columns(change, old, new),
      "at_said": at.map { visit.shown($0) } ?? Nothing() as Any,
      "then_link": at.map { visit.target(asOf: $0.description, [("beside", nil)]) } ?? Nothing()
        as Any,
    ]
  }

  /// The day that a row is about; nothing for most rows.
  private func day(of row: JSON?) -> Any {
    for column in ["log_date", "day_date", "day", "date"] {
      if let day = row?[column]?.text.flatMap({ Day($0) }) { return visit.language.shown(day) }
    }
    return Nothing()
  }

  private func name(of row: JSON?) -> Any {
    for column in ["name", "title", "display_name"] {
      if let name = row?[column]?.text, !name.isEmpty { return name }
    }
    return row?["habit_id"]?.text.flatMap { names[$0] } ?? Nothing() as Any
  }

  private func columns(_ change: JSON, _ old: JSON?, _ new: JSON?) -> [Fields] {
    let names =
      change["columns"]?.elements?.compactMap(\.text).filter { !Self.silent.contains($0) } ?? []
    return names.map { name in
      let key = "column.\(name)"
      let said = visit.say(key)
      return [
        "name": said == key ? name.replacing("_", with: " ") : said,
        "before": shown(old?[name]), "after": shown(new?[name]),
      ]
    }
  }

  /// A value as the person reads it.
  private func shown(_ value: JSON?) -> String {
    switch value ?? .null {
    case .null: return visit.say("value.none")
    case .bool(let value): return visit.say(value ? "value.yes" : "value.no")
    case .number(let text): return visit.language.number(text)
    case .string(let text):
      if let day = Day(text) { return visit.language.shown(day) }
      if let instant = Instant(text) { return visit.shown(instant) }
      return text.isEmpty ? visit.say("value.none") : text
    case .array(let elements):
      return elements.isEmpty
        ? visit.say("value.none") : elements.map { shown($0) }.joined(separator: ", ")
    case .object(let members): return members.map { shown($0.value) }.joined(separator: ", ")
    }
  }
}

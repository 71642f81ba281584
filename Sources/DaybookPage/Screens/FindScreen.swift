import Avro
import Calendar
import Daybook
import DaybookStore
import Values
import Wire

/// What can be reached and done, found by what is typed: places, habits, tasks, hives, days, and what the page does with them
/// (DM-14). The palette shows the same list in a dialog.
struct FindScreen: Screen {
  /// The most entries of a kind.
  private static let most = 8

  func content(_ visit: Visit) async throws -> Content {
    let typed = (visit.request.query["search"] ?? "").trimmed
    let wanted = SearchText(typed)
    func matches(_ text: String) -> Bool { SearchText(text).contains(wanted) }
    var found: [Finding] = []
    for place in ScreenList.places {
      let name = visit.say("place.\(place.isEmpty ? "today" : place)")
      if matches(name) { found.append(Finding(.place, name, link: visit.link("/" + place))) }
    }
    found += day(typed, visit)
    found += try await habits(matches, visit)
    if !typed.isEmpty {
      found += try await tasks(typed, visit)
      found += try await others(matches, visit)
      if !visit.isPast {
        let said = visit.say("find.add_task", ["title": typed])
        found.append(
          Finding(.act, said, form: [("do", "create_task"), ("quick", typed)]))
      }
    }
    return Content(
      "find", visit.say("find.title"),
      [
        "search": typed, "any": !found.isEmpty,
        "items": found.map { $0.fields(visit) },
      ])
  }

  /// The day that is typed, in words or as a date.
  private func day(_ typed: String, _ visit: Visit) -> [Finding] {
    let words = DayWords(today: visit.today, direction: .past)
    guard !typed.isEmpty, let day = words.day(EverydayWords.english(typed)), day <= visit.today
    else { return [] }
    let shown = visit.language.shown(day)
    return [
      Finding(.place, visit.say("find.day", ["day": shown]), link: visit.link("/?on=\(day)")),
      Finding(
        .place, visit.say("find.then", ["day": shown]), link: visit.target("/", asOf: day)),
    ]
  }

  private func habits(_ matches: (String) -> Bool, _ visit: Visit) async throws -> [Finding] {
    let rows = try await visit.ask("today").elements ?? []
    let isDue = Dictionary(rows.map { ($0["habit"]?.text ?? "", $0) }) { first, _ in first }
    let habits = (try await visit.ask("habits").elements ?? []).filter {
      matches($0["name"]?.text ?? "")
    }
    return habits.prefix(Self.most).flatMap { habit -> [Finding] in
      let (id, name) = (habit["id"]?.text ?? "", habit["name"]?.text ?? "")
      let link = Finding(.habit, name, link: visit.link("/habits/\(id)"))
      guard !visit.isPast, let row = isDue[id] else { return [link] }
      let common = [("habit", id), ("day", row["day"]?.text ?? "")]
      let isDone = ["full", "bonus"].contains(row["mark"]?.text ?? "")
      let target = row["target"]?.amount?.description ?? "1"
      let log = Finding(
        .act, visit.say("find.log", ["name": name]),
        form: [("do", "log_habit"), ("value", target)] + common)
      let clear = Finding(
        .act, visit.say("find.clear", ["name": name]), form: [("do", "clear_log")] + common)
      let skip = Finding(
        .act, visit.say("find.skip", ["name": name]), form: [("do", "skip_day")] + common)
      return [link] + (isDone ? [] : [log]) + (row["value"] == .null ? [skip] : [clear])
    }
  }

  private func tasks(_ typed: String, _ visit: Visit) async throws -> [Finding] {
    let buckets = try await visit.ask("tasks", [("search", typed)]).elements ?? []
    let found = buckets.flatMap { $0["tasks"]?.elements ?? [] }.filter {
      $0["match"]?.boolean == true
    }
    return found.prefix(Self.most).flatMap { task -> [Finding] in
      let (id, title) = (task["id"]?.text ?? "", task["title"]?.text ?? "")
      let link = Finding(.task, title, link: visit.link("/tasks/\(id)"))
      guard !visit.isPast else { return [link] }
      return [
        link,
        Finding(
          .act, visit.say("find.complete", ["name": title]),
          form: [("do", "complete_task"), ("task", id)]),
      ]
    }
  }

  /// Hives, goals and recipes, as far as the page has screens for them.
  private func others(_ matches: (String) -> Bool, _ visit: Visit) async throws -> [Finding] {
    var found: [Finding] = []
    for row in try await visit.ask("hives").elements ?? [] {
      found += finding(
        .hive, row["name"]?.text, ["hives", row["hive"]?.text ?? ""], matches, visit)
    }
    for row in try await visit.ask("goals").elements ?? [] {
      found += finding(.goal, row["title"]?.text, ["goals", row["id"]?.text ?? ""], matches, visit)
    }
    for home in try await visit.ask("household").elements ?? [] {
      let recipes = try await visit.ask("recipes", [("household", home["id"]?.text ?? "")])
      for row in recipes.elements ?? [] {
        let path = ["household", "recipes", row["id"]?.text ?? ""]
        found += finding(.recipe, row["title"]?.text, path, matches, visit)
      }
    }
    return found
  }

  private func finding(
    _ kind: Finding.Kind, _ name: String?, _ path: [String], _ matches: (String) -> Bool,
    _ visit: Visit
  ) -> [Finding] {
    guard let name, matches(name), ScreenList().screen(at: path) != nil else { return [] }
    return [Finding(kind, name, link: visit.link("/" + path.joined(separator: "/")))]
  }
}

/// Something that was found: a place to go to, or something to do.
private struct Finding {
  enum Kind: String { case place, habit, task, hive, goal, recipe, act }

  private let kind: Kind
  private let text: String
  private var link: String?
  private var form: [(String, String)] = []

  init(_ kind: Kind, _ text: String, link: String) {
    self.kind = kind
    self.text = text
    self.link = link
  }

  init(_ kind: Kind, _ text: String, form: [(String, String)]) {
    self.kind = kind
    self.text = text
    self.form = form
  }

  func fields(_ visit: Visit) -> Fields {
    [
      "text": text, "kind": visit.say("find.kind.\(kind.rawValue)"),
      "link": link ?? Nothing() as Any, "is_form": link == nil,
      "fields": form.map { ["name": $0.0, "value": $0.1] as Fields },
    ]
  }
}

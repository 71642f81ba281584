import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import Values
import Wire

/// What people fill into the forms of tasks, as columns of commands: a line that says all, a local time, a kind of repetition,
/// and labels that are chosen (DM-2, DM-4).
struct TaskFields {
  /// The commands whose forms have such fields.
  static let commands: Set = ["create_task", "update_task"]

  /// The repetitions that a form offers, by what it sends.
  static let rules = [
    ("daily", "FREQ=DAILY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ("weekly", "FREQ=WEEKLY"), ("monthly", "FREQ=MONTHLY"), ("yearly", "FREQ=YEARLY"),
  ]

  private let form: PageForm
  private let visit: Visit

  init(_ form: PageForm, _ visit: Visit) {
    self.form = form
    self.visit = visit
  }

  private var wall: WallClock { WallClock(timeZone: visit.clock.timeZone, zones: visit.zones) }

  /// The commands of a form, given the members that its fields mean by themselves.
  ///
  /// - Throws: ``PageRefusal``.
  func commands(_ members: [JSON.Member]) async throws -> [JSON] {
    var members = members
    if let text = form.fields["due_local"] {
      members.append(.init("due_at", try due(text).map { .string($0.description) } ?? .null))
    }
    if let name = form.fields["repeat"], name != "kept" {
      members.append(.init("recurrence_rule", rule(name, members).map { .string($0) } ?? .null))
    }
    let had = form.fields.items.filter { $0.name == "had_labels" }.map(\.value)
    if !had.isEmpty {
      let chosen = Set(form.fields.items.filter { $0.name == "labels" }.map(\.value))
      let removed = had.filter { !chosen.contains($0) }
      members.append(.init("removed_labels", .array(removed.map { .string($0) })))
    }
    guard let line = form.fields["quick"] else { return [.object(members)] }
    return try await quick(line, members)
  }

  /// An instant that a form says in the person's own time.
  private func due(_ text: String) throws -> Instant? {
    guard !text.isEmpty else { return nil }
    guard let local = LocalDateTime(text), let instant = wall.instant(of: local) else {
      throw PageRefusal(.badRequest, "refused.due")
    }
    return instant
  }

  private func rule(_ name: String, _ members: [JSON.Member]) -> String? {
    guard let rule = Self.rules.first(where: { $0.0 == name })?.1 else { return nil }
    let due = members.first { $0.name == "due_at" }?.value.text.flatMap { Instant($0) }
    return RecurrenceRule.reachingLastDays(rule, from: due.flatMap { wall.local(of: $0)?.day })
  }

  /// The commands of a line such as `call Bob tomorrow 5pm #home`. A label that does not exist yet is created.
  private func quick(_ line: String, _ members: [JSON.Member]) async throws -> [JSON] {
    let now = form.actedAt(visit) ?? visit.now
    let task = QuickTask(
      line, today: visit.clock.day(of: now, in: visit.zones) ?? visit.today, now: now, wall: wall)
    var commands: [JSON] = []
    // A form that leaves the bucket to the due time sends an empty one.
    var members = members.filter { $0.name != "bucket_key" || $0.value != .null }
    members.append(.init("title", .string(task.title)))
    if let due = task.due { members.append(.init("due_at", .string(due.description))) }
    if let rule = task.recurrence { members.append(.init("recurrence_rule", .string(rule))) }
    if !members.contains(where: { $0.name == "bucket_key" || $0.name == "parent_task_id" }) {
      members.append(.init("bucket_key", .string(task.bucket.rawValue)))
    }
    if !task.labels.isEmpty {
      let own = try await visit.ask("labels").elements ?? []
      var keys: [JSON] = []
      for name in task.labels {
        let known = own.first { SearchText($0["name"]?.text ?? "") == SearchText(name) }
        if let key = known?["id"]?.text {
          keys.append(.string(key))
          continue
        }
        // The same form makes the same label, however often it is sent.
        let key = form.id.map { Key(derivedFrom: ["label", $0.description, name]) } ?? Key()
        keys.append(.string(key.description))
        commands.append([
          "do": "create_label", "id": .string(key.description), "key": .string(key.description),
          "name": .string(name),
        ])
      }
      members.append(.init("labels", .array(keys)))
    }
    // When it is sent again, the labels exist, and the task is alone: so its key must not depend on its place.
    if !commands.isEmpty, let id = form.id {
      members.append(.init("id", .string(id.description)))
    }
    return commands + [.object(members)]
  }
}

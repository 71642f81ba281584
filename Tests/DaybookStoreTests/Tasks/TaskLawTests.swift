import Avro
import Daybook
import DaybookStore
import Journal
import PropertyTesting
import Testing

/// Laws of commands about tasks and labels: random commands, many of which are invalid.
@Suite(.tags(.law)) struct TaskLawTests {
  @Test func `a task tree is whole, replays alike, and survives an export (DM-3, ES-2)`() {
    let report = check("task histories", .taskActions(count: 0...40), cases: 10) {
      actions, statistics in
      var fixture = try TaskFixture()
      for action in actions { try fixture.play(action, &statistics) }
      let state = fixture.book.read { $0 }
      try expectEqual(try fixture.book.reader.state().digest, state.digest)
      try expectEqual(fixture.applied.digest, state.digest)
      let lines = try ExchangeWorld.export(fixture.book)
      let copy = try ExchangeWorld.book()
      try ExchangeWorld.importing(lines, into: copy)
      try expectEqual(copy.read { $0.digest }, state.digest)
      try expect(Self.rebuilt(state).map { $0.digest == state.digest } ?? false)
      statistics.cover("something was refused", atLeast: 20, fixture.refusals > 0)
      statistics.cover("something was a part of a part", atLeast: 5, fixture.deepest > 1)
      let items = state.tasks.elements
      statistics.cover("rows were purged", atLeast: 10, items.contains { $0.isPurged })
      statistics.cover("slots were done", atLeast: 1, items.contains { $0.occurrences.count > 1 })
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `an undo restores the former rows, and an undo of the undo the later ones (DM-2)`() {
    let report = check("undo", .taskActions(count: 1...25), cases: 5) { actions, statistics in
      var fixture = try TaskFixture()
      var undone = 0
      for action in actions {
        let before = fixture.rows
        let position = fixture.book.read { $0.position }
        try fixture.play(action, &statistics)
        let after = fixture.rows
        guard fixture.book.read({ $0.position }) > position, before != after else { continue }
        let undo = try fixture.undo(position + 1)
        try expectEqual(fixture.rows, before)
        let again = try fixture.undo(undo)
        try expectEqual(fixture.rows, after)
        // By then the first is no longer the last change.
        do {
          _ = try fixture.undo(position + 1)
        } catch let rejection as Rejection {
          try expect(rejection.code == "changed_since", "\(rejection)")
        }
        if fixture.rows != after { _ = try fixture.undo(fixture.lastCommit) }
        try expectEqual(fixture.rows, after)
        _ = again
        undone += 1
      }
      statistics.cover("several were undone", atLeast: 50, undone > 3)
    }
    #expect(report.passed, "\(report)")
  }

  private static func rebuilt(_ state: BookState) -> BookState? {
    var writer = BinaryWriter()
    var records = StateRecords(state)
    var builder = StateBuilder()
    var isWhole = true
    while records.writeNext(to: &writer) {}
    let bytes = writer.bytes
    var reader = BinaryReader(bytes.span.bytes)
    while !reader.isAtEnd, isWhole {
      do {
        var piece = StatePiece()
        isWhole = try piece.read(try reader.takeLong(), atMost: 1, from: &reader) == 1
        try builder.append(piece)
      } catch { isWhole = false }
    }
    return isWhole ? builder.finish() : nil
  }
}

/// A command; tasks and labels are named by small numbers.
enum TaskAction: Sendable {
  case create(key: Int?, under: Int?, bucket: Int, due: Int?, rule: Int?, title: Int)
  case describe(Int, title: Int)
  case schedule(Int, due: Int?, rule: Int?)
  case move(Int, bucket: Int?, under: Int?, before: Int?)
  case complete(Int, slot: Int?)
  case reopen(Int)
  case delete(Int, purge: Bool)
  case upsert(Int, title: Int, under: Int?, isDone: Bool?, isDeleted: Bool)
  /// A row from a device that knows a slot some days before or after the due one.
  case slot(Int, days: Int, isDone: Bool, hoursAgo: Int?)
  case label(Int, add: [Int], remove: [Int], purge: Bool)
  case createLabel(Int)
  case describeLabel(Int, Int)
  case deleteLabel(Int, purge: Bool)
}

extension Generator where Value == [TaskAction] {
  /// Actions of one account.
  static func taskActions(count: ClosedRange<Int>) -> Generator<[TaskAction]> {
    Generator { source in
      var actions: [TaskAction] = [
        .createLabel(0),
        .create(key: 0, under: nil, bucket: 0, due: nil, rule: nil, title: 1),
      ]
      try source.repeated(count) { source in actions.append(try source.draw(TaskAction.actions)) }
      return actions
    }
  }
}

extension TaskAction {
  static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;COUNT=2", "FREQ=WEEKLY;UNTIL=20260310T120000Z", "FREQ=HOURLY",
  ]
  static let titles = ["", "Milk", "Water", "Trip", " \n"]

  static let actions = Generator<TaskAction>.frequency(
    (
      6,
      Generator {
        .create(
          key: try $0.maybe(30, below: 9), under: try $0.maybe(50, below: 9),
          bucket: try $0.below(5), due: try $0.maybe(40, below: 5),
          rule: try $0.maybe(30, below: 4),
          title: try $0.happens(90) ? 1 : 0)
      }
    ),
    (2, Generator { .describe(try $0.below(9), title: try $0.below(5)) }),
    (
      2,
      Generator {
        .schedule(
          try $0.below(9), due: try $0.maybe(70, below: 5), rule: try $0.maybe(60, below: 4))
      }
    ),
    (
      5,
      Generator {
        .move(
          try $0.below(9), bucket: try $0.maybe(40, below: 5), under: try $0.maybe(40, below: 9),
          before: try $0.maybe(30, below: 9))
      }
    ),
    (6, Generator { .complete(try $0.below(9), slot: try $0.maybe(20, below: 5)) }),
    (3, Generator { .reopen(try $0.below(9)) }),
    (3, Generator { .delete(try $0.below(9), purge: try $0.happens(40)) }),
    (
      4,
      Generator {
        .upsert(
          try $0.below(12), title: try $0.below(4), under: try $0.maybe(30, below: 12),
          isDone: try $0.happens(40) ? try $0.happens(60) : nil, isDeleted: try $0.happens(8))
      }
    ),
    (
      6,
      Generator {
        .slot(
          try $0.below(9), days: try $0.draw(.integer(in: -3...3)), isDone: try $0.happens(80),
          hoursAgo: try $0.maybe(30, below: 60))
      }
    ),
    (
      3,
      Generator {
        .label(
          try $0.below(9), add: [try $0.below(3)],
          remove: try $0.happens(40) ? [try $0.below(3)] : [], purge: try $0.happens(40))
      }
    ),
    (1, Generator { .createLabel(try $0.below(3)) }),
    (1, Generator { .describeLabel(try $0.below(3), try $0.below(3)) }),
    (1, Generator { .deleteLabel(try $0.below(3), purge: try $0.happens(40)) }))

  func command(_ state: BookState, _ now: Instant) -> any Command {
    func task(_ number: Int) -> TaskItem.ID {
      TaskItem.ID(state.tasks.count == 0 ? 99 : number % state.tasks.count + 1)
        ?? state.tasks.nextNumber
    }
    func label(_ number: Int) -> TaskLabel.ID {
      TaskLabel.ID(state.labels.count == 0 ? 99 : number % state.labels.count + 1)
        ?? state.labels.nextNumber
    }
    func due(_ number: Int) -> Instant {
      now.advanced(byMilliseconds: Int64(number - 2) * 40_000_000)
    }
    switch self {
    case .create(let key, let parent, let bucket, let instant, let rule, let title):
      return CreateTask(
        key: key.map { Menu.key(8, $0) }, title: Self.titles[title],
        bucket: parent == nil ? TaskBucket.allCases[bucket] : nil, parent: parent.map { task($0) },
        due: instant.map { due($0) }, recurrence: rule.map { Self.rules[$0] },
        from: bucket == 1 ? .completion : .due, place: bucket == 2 ? .first : .last)
    case .describe(let number, let title):
      return UpdateTask(task(number)) { $0.title = Self.titles[title] }
    case .schedule(let number, let instant, let rule):
      return UpdateTask(task(number)) { content in
        content.due = instant.map { due($0) }
        if let rule { content.recurrence = Self.rules[rule] }
      }
    case .move(let number, let bucket, let parent, let before):
      return MoveTask(
        task(number), to: bucket.map { TaskBucket.allCases[$0] },
        place: before.map { .before(task($0)) } ?? .last
      ) {
        if let parent { $0.parent = task(parent) }
      }
    case .complete(let number, let slot):
      return CompleteTask(task(number), slot: slot.map { due($0) })
    case .reopen(let number): return ReopenTask(task(number))
    case .delete(let number, let purge): return DeleteTask(task(number), purge: purge)
    case .upsert(let number, let title, let parent, let isDone, let isDeleted):
      var command = UpsertTask(Menu.key(8, number)) { row in
        row.content.title = Self.titles[title]
        if let parent { row.parent = Menu.key(8, parent) }
        if let isDone { row.isDone = isDone }
      }
      command.deleted = isDeleted ? now : nil
      return command
    case .slot(let number, let days, let isDone, let hours):
      let item = state.tasks[task(number)]
      var command = UpsertTask(item?.key ?? Menu.key(8, number)) { row in
        row.content.due = item?.due?.advanced(byMilliseconds: Int64(days) * 86_400_000)
        row.content.recurrence = item?.repetition?.rule ?? item?.occurrences.last?.rule
        row.isDone = isDone
      }
      command.completed = hours.map { now.advanced(byMilliseconds: Int64($0) * -3_600_000) }
      return command
    case .label(let number, let added, let removed, let purge):
      return SetTaskLabels(
        task(number), add: added.map { label($0) }, remove: removed.map { label($0) },
        purge: purge)
    case .createLabel(let number):
      return CreateLabel(key: Menu.key(10, number), name: "label \(number)")
    case .describeLabel(let number, let name):
      return UpdateLabel(label(number)) {
        ($0.name, $0.color) = ("label \(name)", "#00FF0\(name)")
      }
    case .deleteLabel(let number, let purge): return DeleteLabel(label(number), purge: purge)
    }
  }
}

/// A book of one account, and a state to which every entry is applied, rolled back and applied again.
private struct TaskFixture {
  let clock = HandClock(Menu.beginnings[1])
  let book: Book
  let ada: Account.ID
  var applied: BookState
  var refusals = 0
  var deepest = 0
  var lastCommit: Int64 = 0

  init() throws {
    book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    ada = try book.record(CreateAccount(timeZone: "Europe/London"))
    applied = book.read { $0 }
  }

  mutating func play(_ action: TaskAction, _ statistics: inout Statistics) throws {
    clock.instant = clock.instant.advanced(byMilliseconds: 5_000_000)
    try carryOut(action.command(book.read { $0 }, clock.instant))
  }

  private mutating func carryOut<C: Command>(_ command: C) throws {
    let digest = book.read { $0.digest }
    do {
      lastCommit = try book.recordWithReceipt(command, by: ada).position
    } catch let rejection as Rejection {
      refusals += 1
      try expectEqual(book.read { $0.digest }, digest, "\(rejection.code) changed something")
      return
    }
    try follow()
  }

  /// Undoes the command of an entry; returns the position of the undo.
  mutating func undo(_ position: Int64) throws -> Int64 {
    clock.instant = clock.instant.advanced(byMilliseconds: 1)
    let past = try book.reader.commandHistory(at: position, knowing: book.read { $0 })
    lastCommit = try book.recordWithReceipt(UndoTask(position, past), by: ada).position
    try follow()
    return lastCommit
  }

  /// Applies the new entries, with a rollback; the tree must be whole.
  private mutating func follow() throws {
    var entries = NewEntries(after: applied.position)
    try book.reader.replay(into: &entries, from: applied.position + 1)
    let before = applied
    var rollback = Rollback()
    for entry in entries.entries { applied.apply(entry, noting: &rollback) }
    applied.rollBack(&rollback)
    try expectEqual(applied.tasks.elements, before.tasks.elements)
    try expectEqual(applied.labels.elements, before.labels.elements)
    try expectEqual(applied.tasks(of: ada).count, before.tasks(of: ada).count)
    try expectEqual(applied.labels(of: ada).count, before.labels(of: ada).count)
    for entry in entries.entries { applied.apply(entry) }
    for (number, task) in applied.tasks(of: ada) {
      var (next, seen) = (task.parent, Set([number]))
      while let above = next {
        guard let parent = applied.tasks[above] else { throw Broken(task.title) }
        try expect(seen.insert(above).inserted, "a task is a part of itself")
        try expect(!parent.isDeleted, "an orphan")
        try expect(task.isDone || !parent.isDone, "open below a completed task")
        next = parent.parent
      }
      deepest = max(deepest, seen.count - 1)
    }
  }

  /// The tables without their times, and without which rows are purged.
  var rows: [String] {
    let tables = ["tasks", "labels", "task_labels", "task_completions"]
    return book.read { state in
      Self.purged(state)
        + state.tables.filter { tables.contains($0.name) }.flatMap { table in
          table.rows.map { row in
            let members = (row.members ?? []).filter {
              !["updated_at", "created_at"].contains($0.name)
            }
            return table.name + " " + JSON.object(members).encoded
          }
        }
    }
  }

  private static func purged(_ state: BookState) -> [String] {
    state.tasks.elements.flatMap { task in
      (task.isPurged ? ["gone: \(task.key)"] : [])
        + task.labels.filter(\.isPurged).map { "gone: \(task.key) \($0.label)" }.sorted()
    } + state.labels.elements.filter(\.isPurged).map { "gone: \($0.key)" }
  }

  private struct Broken: Error {
    init(_ title: String) {}
  }
}

private struct NewEntries: Projection {
  let position: Int64
  var entries: [Entry] = []

  init(after position: Int64) { self.position = position }

  mutating func apply(_ entry: Entry) {
    if entry.head.position > position { entries.append(entry) }
  }
}

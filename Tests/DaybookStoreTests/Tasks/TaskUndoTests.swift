import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// Effects of an undo, and refusals.
@Suite(.tags(.unit)) struct TaskUndoTests {
  let book: Book
  let clock = HandClock(Menu.beginnings[0])
  let ada: Account.ID
  let milk: TaskItem.ID

  init() throws {
    book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    ada = try book.record(CreateAccount(timeZone: "Europe/London"))
    milk = try book.record(CreateTask(title: "Milk"), by: ada)
  }

  private func undo(_ position: Int64) throws -> JSON {
    let outcome = try book.record(line: #"{"do":"undo_task","position":\#(position)}"#, by: ada)
    return outcome.json
  }

  private func title(_ text: String) throws -> Int64 {
    let update = UpdateTask(milk) { $0.title = text }
    return try book.recordWithReceipt(update, by: ada).position
  }

  @Test func `an undo states what it did`() throws {
    let position = try book.recordWithReceipt(CompleteTask(milk), by: ada).position
    let json = try undo(position)
    #expect(json["ok"]?["undone"]?.integer == Int(position))
    #expect(json["ok"]?["did"]?.elements?.first?["event"] == "TaskReopened")
    #expect(json["ok"]?["did"]?.elements?.first?["name"] == "Milk")
    #expect(book.read { $0.tasks[milk]?.isDone } == false)
  }

  @Test func `a command whose result changed since is not undone, and the later entry is named`()
    throws
  {
    let first = try title("Oat milk")
    let second = try title("Soy milk")
    let json = try undo(first)
    #expect(json["error"]?["code"] == "changed_since")
    #expect(json["error"]?["message"]?.text?.contains("entry \(second) changed") == true)
    // Another field may have changed.
    let moved = try book.recordWithReceipt(MoveTask(milk, to: .weekend), by: ada).position
    _ = try undo(second)
    #expect(book.read { $0.tasks[milk]?.title } == "Oat milk")
    #expect(book.read { $0.tasks[milk]?.bucket } == .weekend)
    _ = try undo(moved)
    #expect(book.read { $0.tasks[milk]?.bucket } == .thisWeek)
  }

  @Test func `commands are undone one after another, back to the task's creation (DM-2)`() throws {
    let created = Int64(2)
    let first = try title("Oat milk")
    let done = try book.recordWithReceipt(CompleteTask(milk), by: ada).position
    let again = try book.recordWithReceipt(CompleteTask(milk), by: ada).position
    #expect(try undo(again)["error"]?["code"] == "nothing_to_undo" || again == done)
    let second = try title("Soy milk")
    for position in [second, done, first] { _ = try undo(position) }
    #expect(book.read { $0.tasks[milk]?.title } == "Milk")
    #expect(book.read { $0.tasks[milk]?.isDone } == false)
    _ = try undo(created)
    #expect(book.read { $0.tasks[milk]?.isDeleted } == true)
  }

  @Test func `a late completion is undone, also after the series ended (DM-5)`() throws {
    let noon = clock.instant
    let update = UpdateTask(milk) {
      ($0.due, $0.recurrence) = (noon, "FREQ=DAILY;COUNT=2")
    }
    try book.record(update, by: ada)
    let slot = { noon.advanced(byMilliseconds: $0 * 86_400_000) }
    for number in [2, 1, 0] as [Int64] {
      let before = book.read { $0.tasks[milk] }
      let position = try book.recordWithReceipt(CompleteTask(milk, slot: slot(number)), by: ada)
        .position
      let done = book.read { $0.tasks[milk] }
      #expect(done?.occurrences.count == 3 - Int(number))
      _ = try undo(position)
      let after = book.read { $0.tasks[milk] }
      #expect(after?.due == before?.due && after?.repetition == before?.repetition)
      #expect(after?.completed == before?.completed)
      _ = try undo(book.read { $0.position })
      #expect(book.read { $0.tasks[milk]?.due } == done?.due)
      #expect(book.read { $0.tasks[milk]?.completed } == done?.completed)
    }
  }

  @Test func `a changed completion time is undone`() throws {
    let done = clock.instant.advanced(byMilliseconds: -5000)
    try book.record(CompleteTask(milk, at: done), by: ada)
    let position = try book.recordWithReceipt(CompleteTask(milk, at: clock.instant), by: ada)
      .position
    #expect(book.read { $0.tasks[milk]?.completed } == clock.instant)
    _ = try undo(position)
    #expect(book.read { $0.tasks[milk]?.completed } == done)
  }

  @Test func `an entry about another task, or a missing one, is not undone`() throws {
    let own = try book.recordWithReceipt(CreateHabit(name: "Walk"), by: ada).position
    #expect(try undo(own)["error"]?["code"] == "not_undoable")
    // The refusal does not reveal the kind of another account's entries.
    let bob = try book.record(CreateAccount(timeZone: "Europe/London"))
    let habit = try book.recordWithReceipt(CreateHabit(name: "Run"), by: bob).position
    let task = try book.recordWithReceipt(CreateTask(title: "Oats"), by: bob).position
    for position in [1, habit, task] {
      #expect(try undo(position)["error"]?["code"] == "entry_not_found")
    }
    #expect(try undo(99)["error"]?["code"] == "entry_not_found")
    #expect(try undo(-1)["error"]?["code"] == "entry_not_found")
    let position = try book.recordWithReceipt(CompleteTask(milk), by: ada).position
    _ = try undo(position)
    #expect(try undo(position)["error"]?["code"] == "nothing_to_undo")
  }

  @Test func `any entry of a command undoes the whole command`() throws {
    let pack = try book.record(CreateTask(title: "Bottle", parent: milk), by: ada)
    let receipt = try book.recordWithReceipt(DeleteTask(milk), by: ada)
    #expect(receipt.count == 2)
    _ = try undo(receipt.position + 1)
    #expect(
      book.read { [$0.tasks[milk]?.isDeleted, $0.tasks[pack]?.isDeleted] } == [false, false])
  }

  @Test func `a purge of present tasks and tombstones is undone (DM-6)`() throws {
    let state = { book.read { state in state.tasks.elements.map { [$0.isDeleted, $0.isPurged] } } }
    let part = try book.record(CreateTask(title: "Bottle", parent: milk), by: ada)
    try book.record(DeleteTask(part), by: ada)
    let before = state()
    #expect(before.suffix(2) == [[false, false], [true, false]])
    let purge = try book.recordWithReceipt(DeleteTask(milk, purge: true), by: ada)
    let purged = state()
    #expect(purged.suffix(2) == [[true, true], [true, true]])
    let back = try undo(purge.position)
    #expect(back["error"] == nil && state() == before)
    _ = try undo(book.read { $0.position })
    #expect(state() == purged)
    // Purged later, it is first a tombstone again, then a task.
    _ = try undo(book.read { $0.position })
    let deletion = try book.recordWithReceipt(DeleteTask(milk), by: ada).position
    let later = try book.recordWithReceipt(DeleteTask(milk, purge: true), by: ada).position
    #expect(try undo(deletion)["error"]?["code"] == "changed_since")
    _ = try undo(later)
    #expect(state().suffix(2) == [[true, false], [true, false]])
    _ = try undo(deletion)
    #expect(state() == before)
    #expect(try book.reader.state().tasks.elements == book.read { $0.tasks.elements })
  }

  @Test func `a creation is not undone while the task has parts`() throws {
    let part = try book.recordWithReceipt(CreateTask(title: "Bottle", parent: milk), by: ada)
      .position
    let json = try undo(2)
    #expect(json["error"]?["code"] == "changed_since")
    #expect(json["error"]?["message"]?.text?.contains("by now it has a subtask") == true)
    _ = try undo(part)
    _ = try undo(2)
    #expect(book.read { $0.tasks[milk]?.isDeleted } == true)
  }

  @Test func `an undone change blocks no undo, and a later change does`() throws {
    let first = try title("Oat milk")
    let moved = try book.recordWithReceipt(MoveTask(milk, to: .weekend), by: ada).position
    _ = try undo(first)
    let creation = try undo(2)
    #expect(creation["error"]?["message"]?.text?.contains("entry \(moved) changed") == true)
    let second = try title("Soy milk")
    let third = try title("Rice milk")
    _ = try undo(third)
    _ = try title("Cold milk")
    let last = try title("Goat milk")
    // The last entry is named: nothing came after it, and it can be undone.
    let json = try undo(second)
    #expect(json["error"]?["message"]?.text?.contains("entry \(last) changed") == true)
  }

  @Test func `creating a label that a task has is not undone, and no other entry is blamed`() throws
  {
    let created = try book.recordWithReceipt(CreateLabel(name: "home"), by: ada)
    let given = try book.recordWithReceipt(SetTaskLabels(milk, add: [created.answer]), by: ada)
      .position
    _ = try title("Oat milk")
    let json = try undo(created.position)
    #expect(json["error"]?["code"] == "changed_since")
    #expect(json["error"]?["message"]?.text?.contains("remove it from the task") == true)
    _ = try undo(given)
    _ = try undo(created.position)
    #expect(book.read { $0.labels(of: ada).isEmpty })
  }

  @Test func `an undo does not move a part below a task completed meanwhile`() throws {
    let pack = try book.record(CreateTask(title: "Bottle", parent: milk), by: ada)
    let moved = try book.recordWithReceipt(MoveTask(pack) { $0.parent = nil }, by: ada).position
    try book.record(CompleteTask(milk), by: ada)
    _ = try title("Oat milk")
    let json = try undo(moved)
    #expect(json["error"]?["code"] == "changed_since")
    #expect(json["error"]?["message"]?.text?.contains("reopen or restore the parent") == true)
    clock.instant = clock.instant.advanced(byMilliseconds: 5000)
    try book.record(ReopenTask(milk), by: ada)
    _ = try undo(moved)
    #expect(book.read { $0.tasks[pack]?.parent } == milk)
  }

  @Test(arguments: ["FREQ=DAILY", "FREQ=DAILY;COUNT=1"])
  func `a part's slot completed with its parent is undone, and completed again (DM-5)`(
    rule: String
  ) throws {
    let (noon, key) = (clock.instant, Key(high: 8, low: 8))
    let part = try book.record(
      CreateTask(key: key, title: "Bottle", parent: milk, due: noon, recurrence: rule), by: ada)
    try book.record(CompleteTask(milk), by: ada)
    let before = book.read { $0.tasks[part] }
    var row = UpsertTask(key) { ($0.content.due, $0.isDone) = (noon, true) }
    row.completed = noon.advanced(byMilliseconds: -5000)
    var position = try book.recordWithReceipt(row, by: ada).position
    let done = book.read { $0.tasks[part] }
    #expect(done?.currentSlots.count == 1)
    for expected in [before, done, before] {
      let next = book.read { $0.position + 1 }
      _ = try undo(position)
      let after = book.read { $0.tasks[part] }
      #expect(after?.completed == expected?.completed && after?.due == expected?.due)
      #expect(after?.repetition == expected?.repetition)
      #expect(after?.wasDoneWithParent == true)
      #expect(after?.currentSlots == expected?.currentSlots)
      position = next
    }
    let copy = try ExchangeWorld.book()
    try ExchangeWorld.importing(try ExchangeWorld.export(book), into: copy)
    #expect(copy.read { $0.digest } == book.read { $0.digest })
  }

  @Test func `a completion that made a done task repeat is undone, and done again (DM-5)`() throws {
    try book.record(CompleteTask(milk), by: ada)
    let before = book.read { $0.tasks[milk] }
    for rule in ["FREQ=DAILY", "FREQ=DAILY;COUNT=1"] {
      let row = UpsertTask(try #require(before?.key)) {
        ($0.content.due, $0.content.recurrence, $0.isDone) = (clock.instant, rule, true)
      }
      let position = try book.recordWithReceipt(row, by: ada).position
      let done = book.read { $0.tasks[milk] }
      #expect(done?.currentSlots.count == 1)
      let undone = book.read { $0.position + 1 }
      _ = try undo(position)
      let after = book.read { $0.tasks[milk] }
      #expect(after?.completed == before?.completed && after?.repetition == nil)
      #expect(after?.currentSlots == [])
      _ = try undo(undone)
      let again = book.read { $0.tasks[milk] }
      #expect(again?.completed == done?.completed && again?.due == done?.due)
      #expect(again?.repetition == done?.repetition && again?.currentSlots == done?.currentSlots)
      _ = try undo(book.read { $0.position })
    }
  }

  @Test func `undoing a completed occurrence restores its slot (DM-5)`() throws {
    let update = UpdateTask(milk) {
      ($0.due, $0.recurrence) = (clock.instant, "FREQ=DAILY;COUNT=2")
    }
    try book.record(update, by: ada)
    let before = book.read { $0.tasks[milk] }
    let position = try book.recordWithReceipt(CompleteTask(milk), by: ada).position
    #expect(book.read { $0.tasks[milk]?.repetition?.rule } == "FREQ=DAILY;COUNT=1")
    _ = try undo(position)
    let after = book.read { $0.tasks[milk] }
    #expect(after?.due == before?.due && after?.repetition == before?.repetition)
    #expect(book.read { $0.tables.first { $0.name == "task_completions" }?.rows } == [])
    _ = try undo(position + 1)
    #expect(book.read { $0.tasks[milk]?.repetition?.rule } == "FREQ=DAILY;COUNT=1")
    #expect(book.read { $0.tables.first { $0.name == "task_completions" }?.rows.count } == 1)
  }
}

extension TaskItem {
  /// The keys of the completed occurrences.
  fileprivate var currentSlots: [Key] {
    occurrences.compactMap { $0.removed == nil ? $0.key : nil }
  }
}

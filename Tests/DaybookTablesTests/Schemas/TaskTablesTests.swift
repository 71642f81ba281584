import Calendar
import Daybook
import DaybookStore
import Testing
import Values

@testable import DaybookTables

/// The tables of tasks and labels.
@Suite(.tags(.unit)) struct TaskTablesTests {
  private let world: TableWorld
  private let ada: Account.ID

  init() throws {
    world = try TableWorld()
    ada = world.people[0]
  }

  @Test func `a row makes a task, and an update changes only its columns (DM-2, DM-7)`() throws {
    let task = try world.insert(
      "tasks",
      [
        "id": .uuid(TableWorld.key(1)), "title": .text("Call"), "bucket_key": .text("WEEKEND"),
        "recurrence_rule": .text("FREQ=WEEKLY"), "due_at": .timestamp(world.now),
      ], by: ada)
    #expect(task["id"] == .uuid(TableWorld.key(1)))
    #expect(task.text("bucket_key") == "WEEKEND")
    #expect(task.text("recurrence_rule") == "FREQ=WEEKLY")
    #expect(task["deleted_at"] == .null)
    let changed = try world.update("tasks", task, to: ["title": .text("Write")], by: ada)
    #expect(changed.text("title") == "Write")
    #expect(changed["due_at"] == task["due_at"])
    #expect(try #require(changed.instant("updated_at")) > #require(task.instant("updated_at")))
  }

  @Test func `completing and reopening change a row (DM-2)`() throws {
    let task = try world.insert("tasks", ["title": .text("Call")], by: ada)
    let done = try world.update("tasks", task, to: ["is_completed": .bool(true)], by: ada)
    #expect(done.flag("is_completed") == true)
    #expect(done.instant("completed_at") != nil)
    let open = try world.update("tasks", done, to: ["completed_at": .null], by: ada)
    #expect(open.flag("is_completed") == false)
  }

  @Test func `a tombstone stays a row, and a deletion removes it with its parts (DM-2, DM-6)`()
    throws
  {
    let parent = try world.insert("tasks", ["title": .text("Move")], by: ada)
    let child = try world.insert(
      "tasks", ["title": .text("Pack"), "parent_task_id": parent["id"] ?? .null], by: ada)
    #expect(child["parent_task_id"] == parent["id"])
    let dead = try world.update(
      "tasks", parent, to: ["deleted_at": .timestamp(world.now)], by: ada)
    #expect(dead.instant("deleted_at") != nil)
    #expect(try world.rows("tasks", for: ada).count == 2)
    try world.delete("tasks", dead, by: ada)
    #expect(try world.rows("tasks", for: ada).isEmpty)
  }

  @Test func `restoring a tombstone restores its parts (DM-2)`()
    throws
  {
    let parent = try world.insert("tasks", ["title": .text("Move")], by: ada)
    try world.insert(
      "tasks", ["title": .text("Pack"), "parent_task_id": parent["id"] ?? .null], by: ada)
    let dead = try world.update(
      "tasks", parent, to: ["deleted_at": .timestamp(world.now)], by: ada)
    let back = try world.update(
      "tasks", dead, to: ["deleted_at": .null, "title": .text("Move out")], by: ada)
    #expect(back["deleted_at"] == .null && back.text("title") == "Move out")
    #expect(try world.rows("tasks", for: ada).allSatisfy { $0["deleted_at"] == .null })
    let label = try world.insert("labels", ["name": .text("Home")], by: ada)
    let lost = try world.update(
      "labels", label, to: ["deleted_at": .timestamp(world.now)], by: ada)
    #expect(lost.instant("deleted_at") != nil)
    let found = try world.update("labels", lost, to: ["deleted_at": .null], by: ada)
    #expect(found["deleted_at"] == .null)
  }

  @Test func `labels are added, removed, added again and deleted (DM-4, DM-8)`() throws {
    let task = try world.insert("tasks", ["title": .text("Call")], by: ada)
    let label = try world.insert("labels", ["name": .text("Home")], by: ada)
    let link = try world.insert(
      "task_labels", ["task_id": task["id"] ?? .null, "label_id": label["id"] ?? .null], by: ada)
    #expect(link["deleted_at"] == .null)
    let lost = try world.update(
      "task_labels", link, to: ["deleted_at": .timestamp(world.now)], by: ada)
    #expect(lost.instant("deleted_at") != nil)
    let back = try world.update("task_labels", lost, to: ["deleted_at": .null], by: ada)
    #expect(back["deleted_at"] == .null)
    try world.delete("task_labels", back, by: ada)
    #expect(try world.rows("task_labels", for: ada).isEmpty)
    try world.insert(
      "task_labels", ["task_id": task["id"] ?? .null, "label_id": label["id"] ?? .null], by: ada)
    try world.delete("labels", label, by: ada)
    #expect(try world.rows("labels", for: ada).isEmpty)
    #expect(try world.rows("task_labels", for: ada).isEmpty)
  }

  @Test func `a label can be put only on one's own tasks (DM-11)`() throws {
    let task = try world.insert("tasks", ["title": .text("Call")], by: ada)
    let bob = world.people[1]
    let label = try world.insert("labels", ["name": .text("Home")], by: bob)
    let error = #expect(throws: TableError.self) {
      try world.insert(
        "task_labels", ["task_id": task["id"] ?? .null, "label_id": label["id"] ?? .null], by: bob)
    }
    #expect(error?.code == "23503", "another account's label does not exist for them")
  }
}

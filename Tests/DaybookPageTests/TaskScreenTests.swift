import Calendar
import Daybook
import DaybookStore
import Foundation
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookPage

/// Tasks, labels, and finding things.
@Suite(.tags(.unit)) struct TaskScreenTests {
  private func visit() async throws -> (world: PageWorld, browser: Browser, ada: Key) {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    try world.record(#"{"do":"update_profile","timezone":"UTC"}"#, as: try browser.account())
    return (world, browser, try browser.account())
  }

  private func task(_ title: String, _ world: PageWorld) throws -> TaskItem {
    try #require(world.book.read { $0.tasks.elements.first { $0.title == title } })
  }

  @Test func `a line adds a task with its time, bucket and labels (DM-2, DM-4)`() async throws {
    let (world, browser, _) = try await visit()
    // 1 March 2026 is a Sunday.
    try await browser.submit(
      "create_task", ["quick": "call Bob tomorrow 5pm #home", "bucket_key": ""], on: "/tasks")
    let found = try task("call Bob", world)
    #expect(found.bucket == .nextWeek)
    #expect(found.due == Instant("2026-03-02T17:00:00Z"))
    let page = await browser.get("/tasks").text
    #expect(page.contains("</svg>home</span>"))
    // The same label, and a bucket that was chosen.
    try await browser.submit(
      "create_task", ["quick": "sweep #Home", "bucket_key": "ROUTINES"], on: "/tasks")
    #expect(try task("sweep", world).bucket == .routines)
    #expect(world.book.read { $0.labels.elements.count } == 1)
  }

  @Test func `a task is edited, with its repetition, due time and labels (DM-2, DM-4, DM-5)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    for name in ["home", "work"] {
      try world.record(#"{"do":"create_label","name":"\#(name)"}"#, as: ada)
    }
    let labels = world.book.read { $0.labels.elements.map(\.key.description) }
    try world.record(
      #"{"do":"create_task","title":"Rent","labels":["\#(labels[0])"]}"#, as: ada)
    let page = "/tasks/\(try task("Rent", world).key)"
    try await browser.submit(
      "update_task",
      [
        "title": "Rent", "description": "to Cy", "due_local": "2026-03-31T09:00",
        "repeat": "monthly", "labels": labels[1],
      ], on: page)
    let found = try task("Rent", world)
    #expect(found.due == Instant("2026-03-31T09:00:00Z"))
    #expect(found.description == "to Cy")
    #expect(found.repetition?.rule.description.contains("MONTHLY") == true)
    #expect(found.currentLabels.map(\.number) == [2])
    let after = await browser.get(page).text
    #expect(after.contains("value=\"2026-03-31T09:00\""))
    #expect(after.contains("<option value=\"kept\" selected>"))
    // What is kept stays, and an empty time is none.
    try await browser.submit(
      "update_task", ["title": "Rent", "due_local": "soon"], on: page)
    #expect(try task("Rent", world).due != nil)
    try await browser.submit(
      "update_task", ["title": "Rent", "due_local": "", "repeat": "none", "labels": labels[1]],
      on: page)
    #expect(try task("Rent", world).due == nil)
    #expect(try task("Rent", world).repetition == nil)
    #expect(try task("Rent", world).currentLabels.map(\.number) == [2])
  }

  @Test func `a task has parts, is moved, and is deleted with them (DM-1, DM-3)`() async throws {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_task","title":"Party"}"#, as: ada)
    let party = try task("Party", world).key.description
    try await browser.submit("create_task", ["quick": "Cake"], on: "/tasks/\(party)")
    let part = try task("Cake", world)
    #expect(part.parent?.number == 1)
    #expect(await browser.get("/tasks/\(party)").text.contains("href=\"/tasks/\(part.key)\""))
    try await browser.submit(
      "move_task", ["task": party, "bucket_key": "WEEKEND"], on: "/tasks")
    #expect(try task("Cake", world).bucket == .weekend)
    try world.record(#"{"do":"create_task","title":"First","bucket_key":"WEEKEND"}"#, as: ada)
    // As a script sends it when a task is dropped before another one.
    try await browser.submit(
      "move_task",
      ["task": try task("First", world).key.description, "bucket_key": "WEEKEND", "before": party],
      on: "/tasks")
    let page = await browser.get("/tasks").text
    let (first, second) = (page.range(of: ">First</a>"), page.range(of: ">Party</a>"))
    #expect(try #require(first).lowerBound < (try #require(second)).lowerBound)
    let answer = await browser.post(
      "/do",
      [
        "token": try #require(browser.formToken(in: page)), "do": "delete_task", "task": party,
        "back": "/tasks",
      ])
    #expect(answer.location == "/tasks")
    #expect(!(await browser.get("/tasks").text.contains(">Cake</a>")))
    #expect(await browser.get("/tasks/\(party)").status == .notFound)
  }

  @Test func `labels filter by any or all of them, as the address says (DM-4)`() async throws {
    let (world, browser, ada) = try await visit()
    for name in ["a", "b"] {
      try world.record(#"{"do":"create_label","name":"\#(name)"}"#, as: ada)
    }
    let keys = world.book.read { $0.labels.elements.map(\.key.description) }
    for (title, labels) in [
      ("One", "\"\(keys[0])\""), ("Both", "\"\(keys[0])\",\"\(keys[1])\""), ("None", ""),
    ] {
      try world.record(#"{"do":"create_task","title":"\#(title)","labels":[\#(labels)]}"#, as: ada)
    }
    let any = await browser.get("/tasks?labels=\(keys[0])&labels=\(keys[1])").text
    #expect(any.contains(">One</a>") && any.contains(">Both</a>") && !any.contains(">None</a>"))
    let all = await browser.get("/tasks?labels=\(keys[0])&labels=\(keys[1])&needed=all").text
    #expect(!all.contains(">One</a>") && all.contains(">Both</a>"))
    #expect(all.contains("value=\"\(keys[0])\" checked"))
    #expect(all.contains("value=\"all\" checked"))
    let completed = await browser.get("/tasks?status=completed").text
    #expect(!completed.contains(">One</a>"))
    #expect(await browser.get("/tasks?labels=x").status.code >= 400)
  }

  @Test func `labels are created, changed and deleted (DM-4)`() async throws {
    let (world, browser, ada) = try await visit()
    try await browser.submit(
      "create_label", ["name": "home", "color": "#112233"], on: "/tasks/labels")
    let label = try #require(world.book.read { $0.labels.elements.first })
    #expect(label.name == "home" && label.color == "#112233")
    let form: [String: String] = ["label": label.key.description]
    try await browser.submit(
      "update_label", form.merging(["name": "house", "color": "#445566"]) { $1 },
      on: "/tasks/labels")
    #expect(world.book.read { $0.labels.elements.first?.name } == "house")
    try await browser.submit("delete_label", form, on: "/tasks/labels")
    #expect(await browser.get("/tasks/labels").text.contains("There is no label yet."))
    _ = ada
  }

  @Test func `others' tasks are not found, and hostile titles are text`() async throws {
    let (world, browser, ada) = try await visit()
    let bob = try await world.browser(of: "bob@example.com")
    try world.record(#"{"do":"create_task","title":"Secret"}"#, as: try bob.account())
    let secret = try task("Secret", world).key
    #expect(await browser.get("/tasks/\(secret)").status == .notFound)
    #expect(!(await browser.get("/find?search=Secret").text.contains(">Secret<")))
    let hostile = #"<script>x</script>\"'&{{token}}"#
    for line in [
      #"{"do":"create_task","title":"\#(hostile)","description":"</textarea>\#(hostile)"}"#,
      #"{"do":"create_label","name":"\#(hostile)"}"#,
      #"{"do":"create_habit","name":"\#(hostile)"}"#,
    ] { try world.record(line, as: ada) }
    let key = try #require(world.book.read { $0.tasks.elements.last?.key })
    for target in ["/tasks", "/tasks/\(key)", "/tasks/labels", "/find?search=script", "/find"] {
      let text = await browser.get(target).text
      #expect(text.contains("&lt;script&gt;x"), "\(target)")
      #expect(!text.contains("<script>x") && !text.contains("</textarea>&lt;"), "\(target)")
    }
  }

  // MARK: Finding

  @Test func `what is typed finds places, things, days and what can be done (DM-14)`() async throws
  {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: ada)
    try world.record(#"{"do":"create_task","title":"Ready the boat"}"#, as: ada)
    try world.record(#"{"do":"create_hive","name":"Readers"}"#, as: ada)
    let page = await browser.get("/find?search=read").text
    for said in [
      ">Read<", ">Log Read<", ">Skip Read<", ">Ready the boat<", ">Complete Ready the boat<",
      ">Readers<", ">Add the task read<",
    ] { #expect(page.contains(said), "\(said)") }
    try await browser.submit("log_habit", on: "/find?search=read")
    #expect(await browser.get("/").text.contains("1 of 1 done"))
    #expect(await browser.get("/find?search=read").text.contains(">Clear Read<"))
    try await browser.submit("create_task", on: "/find?search=sail%20tomorrow")
    #expect(try task("sail", world).due != nil)
    #expect(await browser.get("/find?search=insi").text.contains("href=\"/insights\""))
    world.clock.advance(days: 5)
    let days = await browser.get("/find?search=yesterday").text
    #expect(days.contains("href=\"/?on=2026-03-05\""))
    #expect(days.contains("href=\"/?as_of=2026-03-05\""))
    let german = Browser(world, language: "de")
    german.cookies = browser.cookies
    #expect(await german.get("/find?search=heute").text.contains("href=\"/?on=2026-03-06\""))
    let past = await browser.get("/find?search=read&as_of=2026-03-02").text
    #expect(past.contains(">Read<") && !past.contains("action=\"/do\""))
  }
}

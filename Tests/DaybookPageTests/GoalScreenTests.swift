import Daybook
import DaybookStore
@testable import DaybookPage
import HTTPTypes
import Testing
import Values
import Wire

/// Goals: a list, a screen each, and the habits that lead to them (MO-2, MO-3, MO-6).
@Suite(.tags(.unit)) struct GoalScreenTests {
  private func visit() async throws -> (world: PageWorld, browser: Browser, ada: Key) {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    return (world, browser, try browser.account())
  }

  /// The only goal that is not deleted.
  private func goal(_ world: PageWorld) throws -> Goal {
    try #require(world.book.read { $0.goals.elements.first { !$0.isDeleted } })
  }

  @Test func `without goals the screen prompts for one, and a new one leads to its screen (MO-6)`()
    async throws
  {
    let (world, browser, _) = try await visit()
    #expect(await browser.get("/goals").text.contains("There is no goal yet."))
    #expect(await browser.get("/").text.contains("href=\"/goals\">Set a goal"))
    let answer = try await browser.submit(
      "create_goal", ["title": "Run a marathon", "description": "In autumn"], on: "/goals")
    let goal = try goal(world)
    #expect(answer.location == "/goals/\(goal.key)")
    let text = await browser.get(answer.location).text
    #expect(text.contains("<h1>Run a marathon</h1>"))
    #expect(text.contains("<p>In autumn</p>"))
    #expect(text.contains("No habit leads to this goal yet."))
  }

  @Test func `a goal without a title is refused on its own screen, with what was typed (MO-2)`()
    async throws
  {
    let (world, browser, _) = try await visit()
    let answer = try await browser.submit(
      "create_goal", ["title": " ", "description": "Slowly <b>"], on: "/goals")
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("a goal needs a title."))
    #expect(answer.text.contains(">Slowly &lt;b&gt;</textarea>"))
    #expect(answer.text.contains("aria-invalid=\"true\""))
    #expect(answer.text.contains("<h1>Goals</h1>"))
    #expect(world.book.read { $0.goals.elements.isEmpty })
  }

  @Test func `a goal's habits are added, attached and detached, and its ring counts them (MO-3)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_habit","name":"Stretch"}"#, as: ada)
    try world.record(#"{"do":"create_goal","title":"Run"}"#, as: ada)
    let page = "/goals/\(try goal(world).key)"
    #expect(try await browser.submit("create_habit", ["name": "Jog"], on: page).location == page)
    let stretch = try #require(
      world.book.read { $0.habits.elements.first { $0.name == "Stretch" } })
    try await browser.submit("attach_habit", ["habit": stretch.key.description], on: page)
    try await browser.submit("log_habit", ["habit": stretch.key.description], on: "/")
    let text = await browser.get(page).text
    #expect(text.contains("aria-label=\"1 of 2 habits done today\""))
    #expect(text.contains(">Jog</a>") && text.contains(">Stretch</a>"))
    #expect(text.contains("<dt>Current streak</dt><dd>1 day</dd>"))
    #expect(await browser.get("/goals").text.contains("2 habits"))
    #expect(await browser.get("/").text.contains("href=\"\(page)\">Run</a>"))
    try await browser.submit("detach_habit", on: page)
    #expect(world.book.read { $0.habits.elements.count { $0.goal != nil } } == 1)
    let refused = try await browser.submit("create_habit", ["name": " "], on: page)
    #expect(refused.text.contains("<h1>Run</h1>") && refused.text.contains("role=\"alert\""))
  }

  @Test func `a goal is edited, and deleted with its habits; the past still has them (MO-2)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_goal","title":"Run","description":"Far"}"#, as: ada)
    let key = try goal(world).key
    try world.record(#"{"do":"create_habit","name":"Jog","goal":"\#(key)"}"#, as: ada)
    let page = "/goals/\(key)"
    try await browser.submit("update_goal", ["title": "Run far", "description": ""], on: page)
    #expect(try goal(world).title == "Run far")
    #expect(try goal(world).description == nil)
    let refused = try await browser.submit("update_goal", ["title": ""], on: page)
    #expect(refused.text.contains("a goal needs a title."))
    #expect(refused.text.contains("<details class=\"fold\" open>"))
    world.clock.advance(days: 1)
    #expect(try await browser.submit("delete_goal", on: page).location == "/goals")
    #expect(await browser.get(page).status == .notFound)
    #expect(await browser.get("/habits").text.contains("There is no habit yet."))
    let then = await browser.get(page + "?as_of=2026-03-01").text
    #expect(then.contains("Run far") && then.contains(">Jog</a>"))
    #expect(!then.contains("action=\"/do\""))
    #expect(then.contains("href=\"/goals?as_of=2026-03-01\""))
  }

  @Test func `another account's goal is not found`() async throws {
    let (world, browser, _) = try await visit()
    let bob = try await world.browser(of: "bob@example.com")
    try world.record(#"{"do":"create_goal","title":"Secret"}"#, as: try bob.account())
    let page = "/goals/\(try goal(world).key)"
    for target in [page, "/goals/x", "/habits/new?goal=\(try goal(world).key)"] {
      #expect(!(await browser.get(target).text.contains("Secret")))
    }
    #expect(await browser.get(page).status == .notFound)
  }
}

import Calendar
import Daybook
import DaybookStore
@testable import DaybookPage
import HTTPTypes
import Streaks
import Testing
import Values
import Wire

/// The list of habits, their form, pauses and focus (HH-7, DG-2).
@Suite(.tags(.unit)) struct HabitScreenTests {
  private func visit() async throws -> (world: PageWorld, browser: Browser, ada: Key) {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    return (world, browser, try browser.account())
  }

  private func habit(_ world: PageWorld) throws -> Habit {
    try #require(world.book.read { $0.habits.elements.last })
  }

  // MARK: The form

  @Test func `a habit is created with all that its form offers (HH-7)`() async throws {
    let (world, browser, _) = try await visit()
    let answer = try await browser.submit(
      "create_habit",
      [
        "name": "Drink", "emoji": "💧", "color_hex": "#5ac8fa", "question": "Enough?",
        "type": "counter", "target_bound": "at_least", "target_per_day": "2,5", "unit": "l",
        "schedule": "quota", "weekday": "3", "quota_times": "3", "quota_days": "7",
        "reminders": "08:30",
      ], on: "/habits/new")
    let made = try habit(world)
    #expect(answer.location == "/habits/\(made.key)")
    #expect(made.name == "Drink" && made.description.emoji == "💧")
    #expect(made.description.question == "Enough?" && made.description.unit == "l")
    #expect(made.type == .counter && made.version.target.amount.description == "2.5")
    #expect(made.version.schedule == Schedule.quota(3, in: 7))
    #expect(made.reminders.map(\.description) == ["08:30"])
    #expect(await browser.get(answer.location).text.contains("<li>3 times in 7 days</li>"))
  }

  @Test func `the fields of other schedules do not count`() async throws {
    let (world, browser, _) = try await visit()
    let body = try await browser.filled(
      "create_habit", ["name": "Read", "schedule": "weekdays"], on: "/habits/new")
    let days = Array("&weekday=0&weekday=2&weekday=4&quota_times=3&quota_days=7".utf8)
    #expect(await browser.send(.post, "/do", body + days).status == .seeOther)
    #expect(
      try habit(world).version.schedule == .weekdays(try #require(WeekdayMask(bits: 0b10101))))
    let list = await browser.get("/habits").text
    #expect(list.contains("<p class=\"soft\">Mon, Wed, Fri</p>"))
  }

  @Test func `a form that is refused keeps what was typed (HH-7)`() async throws {
    let (world, browser, _) = try await visit()
    let none = try await browser.submit(
      "create_habit", ["name": "Read", "schedule": "weekdays", "unit": "pages"],
      on: "/habits/new")
    #expect(none.status.code == 400)
    #expect(none.text.contains("Choose at least one weekday."))
    #expect(none.text.contains("name=\"name\" value=\"Read\""))
    #expect(none.text.contains("name=\"unit\" value=\"pages\""))
    #expect(none.text.contains("name=\"schedule\" value=\"weekdays\" checked"))
    let nameless = try await browser.submit("create_habit", ["name": ""], on: "/habits/new")
    #expect(nameless.text.contains("a habit needs a name."))
    #expect(nameless.text.contains("aria-describedby=\"refused\""))
    #expect(world.book.read { $0.habits.elements.isEmpty })
  }

  @Test func `the form of a habit is filled in, and an emptied field is cleared (HH-7)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    try world.record(
      ##"{"do":"create_habit","name":"Run","emoji":"🏃","color_hex":"#abc","schedule_weekmask":96,"reminders":["07:00"]}"##,
      as: ada)
    let key = try habit(world).key
    let text = await browser.get("/habits/\(key)/edit").text
    #expect(text.contains("<h1>Edit Run</h1>"))
    #expect(text.contains("name=\"color_hex\" value=\"#aabbcc\""))
    #expect(text.contains("name=\"weekday\" value=\"5\" checked"))
    #expect(!text.contains("name=\"weekday\" value=\"4\" checked"))
    #expect(text.contains("name=\"reminders\" value=\"07:00\""))
    let answer = try await browser.submit(
      "update_habit", ["name": "Jog", "emoji": "", "schedule": "daily", "reminders": ""],
      on: "/habits/\(key)/edit")
    #expect(answer.location == "/habits/\(key)")
    let changed = try habit(world)
    #expect(changed.name == "Jog" && changed.description.emoji.isEmpty)
    #expect(changed.version.schedule == .daily && changed.reminders.isEmpty)
    #expect(await browser.get("/habits/x/edit").status == .notFound)
  }

  // MARK: The list

  @Test func `a habit is archived, restored and deleted (HH-7)`() async throws {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: ada)
    let page = "/habits/\(try habit(world).key)"
    try await browser.submit("archive_habit", on: page)
    #expect(try habit(world).isArchived)
    #expect(await browser.get("/habits").text.contains("<h2 id=\"archived-name\">Archived</h2>"))
    try await browser.submit("restore_habit", on: "/habits")
    #expect(!(try habit(world).isArchived))
    try await browser.submit("archive_habit", on: page)
    #expect(try await browser.submit("delete_habit", on: "/habits").location == "/habits")
    #expect(!(await browser.get("/habits").text.contains(">Read</a>")))
    #expect(await browser.get(page).status == .notFound)
  }

  @Test func `the focus is set, shown and ended (DG-2, DG-4)`() async throws {
    let (world, browser, ada) = try await visit()
    for name in ["Read", "Walk"] {
      try world.record(#"{"do":"create_habit","name":"\#(name)"}"#, as: ada)
    }
    #expect(!(await browser.get("/").text.contains("In focus:")))
    let key = try habit(world).key.description
    try await browser.submit("choose_focus", ["habit": key], on: "/habits")
    #expect(await browser.get("/").text.contains("In focus: <a href=\"/habits/\(key)\">Walk</a>"))
    #expect(await browser.get("/habits").text.contains("<option value=\"\(key)\" selected>"))
    try await browser.submit("choose_focus", on: "/habits/\(key)")
    #expect(!(await browser.get("/").text.contains("In focus:")))
  }

  @Test func `pauses begin, end and are called off, and say what they mean`() async throws {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: ada)
    #expect(await browser.get("/habits").text.contains("There was no pause so far."))
    try await browser.submit("pause", ["to": "2026-03-05"], on: "/")
    let today = await browser.get("/").text
    #expect(today.contains("Paused until Thu, Mar 5, 2026: nothing is due."))
    #expect(today.contains("<p>Nothing is due today.</p>"))
    try await browser.submit("pause", ["from": "2026-03-20", "to": "2026-03-22"], on: "/habits")
    #expect(await browser.get("/habits").text.contains("Fri, Mar 20, 2026 to Sun, Mar 22, 2026"))
    let body = try await browser.filled("resume", ["day": "2026-03-20"], on: "/habits")
    #expect(await browser.send(.post, "/do", body).status == .seeOther)
    #expect(!(await browser.get("/habits").text.contains("Mar 22")), "it is called off")
    #expect(await browser.get("/").text.contains("Paused until"))
    try await browser.submit("resume", on: "/")
    #expect(!(await browser.get("/").text.contains("Paused until")))
    let refused = try await browser.submit(
      "pause", ["from": "2026-03-09", "to": "2026-03-08"], on: "/habits")
    #expect(refused.text.contains("cannot end (2026-03-08) before it begins"))
    #expect(refused.text.contains("name=\"from\" value=\"2026-03-09\""))
  }

  @Test func `the past of the lists is read-only, and its links stay there`() async throws {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: ada)
    let key = try habit(world).key
    world.clock.advance(days: 3)
    for target in [
      "/habits", "/habits/\(key)", "/habits/\(key)/edit", "/habits/new", "/goals", "/welcome/1",
    ] {
      let text = await browser.get(target + "?as_of=2026-03-01").text
      #expect(!text.contains("action=\"/do\""), "\(target)")
      #expect(text.contains("The past is read-only."), "\(target)")
    }
    let list = await browser.get("/habits?as_of=2026-03-01").text
    #expect(list.contains("href=\"/habits/\(key)?as_of=2026-03-01\""))
  }

  // MARK: A habit's screen

  @Test func `a habit shows its goal, its hive and the course of its strength (HH-13, HH-15)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_goal","title":"Know more"}"#, as: ada)
    let goal = try #require(world.book.read { $0.goals.elements.last?.key })
    try world.record(#"{"do":"create_habit","name":"Read","goal":"\#(goal)"}"#, as: ada)
    let page = "/habits/\(try habit(world).key)"
    #expect(!(await browser.get(page).text.contains("class=\"curve\"")), "there is one day only")
    try await browser.submit("log_habit", on: "/")
    world.clock.advance(days: 2)
    let text = await browser.get(page).text
    #expect(text.contains("Goal: <a href=\"/goals/\(goal)\">Know more</a>"))
    #expect(text.contains("class=\"curve\"") && text.contains("From 5% to 5% in 3 days"))
    let made = try await browser.submit(
      "create_hive_from_habit", ["p_name": "Readers", "p_backfill_days": "3", "threshold": ""],
      on: page)
    let hive = try #require(world.book.read { $0.hives.elements.last })
    #expect(made.location == "/hives/\(hive.key)" && hive.description.name == "Readers")
    let after = await browser.get(page).text
    #expect(after.contains("<a href=\"/hives/\(hive.key)\">Readers</a> · 0 of 1 done today"))
    let refused = try await browser.submit(
      "create_hive_from_habit", ["p_backfill_days": "91", "p_name": "More"], on: page)
    #expect(refused.status.code >= 400)
    #expect(refused.text.contains("name=\"p_name\" value=\"More\""))
  }
}

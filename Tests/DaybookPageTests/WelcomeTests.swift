import Daybook
import DaybookStore
@testable import DaybookPage
import HTTPTypes
import Testing
import Values
import Wire

/// The first steps, by forms alone (HH-5), and what today's screen shows besides the habits.
@Suite(.tags(.unit)) struct WelcomeTests {
  private func visit(
    language: String = "en"
  ) async throws -> (world: PageWorld, browser: Browser, ada: Key) {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    let own = Browser(world, language: language)
    own.cookies = browser.cookies
    return (world, own, try browser.account())
  }

  private func account(_ world: PageWorld, _ key: Key) throws -> Account {
    try #require(world.book.read { state in state.accounts.elements.first { $0.key == key } })
  }

  @Test func `a new account is led to the first steps, and not forced`() async throws {
    let (_, browser, _) = try await visit()
    #expect(await browser.get("/").text.contains("href=\"/welcome\""))
    let steps = await browser.get("/welcome").text
    for number in 1...5 { #expect(steps.contains("href=\"/welcome/\(number)\"")) }
    for target in ["/welcome/0", "/welcome/6", "/welcome/x"] {
      #expect(await browser.get(target).status == .notFound)
    }
  }

  @Test func `choices travel from step to step, and the last step records them in one commit`()
    async throws
  {
    let (world, browser, ada) = try await visit(language: "de")
    let before = world.book.read { $0.position }
    let third = await browser.get("/welcome/3?theme=mint&habits=read&habits=drink_water").text
    #expect(third.contains("data-theme=\"mint\""), "the chosen colours are shown at once")
    #expect(third.contains("type=\"hidden\" name=\"habits\" value=\"read\""))
    #expect(third.contains("action=\"/welcome/4\""))
    #expect(world.book.read { $0.position } == before)
    let last =
      "/welcome/5?theme=mint&habits=read&habits=drink_water&timezone=Europe%2FBerlin&day_start_hour=3"
    let answer = try await browser.submit(
      "complete_onboarding",
      ["notifications_enabled": "true", "notification_times": "20:30"], on: last)
    #expect(answer.location == "/")
    let account = try account(world, ada)
    #expect(account.theme == .mint && account.dayClock.timeZone == "Europe/Berlin")
    #expect(account.dayClock.dayStartHour == 3 && account.onboarded != nil)
    #expect(account.notifications.isOn)
    #expect(account.notifications.times.map(\.description) == ["20:30"])
    let names = world.book.read { $0.habits.elements.map(\.name) }
    #expect(names == ["Lesen", "Wasser trinken"], "habits are called in the person's language")
  }

  @Test func `a step can be skipped, and a choice that cannot be kept is asked for again`()
    async throws
  {
    let (_, browser, _) = try await visit()
    let second = await browser.get("/welcome/2?theme=night").text
    #expect(second.contains("href=\"/welcome/3?theme=night\">Skip</a>"))
    #expect(second.contains("href=\"/welcome/1?theme=night\""))
    let many = await browser.get("/welcome/3?habits=read&habits=walk&habits=journal").text
    #expect(many.contains("Choose 2 at most.") && many.contains("Two habits to begin with"))
    #expect(many.contains("value=\"journal\" checked"))
    let nowhere = await browser.get("/welcome/5?timezone=Mars%2FOlympus").text
    #expect(nowhere.contains("There is no time zone Mars/Olympus."))
    #expect(nowhere.contains("name=\"timezone\" value=\"Mars/Olympus\""))
  }

  @Test func `the steps can be taken again, and each is recorded at once`() async throws {
    let (world, browser, ada) = try await visit()
    try await browser.submit("complete_onboarding", on: "/welcome/5")
    let answer = try await browser.submit("update_profile", ["theme": "night"], on: "/welcome/1")
    #expect(answer.location == "/welcome/2")
    #expect(try account(world, ada).theme == .night)
    #expect(await browser.get("/welcome/2").text.contains("href=\"/habits/new?tile=read\""))
    #expect(
      await browser.get("/habits/new?tile=read").text.contains("name=\"name\" value=\"Read\""))
    try await browser.submit(
      "update_profile", ["timezone": "Europe/Oslo", "day_start_hour": "2"], on: "/welcome/3")
    #expect(try account(world, ada).dayClock.timeZone == "Europe/Oslo")
    let refused = try await browser.submit(
      "update_profile", ["timezone": "Mars/Olympus"], on: "/welcome/3")
    #expect(refused.text.contains("role=\"alert\""))
    #expect(refused.text.contains("name=\"timezone\" value=\"Mars/Olympus\""))
    try await browser.submit("update_profile", ["notifications_enabled": "false"], on: "/welcome/5")
    #expect(!(try account(world, ada).notifications.isOn))
  }

  @Test func `friends are found by a code, and a wrong one stays in its field (HH-17)`()
    async throws
  {
    let (_, browser, _) = try await visit()
    let answer = try await browser.submit(
      "join_hive_with_code", ["p_code": "000000000000"], on: "/welcome/4?theme=mint")
    #expect(answer.status == .notFound)
    #expect(answer.text.contains("name=\"p_code\" value=\"000000000000\""))
    #expect(answer.text.contains("href=\"/welcome/5?theme=mint\""))
  }

  // MARK: Today

  @Test func `today shows due tasks with a check, and a ticked one stays (MO-4)`() async throws {
    let (world, browser, ada) = try await visit()
    for (title, due) in [("First", "2026-03-01T18:00:00Z"), ("Second", "2026-03-01T20:00:00Z")] {
      try world.record(
        #"{"do":"create_task","title":"\#(title)","due_at":"\#(due)"}"#, as: ada)
    }
    try world.record(
      #"{"do":"create_task","title":"Later","due_at":"2026-04-01T18:00:00Z"}"#, as: ada)
    let before = await browser.get("/").text
    #expect(!before.contains("Later"))
    try await browser.submit("complete_task", on: "/")
    let text = await browser.get("/").text
    let places = ["First", "Second"].compactMap { text.firstRange(of: "title\">\($0)")?.lowerBound }
    #expect(places.count == 2 && places == places.sorted())
    #expect(text.contains("Reopen: First") && text.contains("Complete: Second"))
  }

  @Test func `today shows what the household eats (MC-6)`() async throws {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_household","name":"Home"}"#, as: ada)
    for (title, day) in [("Soup <b>", "2026-03-01"), ("Rice", "2026-03-02")] {
      try world.record(#"{"do":"plan_meal","title":"\#(title)","date":"\#(day)"}"#, as: ada)
    }
    let text = await browser.get("/").text
    #expect(text.contains("Soup &lt;b&gt;"))
    #expect(!text.contains("Rice"))
  }

  @Test func `the day's message is said in the person's language (DG-4, DG-12)`() async throws {
    let (world, browser, ada) = try await visit(language: "de")
    try world.record(#"{"do":"create_habit","name":"Lesen"}"#, as: ada)
    let english = DayMessage.message(on: try #require(Day("2026-03-01")), .begin)
    let text = await browser.get("/").text
    #expect(!text.contains(english) && text.contains("class=\"day-message\""))
    for progress in DayMessage.Progress.allCases {
      for (place, sentence) in DayMessage.english(progress).enumerated() {
        let key = "message.\(progress.rawValue).\(place + 1)"
        #expect(Language.all[0].words.say(key) == sentence)
        #expect(Language.all[1].words.keys.contains(key))
      }
    }
  }
}

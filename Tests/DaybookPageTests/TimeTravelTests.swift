import Avro
import Calendar
import Daybook
@testable import DaybookPage
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

/// What only an event-sourced book can show: when things were recorded, then beside now, and the way back (ES-3, ES-4).
@Suite(.tags(.unit)) struct TimeTravelTests {
  /// A world in which Ada made a habit on 1 March.
  private func visit(
    _ name: String = "Read"
  ) async throws -> (world: PageWorld, browser: Browser, ada: Key, habit: Key) {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    let ada = try browser.account()
    try world.record(
      #"{"do":"create_habit","name":"\#(name)","target_per_day":1}"#, as: ada)
    return (world, browser, ada, try #require(world.book.read { $0.habits.elements.last?.key }))
  }

  /// The addresses that a page's links with a text lead to.
  private func links(_ text: String, in page: String) -> [String] {
    page.matches(of: #/<a [^>]*href="([^"]*)"[^>]*>([^<]*)/#).compactMap { match in
      match.output.2.contains(text) ? String(match.output.1).replacing("&amp;", with: "&") : nil
    }
  }

  // MARK: Marks and handles

  @Test func `the slider marks where something was recorded, and which days were changed later`()
    async throws
  {
    let (world, browser, ada, habit) = try await visit()
    world.clock.advance(days: 3)
    #expect(await browser.get("/").text.contains("<details class=\"late\">") == false)
    try world.record(
      #"{"do":"log_habit","habit":"\#(habit)","day":"2026-03-02"}"#, as: ada)
    let page = await browser.get("/").text
    #expect(
      page.contains(
        "aria-label=\"Something was recorded on 2 days. 1 day was changed after it was over\""))
    #expect(page.contains("href=\"#late-mark\" x="))
    #expect(page.contains("<rect class=\"mark\""))
    let late = try #require(links("Mon, Mar 2, 2026", in: page).first)
    #expect(late == "/?as_of=2026-03-02&beside=now")
    let german = Browser(world, language: "de")
    german.cookies = browser.cookies
    #expect(await german.get("/").text.contains("1 Tag wurde nachträglich geändert"))
    #expect(
      await browser.get("/tasks").text.contains("Something was recorded on 0 days."),
      "only tasks are marked beside tasks")
  }

  @Test func `a second handle says which day a screen is about`() async throws {
    let (world, browser, _, habit) = try await visit()
    world.clock.advance(days: 10)
    let page = await browser.get("/?as_of=2026-03-08&on=2026-03-05").text
    #expect(page.contains("name=\"on_back\" min=\"0\" max=\"10\" value=\"6\""))
    #expect(page.contains("aria-valuetext=\"Thu, Mar 5, 2026\""))
    #expect(
      !page.prefix { $0 != "«" }.contains("name=\"on\""),
      "the handle holds the day, no hidden field")
    #expect(page.contains("aria-valuetext=\"the same day\"") == false)
    #expect(await browser.get("/").text.contains("aria-valuetext=\"the same day\""))
    #expect(!(await browser.get("/tasks").text.contains("name=\"on_back\"")))
    #expect(
      await browser.get("/?back=3&on_back=5").location == "/?as_of=2026-03-08&on=2026-03-06")
    #expect(await browser.get("/?back=3&on_back=2").location == "/?as_of=2026-03-08")
    #expect(await browser.get("/?back=0&on_back=4").location == "/?on=2026-03-07")
    #expect(
      await browser.get("/habits/\(habit)?as_of=2026-03-08&on=2026-03-07&back=6").location
        == "/habits/\(habit)?as_of=2026-03-05", "a day that was still to come is left")
    let instant = "as_of=2026-03-08T10%3A00%3A00.000Z"
    let kept = await browser.get("/?\(instant)&back=3&on_back=4").location
    #expect(kept.contains("T10") && kept.contains("on=2026-03-07"), "\(kept)")
    #expect(await browser.get("/?\(instant)&back=4&on_back=4").location == "/?as_of=2026-03-07")
  }

  @Test func `one steps from entry to entry, and each says who did what and when`() async throws {
    let (world, browser, ada, habit) = try await visit()
    world.clock.advance(days: 2)
    try world.record(#"{"do":"log_habit","habit":"\#(habit)"}"#, as: ada)
    world.clock.advance(days: 2)
    let now = await browser.get("/habits/\(habit)").text
    #expect(now.contains("You: logged · <strong>Read</strong> · Tue, Mar 3, 2026"))
    let before = try #require(links("Entry before", in: now).first)
    #expect(links("Entry after", in: now).isEmpty)
    let then = await browser.get(before).text
    #expect(then.contains("You: created · <strong>Read</strong>"))
    #expect(then.contains("The past is read-only."))
    #expect(links("Entry before", in: then).isEmpty)
    let after = try #require(links("Entry after", in: then).first)
    let again = await browser.get(after).text
    #expect(again.contains("You: logged"))
    #expect(again.contains("<dt>Current streak</dt><dd><a href=\"#why\""))
  }

  // MARK: Then and now

  @Test func `then and now stand side by side, and what differs is marked and told`() async throws {
    let (world, browser, ada, habit) = try await visit()
    try world.record(#"{"do":"create_habit","name":"Rest"}"#, as: ada)
    world.clock.advance(days: 2)
    try world.record(#"{"do":"log_habit","habit":"\#(habit)"}"#, as: ada)
    for (target, marked) in [
      ("/?as_of=2026-03-01&beside=now", true),
      ("/habits/\(habit)?as_of=2026-03-01&beside=now", false),
      ("/insights?as_of=2026-03-01&beside=now", true),
      ("/hives?as_of=2026-03-01&beside=now", false),
      ("/tasks?as_of=2026-03-01&beside=now", false), ("/feed?as_of=2026-03-01&beside=now", false),
      ("/settings?as_of=2026-03-01&beside=now", false),
    ] {
      let answer = await browser.get(target)
      #expect(answer.status == .ok, "\(target)")
      let page = answer.text
      #expect(page.contains("<h2 id=\"side-then\">Then: Sun, Mar 1, 2026</h2>"), "\(target)")
      #expect(page.contains("<h2 id=\"side-now\">Now</h2>"), "\(target)")
      #expect(!page.contains("action=\"/do\""), "\(target) records nothing")
      #expect(page.contains("differs-sign") == marked, "\(target)")
      let ids = page.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) }
      #expect(Set(ids).count == ids.count, "\(target): ids are unique")
      #expect(links("Then alone", in: page).first?.contains("beside") == false)
    }
    let today = await browser.get("/?as_of=2026-03-01&beside=now").text
    #expect(today.contains("Day of <strong>Read</strong> · Tue, Mar 3, 2026: added"))
    #expect(today.matches(of: #/class="card[^"]* differs"/#).count == 2, "Read, twice")
    #expect(await browser.get("/?beside=now").location == "/")
    let same = await browser.get("/tasks?as_of=2026-03-01&beside=now").text
    #expect(same.contains("Nothing is different."))
    try world.record(#"{"do":"delete_habit","habit":"\#(habit)"}"#, as: ada)
    let gone = await browser.get("/habits/\(habit)?as_of=2026-03-01&beside=now").text
    #expect(gone.contains("It did not exist, or is deleted."))
    #expect(await browser.get("/habits/\(habit)?as_of=2020-01-01&beside=now").status == .notFound)
  }

  @Test func `nobody sees the moments of others`() async throws {
    let (world, browser, _, habit) = try await visit("Secret")
    world.clock.advance(days: 2)
    let bob = try await world.browser(of: "bob@example.com")
    for target in [
      "/habits/\(habit)?as_of=2026-03-02", "/habits/\(habit)?as_of=2026-03-02&beside=now",
      "/?as_of=2026-03-02&put_back=\(habit)", "/?as_of=2026-03-02&put_back=x",
    ] {
      let answer = await bob.get(target)
      #expect(answer.status == .notFound, "\(target)")
      #expect(!answer.text.contains("Secret"))
    }
    #expect(await browser.get("/habits/\(habit)?as_of=2026-03-02&beside=now").status == .ok)
  }

  @Test func `a link holds the moment of now and of then`() async throws {
    let (world, browser, _, _) = try await visit()
    world.clock.advance(days: 2)
    let now = try #require(links("Link to this moment", in: await browser.get("/").text).first)
    #expect(now.hasPrefix("/?as_of=2026-03-03T12"))
    world.clock.advance(days: 1)
    #expect(await browser.get(now).status == .ok)
    let then = await browser.get("/insights?rule=strict&as_of=2026-03-02&on=2026-03-01").text
    #expect(
      links("Link to this moment", in: then) == [
        "/insights?rule=strict&on=2026-03-01&as_of=2026-03-02"
      ])
  }

  // MARK: Putting back

  @Test func `a habit is put back after a look at what that does, and the step is undone`()
    async throws
  {
    let (world, browser, ada, habit) = try await visit()
    try world.record(#"{"do":"log_habit","habit":"\#(habit)"}"#, as: ada)
    world.clock.advance(days: 1)
    try world.record(#"{"do":"update_habit","habit":"\#(habit)","name":"Write"}"#, as: ada)
    try world.record(#"{"do":"clear_log","habit":"\#(habit)","day":"2026-03-01"}"#, as: ada)
    let page = "/habits/\(habit)?as_of=2026-03-01"
    let look = try #require(
      links("Put it back as it was then", in: await browser.get(page).text).first)
    let before = world.book.read { $0.position }
    let shown = await browser.get(look.replacing("#put-back", with: ""))
    #expect(
      shown.text.contains(
        "name: <del>Write</del> <span class=\"flip\">→</span> <ins>Read</ins>"))
    #expect(
      shown.text.contains(
        "Streak of <strong>Read</strong>: 0 days <span class=\"flip\">→</span> <strong>1 day</strong>"
      ))
    #expect(world.book.read { $0.position } == before, "looking changes nothing")
    let target = look.replacing("#put-back", with: "")
    let done = try await browser.submit("undo", on: target)
    #expect(done.location == "/habits/\(habit)")
    #expect(world.book.read { $0.habits.elements.last?.name } == "Read")
    let after = await browser.get("/habits/\(habit)").text
    #expect(after.contains("name=\"do\" value=\"undo\""), "its undo is offered")
    let token = try #require(browser.formToken(in: after))
    await browser.post(
      "/do", ["token": token, "do": "undo", "position": String(before + 1), "back": "/"])
    #expect(world.book.read { $0.habits.elements.last?.name } == "Write")
    try world.record(#"{"do":"update_profile","display_name":"Eve"}"#, as: ada)
    let none = await browser.get("/habits/\(habit)?as_of=2026-03-01&put_back=\(ada)")
    #expect(
      none.status == .ok && none.text.contains("role=\"alert\""), "an account is no one thing")
  }

  @Test func `a task is put back, and one that is as it was says so`() async throws {
    let (world, browser, ada, _) = try await visit()
    try world.record(#"{"do":"create_task","title":"Buy milk"}"#, as: ada)
    let task = try #require(world.book.read { $0.tasks.elements.last?.key })
    world.clock.advance(days: 1)
    let page = await browser.get("/tasks?as_of=2026-03-01").text
    let look = try #require(links("Put back", in: page).first).replacing("#put-back", with: "")
    #expect(await browser.get(look).text.contains("There is nothing to put back."))
    try world.record(#"{"do":"update_task","task":"\#(task)","title":"Buy tea"}"#, as: ada)
    try world.record(#"{"do":"delete_task","task":"\#(task)"}"#, as: ada)
    try await browser.submit("undo", on: look)
    #expect(await browser.get("/tasks").text.contains("Buy milk"))
  }

  // MARK: Why and what if

  @Test func `every streak, day and award says why`() async throws {
    let (world, browser, ada, habit) = try await visit()
    for _ in 1...3 {
      try world.record(#"{"do":"log_habit","habit":"\#(habit)","note":"Fine"}"#, as: ada)
      world.clock.advance(days: 1)
    }
    let today = await browser.get("/").text
    #expect(today.contains("</span><a href=\"/habits/\(habit)#why\""))
    let day = await browser.get("/habits/\(habit)?on=2026-03-02").text
    #expect(day.contains("<p class=\"because\"><a href="))
    #expect(day.contains("“Fine”"))
    let insights = await browser.get("/insights").text
    #expect(insights.contains("<a href=\"/habits/\(habit)#why\""))
    let why = try #require(
      insights.matches(of: #/href="([^"]*award=[^"]*-streak-3#earned)"/#).first)
    let target = String(why.output.1).replacing("&amp;", with: "&")
    let earned = await browser.get(String(target.prefix { $0 != "#" })).text
    #expect(earned.contains("What earned it: Streak of 3 · Read"))
    #expect(earned.contains("<p>3 entries</p>"))
    #expect(earned.matches(of: #/<li>You: logged · Read · /#).count == 3)
  }

  @Test func `a hive's streak says why, day by day and member by member`() async throws {
    let (world, browser, ada, _) = try await visit()
    try world.record(#"{"do":"create_hive","name":"Bees"}"#, as: ada)
    let hive = try #require(world.book.read { $0.hives.elements.last?.key })
    try await browser.submit("log_hive_today", on: "/hives/\(hive)")
    let page = await browser.get("/hives/\(hive)").text
    #expect(page.contains("<section id=\"why\""))
    #expect(page.contains("done, Mar 1, 2026"))
    #expect(await browser.get("/hives").text.contains("<a href=\"/hives/\(hive)#why\""))
  }

  @Test func `what if is shown in the combs themselves`() async throws {
    let (world, browser, ada, habit) = try await visit()
    try world.record(#"{"do":"log_habit","habit":"\#(habit)"}"#, as: ada)
    world.clock.advance(days: 2)
    let plain = await browser.get("/habits/\(habit)").text
    #expect(!plain.contains("supposed-cell") && !plain.contains("use href=\"#supposed\" x"))
    let supposed = await browser.get("/habits/\(habit)?on=2026-03-02&whatif=skip_day").text
    #expect(supposed.contains("aria-label=\"Mon, Mar 2, 2026, skipped, supposed\""))
    #expect(supposed.matches(of: #/supposed-cell/#).count == 1)
    #expect(supposed.contains("<use href=\"#skipped\" class=\"supposed\" data-day=\"2026-03-02\""))
    #expect(supposed.contains("1 day would look different."))
  }

  @Test func `a rule judges a whole screen, and says which streaks it changes`() async throws {
    let (world, browser, ada, habit) = try await visit()
    for step in 1...4 {
      if step != 2 { try world.record(#"{"do":"log_habit","habit":"\#(habit)"}"#, as: ada) }
      if step == 2 { try world.record(#"{"do":"skip_day","habit":"\#(habit)"}"#, as: ada) }
      world.clock.advance(days: 1)
    }
    for screen in ["/", "/insights"] {
      let plain = await browser.get(screen).text
      #expect(plain.contains("<option value=\"strict\""))
      #expect(!plain.contains("Streaks that this rule changes:"))
      let strict = await browser.get(screen + "?rule=strict").text
      #expect(strict.contains("Streaks that this rule changes:"))
      #expect(
        strict.contains("3 days <span class=\"flip\">→</span> <strong>2 days</strong>"), "\(screen)"
      )
      #expect(strict.contains("?rule=strict#why"))
    }
    #expect(await browser.get("/?rule=daybook").text.contains("No current streak") == false)
  }

  // MARK: Hostile text

  @Test func `what people write is text in all of it`() async throws {
    let hostile = #"<script>x</script>\" id=\"why\" '&{{token}}"#
    let (world, browser, ada, habit) = try await visit(hostile)
    try world.record(
      #"{"do":"log_habit","habit":"\#(habit)","note":"\#(hostile)"}"#, as: ada)
    try world.record(#"{"do":"create_hive","name":"\#(hostile)"}"#, as: ada)
    try world.record(#"{"do":"create_task","title":"\#(hostile)"}"#, as: ada)
    try world.record(#"{"do":"update_profile","display_name":"\#(hostile)"}"#, as: ada)
    let hive = try #require(world.book.read { $0.hives.elements.last?.key })
    let task = try #require(world.book.read { $0.tasks.elements.last?.key })
    world.clock.advance(days: 1)
    try world.record(
      #"{"do":"update_habit","habit":"\#(habit)","name":"\#(hostile)2"}"#, as: ada)
    try world.record(#"{"do":"update_task","task":"\#(task)","title":"\#(hostile)2"}"#, as: ada)
    try await browser.submit("log_hive_today", on: "/hives/\(hive)")
    let award = try #require(
      await browser.get("/insights").text.firstMatch(of: #/award=([^"&#]*)/#)?.output.1)
    var shown = 0
    for target in [
      "/?as_of=2026-03-01&beside=now", "/tasks?as_of=2026-03-01&beside=now",
      "/habits/\(habit)?as_of=2026-03-01&beside=now", "/insights?as_of=2026-03-01&beside=now",
      "/hives/\(hive)?as_of=2026-03-01&beside=now", "/insights?award=\(award)",
      "/habits/\(habit)?as_of=2026-03-01&put_back=\(habit)",
      "/tasks?as_of=2026-03-01&put_back=\(task)", "/hives/\(hive)", "/?rule=strict",
      "/habits/\(habit)?whatif=skip_day&on=2026-03-01",
      "/?award=%3Cscript%3Ex&search=%22%3E%3Cscript%3Ex",
    ] {
      let text = await browser.get(target).text
      #expect(!text.contains("<script>x"), "\(target)")
      #expect(!text.contains("x</script>"), "\(target)")
      #expect(!text.contains("id=\"why\" '"), "\(target)")
      if text.contains("&lt;script&gt;x") { shown += 1 }
    }
    #expect(shown >= 10)
  }
}

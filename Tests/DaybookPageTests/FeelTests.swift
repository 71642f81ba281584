import Avro
import Daybook
import DaybookStore
import Foundation
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookPage

/// How the page feels: what is celebrated, a screen on the wall, and other directions of writing.
@Suite(.tags(.unit)) struct FeelTests {
  @Test func `a milestone is celebrated on the day that reached it (HH-31)`() async throws {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: try browser.account())
    for day in 1...8 {
      try await browser.submit("log_habit", on: "/")
      let page = await browser.get("/").text
      #expect(page.contains("\(day) days in a row!") == [3, 7].contains(day), "day \(day)")
      #expect(page.contains("data-celebrate=") == [3, 7].contains(day))
      world.clock.advance(days: 1)
      #expect(!(await browser.get("/").text.contains("in a row!")))
    }
  }

  @Test func `a day that all members completed is celebrated in the hive (HH-31)`() async throws {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    let bob = try await world.browser(of: "bob@example.com")
    try world.record(#"{"do":"create_hive","name":"Bees"}"#, as: try browser.account())
    let hive = try #require(world.book.read { $0.hives.elements.last?.key })
    try world.record(
      #"{"do":"create_hive_invite","p_hive_id":"\#(hive)","code":"00000000000a"}"#,
      as: try browser.account())
    try world.record(
      #"{"do":"join_hive_with_code","p_code":"00000000000a"}"#, as: try bob.account())
    world.clock.advance(days: 1)
    let page = "/hives/\(hive)"
    try await browser.submit("log_hive_today", on: page)
    #expect(!(await browser.get(page).text.contains("data-celebrate=")))
    try await bob.submit("log_hive_today", on: page)
    #expect(await browser.get(page).text.contains("data-celebrate=\"\(hive) 2026-03-02\""))
  }

  // MARK: A screen on the wall

  @Test func `a wall shows the day and records, and has no settings and no sign-out`() async throws
  {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: try browser.account())
    let answer = await browser.get("/?wall=1")
    #expect(answer.location == "/")
    let page = await browser.get("/").text
    #expect(page.contains("data-wall=\"yes\""))
    for absent in ["/leave", "/settings", "class=\"slider", "/find"] {
      #expect(!page.contains("\"\(absent)"), "\(absent)")
    }
    #expect(await browser.get("/settings").location == "/")
    try await browser.submit("log_habit", on: "/")
    #expect(await browser.get("/").text.contains("1 of 1 done"))
    let token = try #require(browser.formToken(in: page))
    #expect(await browser.post("/leave", ["token": token]).status == .forbidden)
    #expect(
      await browser.post(
        "/do", ["token": token, "do": "update_profile", "display_name": "Eve"]
      ).status == .forbidden)
    #expect(await browser.get("/?wall=0").location == "/")
    #expect(await browser.get("/settings").status == .ok)
  }

  // MARK: From right to left

  /// English words, each turned around between marks of their direction: what is shown in another language is longer, and
  /// written from right to left.
  private static func pseudoLanguage() throws -> Language {
    let words = try JSON(parsing: PackageResources.words_en_json)
    let turned = (words.members ?? []).map { member -> JSON.Member in
      let text = member.value.text ?? ""
      return .init(member.name, .string("\u{5D0}\u{5D1} \(text) \u{5D2}"))
    }
    return Language("he", Array(JSON.object(turned).encoded.utf8))
  }

  @Test func `a language from right to left turns the page around`() async throws {
    var world = try await PageWorld()
    world.page.languages = Language.all + [try Self.pseudoLanguage()]
    let browser = Browser(world, language: "he-IL")
    #expect(await browser.get("/enter").text.contains("<html lang=\"he\" dir=\"rtl\""))
    #expect(await Browser(world).get("/enter").text.contains("<html lang=\"en\" dir=\"ltr\""))
  }

  @Test func `styles name no side of the screen, so they hold in every direction`() throws {
    let styles = String(decoding: PackageResources.page_css, as: UTF8.self)
    let sided =
      #/(?:margin|padding|border)-(?:left|right)|text-align: (?:left|right)|[ ;{](?:left|right):|float:/#
    #expect(styles.firstMatch(of: sided) == nil)
  }

  @Test func `a wish for less motion stops all motion`() throws {
    let styles = String(decoding: PackageResources.page_css, as: UTF8.self)
    let wish = try #require(styles.range(of: "@media (prefers-reduced-motion: reduce) {"))
    let rule = styles[wish.upperBound...].prefix { $0 != "\n" }
    #expect(rule.contains("*::before") && rule.contains("animation: none !important"))
  }
}

import Avro
import Daybook
@testable import DaybookPage
import HTTPTypes
import Testing
import Wire

/// What is refused is said in the language of the page (DG-12).
@Suite(.tags(.unit)) struct RefusalWordsTests {
  private static let german = Language.all[1].words

  @Test func `every code with which a form can be answered has its German sentence`() {
    for code in RejectionCode.allCases {
      let refusal = refusal(code.rawValue, field: code.field)
      let said = refusal.said(in: Self.german)
      #expect(said != refusal.sentence, "\(code.rawValue)")
      #expect(!said.contains("{"), "\(code.rawValue): \(said)")
      #expect(said.hasSuffix("."), "\(code.rawValue): \(said)")
    }
  }

  @Test func `no sentence is left over for a code that does not exist`() {
    let codes = Set(RejectionCode.allCases.map(\.rawValue))
    // Those of the API itself, and of files.
    let others: Set = [
      "too_many_questions", "answer_too_long", "body_too_long", "too_many_commands", "unavailable",
      "malformed", "not_a_loop_export", "database", "no_recipe", "not_understood",
    ]
    for key in Self.german.keys where key.hasPrefix("rejection.") {
      let code = String(key.dropFirst("rejection.".count))
      #expect(codes.contains(code) || others.contains(code), "\(key)")
    }
  }

  @Test func `English, and an unknown code, keep the sentence of the rules`() {
    let refusal = refusal("empty_name", field: "name")
    #expect(refusal.said(in: Language.all[0].words) == refusal.sentence)
    let unknown = self.refusal("never_heard_of", field: nil)
    #expect(unknown.said(in: Self.german) == unknown.sentence)
  }

  @Test func `a field is named as its form names it`() {
    #expect(
      refusal("missing_field", field: "title").said(in: Self.german) == "Es fehlt etwas: Titel.")
    #expect(
      refusal("missing_field", field: "p_odd").said(in: Self.german) == "Es fehlt etwas: p_odd.")
  }

  @Test func `a refused form says in German why, and keeps what was typed`() async throws {
    let world = try await PageWorld()
    let signedIn = try await world.browser(of: "ada@example.com")
    let browser = Browser(world, language: "de")
    browser.cookies = signedIn.cookies
    let answer = try await browser.submit("create_habit", ["name": " "], on: "/habits/new")
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("Gib einen Namen ein."))
    let english = try await signedIn.submit("create_habit", ["name": " "], on: "/habits/new")
    #expect(!english.text.contains("Gib einen Namen ein."))
    // A script is told the same.
    let body = try await browser.filled("create_habit", ["name": " "], on: "/habits/new")
    let brief = await browser.send(.post, "/do", body, accept: "application/json")
    #expect(brief.text.contains("Gib einen Namen ein."))
  }

  private func refusal(_ code: String, field: String?) -> PageRefusal {
    var error: [JSON.Member] = [
      .init("code", .string(code)), .init("message", "An English sentence."),
    ]
    if let field { error.append(.init("field", .string(field))) }
    return PageRefusal(
      WireResponse(.unprocessableContent, .object([.init("error", .object(error))])))
  }
}

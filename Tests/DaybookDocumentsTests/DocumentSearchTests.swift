@testable import DaybookDocuments
import Testing

/// The search through the documentation.
@Suite(.tags(.unit)) struct DocumentSearchTests {
  private func found(_ text: String) -> [DocumentSearch.Finding] {
    DocumentSearch.ofProgram.findings(for: text)
  }

  @Test func `a heading comes before texts that have its words`() throws {
    let first = try #require(found("signing in").first)
    #expect(first.section.heading?.text == "Signing in")
    let settings = try #require(found("settings server").first)
    #expect(settings.section.address == "/docs/Server#section-settings")
  }

  @Test func `every word must begin a word of the section, its heading or its page's title`() {
    let all = found("torn tail")
    #expect(!all.isEmpty)
    for finding in all {
      let section = finding.section
      let text = "\(section.document.title) \(section.heading?.text ?? "") \(section.text)"
        .lowercased()
      #expect(text.contains("torn") && text.contains("tail"))
    }
    #expect(found("torn xyzzyx").isEmpty)
    #expect(found("orn").allSatisfy { $0.section.text.lowercased().contains(/\born/) })
  }

  @Test func `the words that were sought are marked in what stands around them`() throws {
    let finding = try #require(found("SNAPSH").first { $0.section.text.contains("snapsh") })
    let marked = finding.excerpt.filter(\.isSought).map { $0.text.lowercased() }
    #expect(!marked.isEmpty && marked.allSatisfy { $0.hasPrefix("snapsh") })
    let shown = finding.excerpt.map(\.text).joined()
    #expect(shown.count < 1000)
  }

  @Test func `a name of several words is found whole and by its parts`() {
    #expect(!found("log_habit").isEmpty)
    #expect(!found("create_hive_invite").isEmpty)
    #expect(found("invite").contains { $0.section.text.contains("_invite") })
  }

  @Test(arguments: ["", " ", "!?", "\u{0}", "<>", "__"])
  func `a search for no word finds nothing`(text: String) { #expect(found(text).isEmpty) }

  @Test func `the longest search is cut, and what it finds has a bound`() {
    #expect(found(String(repeating: "a ", count: 100_000)).count == DocumentSearch.most)
    #expect(found(String(repeating: "x", count: 100_000)).isEmpty)
  }
}

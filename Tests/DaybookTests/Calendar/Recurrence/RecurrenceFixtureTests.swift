import Daybook
import Foundation
import Testing

/// Compares with the cases of python-dateutil's own tests (../shared/fixtures; skipped if that is absent).
@Suite(.tags(.unit), .enabled(if: RecurrenceFixtures.exist, "../shared/fixtures is not here"))
struct RecurrenceFixtureTests {
  @Test func `every valid case occurs as stated, and every other is refused`() throws {
    let cases = try RecurrenceFixtures.cases()
    #expect(cases.count == 124)
    var refused: [String: Set<String>] = [:]
    for fixture in cases {
      do {
        let rule = try RecurrenceRule(parsing: fixture.rule)
        #expect(fixture.occurrences(of: rule) == fixture.expected, "\(fixture.name)")
      } catch {
        let reason = error.fault == .unknownPart ? "no part" : "\(error.fault.rawValue)"
        refused[reason, default: []].insert(fixture.name)
      }
    }
    // BYEASTER is dateutil's own, and so is BYWEEKDAY for BYDAY.
    #expect(refused["no part"]?.count == 12)
    #expect(
      refused["no part"]?.allSatisfy { $0.contains("Easter") || $0 == "testStrKeywords" } == true)
    // "BYWEEKNO … MUST NOT be used when the FREQ rule part is set to anything other than YEARLY", and the like.
    #expect(refused["wrong_frequency"]?.count == 31)
    #expect(refused.count == 2)
  }

  @Test func `tolerated faults still limit the days`() throws {
    var tolerated = 0
    for fixture in try RecurrenceFixtures.cases() {
      guard let (rule, faults) = try? RecurrenceRule.tolerating(fixture.rule) else { continue }
      #expect(fixture.occurrences(of: rule) == fixture.expected, "\(fixture.name)")
      if !faults.isEmpty { tolerated += 1 }
    }
    #expect(tolerated == 31)
  }
}

/// The fixtures lie beside the package, and are never copied into it.
enum RecurrenceFixtures {
  struct Case {
    var name: String
    var start: LocalDateTime
    var rule: String
    var expected: [String]

    /// One more than expected, if there is one.
    func occurrences(of rule: RecurrenceRule) -> [String] {
      Recurrence(start: start, rules: [rule]).occurrences().prefix(expected.count + 1)
        .map(\.iCalendar)
    }
  }

  private struct Row: Decodable {
    var name: String
    var dtstart: String?
    var rule: String
    var expected: [String]
  }

  static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/fixtures/rrule_cases.json").standardizedFileURL

  static let exist = FileManager.default.fileExists(atPath: file.path)

  static func cases() throws -> [Case] {
    try JSONDecoder().decode([Row].self, from: Data(contentsOf: file)).map { row in
      // Some consist of several lines: DTSTART, and the rule.
      let lines = row.rule.split(separator: "\n").map(String.init)
      let start = lines.first { $0.hasPrefix("DTSTART:") }?.dropFirst(8)
      return Case(
        name: row.name,
        start: try #require(LocalDateTime(row.dtstart ?? String(start ?? ""))),
        rule: try #require(lines.last), expected: row.expected)
    }
  }
}

import Avro
import Daybook
import DaybookStore
import Foundation
import Journal
import Testing

/// Where fixtures of other projects lie: beside the package, never in it.
enum Fixtures {
  static let directory = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/fixtures").standardizedFileURL

  static let exist = FileManager.default.fileExists(atPath: directory.path)

  /// The nonempty lines of a file.
  static func lines(_ name: String) throws -> [String] {
    let text = try String(contentsOf: directory.appending(path: name), encoding: .utf8)
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }
}

/// Compares with a naive model of the streak rule, written independently (../shared/fixtures).
@Suite(.tags(.law), .enabled(if: Fixtures.exist, "../shared/fixtures is not here"))
struct FixtureTests {
  @Test func `thirty histories have the streaks and marks of the naive model (HH-11, MO-5)`() throws
  {
    let lines = try Fixtures.lines("streak_histories.jsonl")
    #expect(lines.count == 30)
    for (index, line) in lines.enumerated() {
      let differences = try differences(try JSON(parsing: line))
      #expect(differences == [], "history \(index)")
    }
  }

  /// The differences between the book and the fixture, a line for each mark and streak.
  private func differences(_ fixture: JSON) throws -> [String] {
    let book = try Book(at: "book", storage: MemoryStorage())
    for command in try #require(fixture["commands"]?.elements) {
      let outcome = try book.record(line: command.encoded)
      #expect(outcome.isAccepted, "\(command.encoded): \(outcome.json.encoded)")
    }
    let asOf = try #require(fixture["as_of"]?.text.flatMap { Instant($0) })
    let state = try book.reader.state(asOf: asOf)
    let owner = try #require(fixture["account"]?.text.flatMap { Key($0) })
    let account = try #require(state.accounts.number(of: owner).flatMap { state.accounts[$0] })
    let today = try #require(account.dayClock.day(of: asOf, in: SystemTimeZones()))
    var found: [String] = []
    for expected in try #require(fixture["expect"]?.members) {
      let key = try #require(Key(expected.name))
      let habit = try #require(state.habits.number(of: key).flatMap { state.habits[$0] })
      let judgement = StreakRule.daybook.judgement(of: state.history(of: habit, today: today))
      let streaks = [
        ("current", judgement.current?.length ?? 0), ("longest", judgement.longest?.length ?? 0),
      ]
      for (name, length) in streaks where expected.value[name]?.integer != length {
        found.append("\(key): \(name) is \(length)")
      }
      let marks = judgement.days.map {
        JSON.Member($0.day.description, .string($0.mark.rawValue))
      }
      let wanted = try #require(expected.value["marks"]?.members)
      for mark in marks where !wanted.contains(mark) {
        found.append("\(key): \(mark.name) is \(mark.value.encoded)")
      }
      for mark in wanted where !marks.contains(mark) {
        found.append("\(key): \(mark.name) is to be \(mark.value.encoded)")
      }
    }
    return found
  }
}

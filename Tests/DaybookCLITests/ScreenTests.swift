import Foundation
import PropertyTesting
import Testing

@testable import DaybookCLI

/// Every view on a narrow, a usual and a wide screen, in full: its content, what it omits, and the width of its
/// lines.
@Suite(.tags(.program)) struct ScreenTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/Screens")

  private static let story = Result {
    let ada = try AdasBook()
    let story = try text("story")
    let happened = try ada.transcript(of: story, at: "")
    try #require(!happened.contains("exit code"), "\(happened)")
    return try ada.daybook.files()
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: fixtures.appending(path: "\(name).txt"), encoding: .utf8)
  }

  @Test(arguments: [40, 80, 200]) func `every view fits the screen`(_ width: Int) throws {
    let views = try Self.text("\(width)")
    let book = try AdasBook(with: Self.story.get())
    let happened = try book.transcript(of: views, at: "2026-03-09T12:00:00Z") + "\n"
    #expect(happened == views, "\(happened)")
    for line in happened.split(separator: "\n")
    where !line.hasPrefix("? ") && !line.hasPrefix("% ") {
      #expect(String(line).columnCount <= width, "\(line)")
    }
  }

  @Test func `a pipe is never cut`() throws {
    let daybook = try AdasBook(with: Self.story.get()).daybook
    let history = try daybook("history", "Read", "--as", "Ada")
    #expect(history.lines.contains { $0.columnCount > 120 })
    #expect(history.lines.allSatisfy { !$0.contains("No room") })
    let json = try daybook("history", "Read", "--as", "Ada", "--json", "--width", "40")
    #expect(json.lines.count == 1)
    let narrow = try daybook("--width", "40", "history", "Read", "--as", "Ada")
    #expect(narrow.lines.allSatisfy { $0.columnCount <= 40 })
    #expect(try daybook("today", "--width", "19").status == 2)
  }

  @Test func `column counts match those of terminals`() {
    for (text, columns) in [
      ("", 0), ("abc", 3), ("読書", 4), ("e\u{301}", 1), ("👨‍👩‍👧‍👦", 2), ("🇬🇧", 2), ("1️⃣", 2), ("❤️", 2),
      ("❤", 1), ("👍🏽", 2), ("한", 2), ("각", 2), ("क्ष", 2), ("กำ", 2), ("\u{200B}", 0),
      ("\u{1B}[1mab\u{1B}[0m", 2), ("قراءة", 5), ("\u{2068}a\u{2069}", 1),
    ] {
      #expect(text.columnCount == columns, "\(text)")
    }
  }

  @Test func `lines wrap between words, and a style continues on the next line`() {
    #expect("one two three".wrapped(to: 8) == ["one two", "three"])
    #expect("  [ ] one two".wrapped(to: 12) == ["  [ ] one", "      two"])
    #expect("10. one two".wrapped(to: 8) == ["10. one", "    two"])
    #expect("abcdefgh".wrapped(to: 3) == ["abc", "def", "gh"])
    #expect("読書読書".wrapped(to: 5) == ["読書", "読書"])
    #expect("a\nb".wrapped(to: 5) == ["a", "b"])
    let bold = ("\u{1B}[1m", "\u{1B}[0m")
    #expect(
      "a \(bold.0)b c\(bold.1) d".wrapped(to: 3) == [
        "a \(bold.0)b\(bold.1)", "\(bold.0)c\(bold.1) d",
      ])
    checkWrapping()
  }

  /// Only spaces are lost, and no line is too wide.
  private func checkWrapping() {
    let words = ["a", "bc", "読", "👍🏽", "e\u{301}", "verylongword", " ", "  "]
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      let text = (0..<12).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined()
      let width = 2 + Int(random.next() % 12)
      let lines = text.wrapped(to: width)
      #expect(lines.allSatisfy { $0.columnCount <= width }, "seed \(seed): \(lines)")
      let kept = lines.joined().filter { $0 != " " }
      #expect(kept == text.filter { $0 != " " }, "seed \(seed): \(lines)")
    }
  }

  @Test func `the least important columns are dropped first, and words shrink before numbers`() {
    let columns: [TextTable.Column] = [.number("#", 1), .text("what", 9), .whole("day", 5)]
    let all = TableFit(columns, [3, 30, 10], width: 60)
    #expect(all.shown == [0, 1, 2] && all.widths == [3, 30, 10])
    let narrower = TableFit(columns, [3, 30, 10], width: 40)
    #expect(narrower.shown == [0, 1, 2] && narrower.widths == [3, 23, 10])
    let narrow = TableFit(columns, [3, 30, 10], width: 28)
    #expect(narrow.leftOut == [0] && narrow.widths[1] == 16)
    let one = TableFit(columns, [3, 30, 10], width: 20)
    #expect(one.shown == [1] && one.widths[1] == 20)
  }
}

import Foundation
import Testing

/// Text from a person never controls another person's terminal.
@Suite(.tags(.program)) struct SteeringTests {
  /// Clears the screen and sets its title; and the same with eight-bit controls.
  private static let steering = "a\u{1B}[2Jb\u{1B}]0;c\u{7}d\u{9B}2Je\u{7F}f\u{8}g\rh"

  /// A book in which every text that may contain control characters does.
  private static let files = Result {
    let ada = try AdasBook()
    let text = String(
      decoding: try JSONSerialization.data(
        withJSONObject: steering, options: [.fragmentsAllowed]), as: UTF8.self)
    let at = #""as":"\#(AdasBook.ada)","at":"2026-03-02T21:00:00Z""#
    let lines = """
      {"do":"log_habit","habit":"\(AdasBook.read)","note":\(text),\(at)}
      {"do":"create_goal","key":"00000000-0000-4000-8000-000000000021","title":"Goal","description":\(text),\(at)}
      {"do":"create_task","key":"00000000-0000-4000-8000-000000000022","title":"Task","description":\(text),\(at)}
      {"do":"create_household","key":"00000000-0000-4000-8000-000000000023","name":"Home",\(at)}
      {"do":"create_household_task","key":"00000000-0000-4000-8000-000000000024","title":"Chore","description":\(text),\(at)}
      {"do":"add_grocery_item","key":"00000000-0000-4000-8000-000000000025","name":"milk","note":\(text),\(at)}
      {"do":"create_calendar_event","key":"00000000-0000-4000-8000-000000000026","title":"Walk","description":\(text),"location":\(text),"start_time":"2026-03-02T22:00:00Z","end_time":"2026-03-02T23:00:00Z",\(at)}
      {"do":"create_recipe","key":"00000000-0000-4000-8000-000000000027","title":"Tea","notes":\(text),\(at)}

      """
    let rule = "{\"name\":\"mine\",\"about\":\(text)}"
    try Data(rule.utf8).write(to: URL(fileURLWithPath: ada.daybook.path("mine.json")))
    let run = try ada.daybook("apply", input: lines)
    try #require(run.status == 0, "\(run.output)")
    return try ada.daybook.files()
  }

  static let questions = [
    ["today"], ["history", "Read"], ["audit", "Read"], ["goals"], ["tasks"], ["household"],
    ["chores"], ["groceries"], ["calendar", "--as-of", "2026-03-02T22:00:00Z"], ["recipes"],
    ["recipe", "Tea"], ["feed"], ["undo", "--list"],
    ["diff", "--from", "2026-03-01", "--to", "2026-03-03"],
    ["log", "\u{1B}[2J\u{9B}2J"], ["habits", "edit", "Read", "--emoji", "\u{1B}[2J"],
    ["rules", "show", "./mine.json"], ["fly\u{9B}2J"], ["streaks", "--rule", "\u{1B}[2J"],
  ]

  @Test(arguments: questions)
  func `output contains no control characters except line feeds`(words: [String]) throws {
    let daybook = try AdasBook(with: Self.files.get()).daybook
    for width in [[], ["--width", "40"]] {
      let run = try daybook.run(words + width)
      let controls = (run.output + run.error).unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n"
      }
      #expect(
        controls.isEmpty, "\(words): \(run.output.debugDescription) \(run.error.debugDescription)")
    }
  }

  @Test func `control characters in texts are shown as spaces`() throws {
    let daybook = try AdasBook(with: Self.files.get()).daybook
    for words in [["goals"], ["groceries"], ["history", "Read"], ["recipe", "Tea"]] {
      let run = try daybook.run(words)
      #expect(
        run.output.contains("a [2Jb ]0;c d 2Je f g h"), "\(words): \(run.output) \(run.error)")
    }
    let json = try daybook("goals", "--json").output
    #expect(json.contains(#"a\u001b[2Jb"#), "JSON output keeps them: \(json)")
  }
}

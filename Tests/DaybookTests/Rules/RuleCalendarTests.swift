import Daybook
import Foundation
import Testing

/// The calendars of `Docs/Rules.md` on budgets: each row is judged by its rule, and appears on the page.
@Suite(.tags(.unit)) struct RuleCalendarTests {
  /// A row of a calendar.
  struct Row: Sendable, CustomTestStringConvertible {
    /// The name of the rule on the page.
    var name: String
    /// The rule, without its name.
    var rule: String
    /// The cells under each day.
    var cells: String
    /// Another rule with the same cells.
    var other: String?

    var testDescription: String { name }
  }

  /// Reads a rule from a text in which "…" stands for "2026-03-".
  private static func rule(_ text: String) throws -> StreakRule {
    let fields = text.replacing("…", with: "2026-03-")
    return StreakRule(try RuleFile.rule(Array(#"{"name":"x",\#(fields)}"#.utf8)))
  }

  /// The history with these days, each logged at noon of the day after.
  private static func logged(late days: [Int], _ history: HabitHistory) -> HabitHistory {
    var history = history
    for index in history.records.indices where days.contains(history.records[index].day.parts.day) {
      history.records[index].hoursLate = 12
    }
    return history
  }

  /// The cells of the first days, as on the page: each day's streak, or its mark and streak.
  private static func cells(
    _ rule: String, _ history: HabitHistory, _ dayCount: Int, withMarks: Bool = false
  ) throws -> String {
    try Self.rule(rule).judgement(of: history).days.prefix(dayCount).map { day in
      (withMarks ? "\(day.mark) " : "") + "\(day.streak)"
    }.joined(separator: " | ")
  }

  private static func page() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "Docs/Rules.md"), encoding: .utf8)
  }

  /// Checks that a row of a calendar follows from its rule, and that the page has it below the logged days.
  private static func check(
    _ row: Row, _ history: HabitHistory, below logged: String, withMarks: Bool = false
  ) throws {
    let cells = row.cells.split(separator: withMarks ? "," : " ").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let expected = cells.joined(separator: " | ")
    for rule in [row.rule, row.other].compactMap(\.self) {
      #expect(
        try Self.cells(rule, history, cells.count, withMarks: withMarks) == expected, "\(rule)")
    }
    let table = try #require(
      try page().split(separator: logged).last?.split(separator: "\n\n").first)
    #expect(table.contains("\n| \(row.name) | \(expected) |"))
  }

  // MARK: skips

  private static func skips(_ changes: String, _ clause: String = once) -> String {
    #""skips":\#(clause),"changes":[\#(changes)]"#
  }

  private static func from(_ day: String, _ name: String, _ clause: String) -> String {
    #"{"from":"…\#(day)","\#(name)":\#(clause)}"#
  }

  private static let once = #"{"at_most":1,"per":"month"}"#
  private static let twice = #"{"at_most":2,"per":"month"}"#
  private static let thrice = #"{"at_most":3,"per":"month"}"#
  private static let weekly = #"{"at_most":1,"per":"week"}"#

  static let skipRows = [
    Row(name: "2 a month", rule: skips("", twice), cells: "1 1 2 3 3 4 0 1 0 1"),
    Row(
      name: "2 a month, from the 5th 1", rule: skips(from("05", "skips", once), twice),
      cells: "1 1 2 3 0 1 0 1 0 1"),
    Row(name: "1 a month", rule: skips(""), cells: "1 1 2 3 0 1 0 1 0 1"),
    Row(
      name: "1 a month, from the 5th 2", rule: skips(from("05", "skips", twice)),
      cells: "1 1 2 3 3 4 0 1 0 1"),
    Row(
      name: "1 a month, from the 7th 2", rule: skips(from("07", "skips", twice)),
      cells: "1 1 2 3 0 1 0 1 0 1"),
    Row(
      name: "1 a month, from the 7th 3", rule: skips(from("07", "skips", thrice)),
      cells: "1 1 2 3 0 1 1 2 0 1"),
    Row(name: "1 a week", rule: skips("", weekly), cells: "1 1 2 3 0 1 0 1 1 2"),
    Row(
      name: "1 a month, from the 5th 1 a week", rule: skips(from("05", "skips", weekly)),
      cells: "1 1 2 3 3 4 0 1 1 2"),
    Row(
      name: "any number, from the 5th 1 a month", rule: skips(from("05", "skips", once), "null"),
      cells: "1 1 2 3 3 4 0 1 0 1"),
    Row(
      name: "1 a month, from the 5th any number, from the 7th 1 a month",
      rule: skips(from("05", "skips", "null") + "," + from("07", "skips", once)),
      cells: "1 1 2 3 3 4 4 5 0 1"),
  ]

  @Test(arguments: skipRows)
  func `the count of skips continues when only the allowed number changes`(row: Row) throws {
    try Self.check(
      row, history("xsxxsxsxsx."),
      below: "| logged | done | skip | done | done | skip | done | skip | done | skip | done |")
  }

  @Test func `a change of the week's first day restarts the count of skips`() throws {
    // The 6th and the 8th are in one week when weeks begin on Monday, and in two when they begin on Sunday.
    let sunday = #"{"from":"…05","week_starts_on":"sunday"}"#
    #expect(
      try Self.cells(Self.skips(sunday, Self.weekly), history("xsxxsxsxsx."), 10)
        == "1 | 1 | 2 | 3 | 3 | 4 | 4 | 5 | 0 | 1")
  }

  @Test func `a monthly count continues when the week's first day changes`() throws {
    let sunday = #"{"from":"…05","week_starts_on":"sunday"}"#
    #expect(
      try Self.cells(Self.skips(sunday, Self.once), history("xsxxsxsxsx."), 10)
        == "1 | 1 | 2 | 3 | 0 | 1 | 0 | 1 | 0 | 1")
    let monthly = #""counts":{"unit":"month","full_days":4}"#
    #expect(
      try Self.cells(monthly + #","changes":[\#(sunday)]"#, history("xxxxxxxxxx."), 10)
        == Self.cells(monthly, history("xxxxxxxxxx."), 10))
  }

  // MARK: freezes

  private static func freezes(_ clause: String, _ changes: String...) -> String {
    #""freezes":\#(clause),"changes":[\#(changes.joined(separator: ","))]"#
  }

  private static func freeze(_ fullDays: Int, _ hold: Int) -> String {
    #"{"per_full_days":\#(fullDays),"hold":\#(hold)}"#
  }

  static let freezeRows = [
    Row(name: "2, 2", rule: freezes(freeze(2, 2)), cells: "1 2 3 4 4 4 5 0 1"),
    Row(name: "3, 2", rule: freezes(freeze(3, 2)), cells: "1 2 3 4 4 0 1 0 1"),
    Row(
      name: "2, 2; from the 6th 3, 2",
      rule: freezes(freeze(2, 2), from("06", "freezes", freeze(3, 2))),
      cells: "1 2 3 4 4 4 5 0 1"),
    Row(
      name: "3, 2; from the 6th 2, 2",
      rule: freezes(freeze(3, 2), from("06", "freezes", freeze(2, 2))),
      cells: "1 2 3 4 4 0 1 1 2"),
    Row(
      name: "2, 2; from the 6th 2, 1",
      rule: freezes(freeze(2, 2), from("06", "freezes", freeze(2, 1))),
      cells: "1 2 3 4 4 0 1 0 1"),
    Row(
      name: "none; from the 4th 2, 2",
      rule: freezes("null", from("04", "freezes", freeze(2, 2))),
      cells: "1 2 3 4 4 0 1 0 1"),
    Row(
      name: "2, 2; from the 4th none; from the 6th 2, 2",
      rule: freezes(
        freeze(2, 2), from("04", "freezes", "null"), from("06", "freezes", freeze(2, 2))),
      cells: "1 2 3 4 0 0 1 0 1"),
  ]

  @Test(arguments: freezeRows)
  func `held freezes survive a change of their price`(row: Row) throws {
    try Self.check(
      row, history("xxxx..x.x."),
      below: "| logged | done | done | done | done | – | – | done | – | done |")
  }

  @Test func `full days that suffice at the new price earn a freeze with the next full day`()
    throws
  {
    // Four full days of seven are done; from the 6th on, three suffice. A miss on the 6th finds no freeze, and a full
    // day on the 6th earns one.
    let rule = Self.freezes(
      Self.freeze(7, 1), Self.from("06", "freezes", Self.freeze(3, 1)))
    let streaks = { (days: String) in try Self.cells(rule, history(days), 7) }
    #expect(try streaks("xxxx.xx.") == "1 | 2 | 3 | 4 | 0 | 1 | 2")
    #expect(try streaks("xxxxx.x.") == "1 | 2 | 3 | 4 | 5 | 5 | 6")
  }

  // MARK: late

  private static func late(_ most: Int?, _ changes: String...) -> String {
    #""late":\#(budget(most)),"changes":[\#(changes.joined(separator: ","))]"#
  }

  private static func budget(_ most: Int?) -> String {
    most.map { #"{"within_hours":48,"at_most":\#($0),"in_days":30}"# } ?? #"{"within_hours":48}"#
  }

  static let lateRows = [
    Row(name: "1", rule: late(1), cells: "1 2 3 4 0 1 0 1"),
    Row(name: "2", rule: late(2), cells: "1 2 3 4 5 6 0 1"),
    Row(
      name: "2, from the 6th 1", rule: late(2, from("06", "late", budget(1))),
      cells: "1 2 3 4 0 1 0 1"),
    Row(
      name: "1, from the 6th 2", rule: late(1, from("06", "late", budget(2))),
      cells: "1 2 3 4 5 6 0 1"),
    Row(
      name: "1, from the 7th 2", rule: late(1, from("07", "late", budget(2))),
      cells: "1 2 3 4 0 1 2 3"),
    Row(
      name: "any number, from the 6th 1", rule: late(nil, from("06", "late", budget(1))),
      cells: "1 2 3 4 5 6 0 1",
      other: #""changes":[\#(from("06", "late", budget(1)))]"#),
    Row(
      name: "1, from the 5th any number, from the 7th 1",
      rule: late(1, from("05", "late", budget(nil)), from("07", "late", budget(1))),
      cells: "1 2 3 4 5 6 0 1",
      other: late(1, from("05", "late", "null"), from("07", "late", budget(1)))),
  ]

  @Test(arguments: lateRows)
  func `late records that counted under a budget still count after a change`(row: Row) throws {
    try Self.check(
      row, Self.logged(late: [3, 6, 8], history("xxxxxxxx.")),
      below: "| logged | done | late | done | done | late | done | late | done |")
  }

  static let freeRows = [
    Row(
      name: "any number", rule: late(nil),
      cells: "full 1, full 2, full 3, paused 3, full 4, bonus 4, off 4, full 5, full 6",
      other: #""version":1"#),
    Row(
      name: "3", rule: late(3),
      cells: "full 1, full 2, full 3, paused 3, full 4, bonus 4, off 4, full 5, full 6"),
    Row(
      name: "2", rule: late(2),
      cells: "full 1, full 2, full 3, paused 3, full 4, bonus 4, off 4, missed 0, full 1"),
    Row(
      name: "1", rule: late(1),
      cells: "full 1, full 2, full 3, paused 3, full 4, off 4, off 4, missed 0, full 1"),
    Row(
      name: "none late", rule: #""late":{"within_hours":0}"#,
      cells: "full 1, full 2, paused 2, paused 2, full 3, off 3, off 3, missed 0, full 1"),
  ]

  @Test(arguments: freeRows)
  func `a late log for a day off uses the budget`(row: Row) throws {
    var history = Self.logged(late: [4, 7, 9], history("xxx.xx.xx.", weekdays("MTWTF--")))
    history.paused = [DaySpan(first: day("2026-03-04"), last: day("2026-03-05"))]
    try Self.check(
      row, history, below: "| logged | done | done | late | – | done | late | – | late | done |",
      withMarks: true)
  }

  @Test(arguments: [nil, .zero] as [Amount?])
  func `a late skip, or an insufficient late log, uses the budget, too`(
    value: Amount?
  ) throws {
    var days = Self.logged(late: [3, 5], history("xxxxx."))
    days.records[1].value = value
    // The 3rd uses up the budget, so the 5th exceeds it.
    let streaks = value == nil ? "1 | 1 | 2 | 0 | 1" : "1 | 0 | 1 | 0 | 1"
    #expect(try Self.cells(Self.late(1), days, 5) == streaks)
    days.records[1].hoursLate = 0
    let kept = value == nil ? "1 | 1 | 2 | 3 | 4" : "1 | 0 | 1 | 2 | 3"
    #expect(try Self.cells(Self.late(1), days, 5) == kept)
  }
}

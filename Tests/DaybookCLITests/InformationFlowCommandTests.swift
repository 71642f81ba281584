import Foundation
import PropertyTesting
import Testing

/// The program's answers to accounts that were removed, have left or were erased (MC-11, HH-16): no word that others
/// wrote later, as of any moment.
@Suite(.tags(.law), .timeLimit(.minutes(60))) struct InformationFlowCommandTests {
  private static func key(_ kind: Int, _ number: Int) -> String {
    "0000000\(kind)-0000-4000-8000-00000000000\(number)"
  }

  private static let (ada, bob, cyd) = (key(1, 1), key(1, 2), key(1, 3))

  /// What Ada writes while the others are present, and again after they left.
  private static func writing(_ word: String, isFirst: Bool) -> [String] {
    let verb = isFirst ? "create" : "update"
    let end = #""start_time":"2026-03-10T10:00:00Z","end_time":"2026-03-10T11:00:00Z""#
    let meal = #""date":"2026-03-10","meal_type":"dinner""#
    return [
      isFirst
        ? #""do":"create_household","key":"\#(key(5, 1))","name":"\#(word)home""#
        : #""do":"rename_household","name":"\#(word)home""#,
      #""do":"\#(verb)_recipe","\#(isFirst ? "key" : "recipe")":"\#(key(8, 1))","#
        + #""title":"\#(word)soup","notes":"\#(word)notes","#
        + #""ingredients":[{"text":"2 \#(word)leeks"}]"#,
      #""do":"\#(verb)_household_task","\#(isFirst ? "key" : "task")":"\#(key(7, 1))","#
        + #""title":"\#(word)bins""#,
      #""do":"\#(isFirst ? "plan" : "update")_meal","\#(isFirst ? "key" : "meal")":"\#(key(9, 1))","#
        + #""title":"\#(word)stew",\#(meal)"#,
      isFirst
        ? #""do":"add_grocery_item","key":"\#(key(6, 1))","name":"\#(word)milk","#
          + #""week_start":"2026-03-09""#
        : #""do":"update_grocery_item","item":"\#(key(6, 1))","name":"\#(word)milk""#,
      isFirst
        ? #""do":"add_pantry_staple","key":"\#(key(4, 1))","name":"\#(word)salt""#
        : #""do":"update_pantry_staple","staple":"\#(key(4, 1))","name":"\#(word)salt""#,
      #""do":"\#(verb)_calendar_event","\#(isFirst ? "key" : "event")":"\#(key(3, 1))","#
        + #""title":"\#(word)walk",\#(end)"#,
      isFirst
        ? #""do":"create_hive","key":"\#(key(2, 1))","name":"\#(word)hive""#
        : #""do":"update_hive","p_hive_id":"\#(key(2, 1))","name":"\#(word)hive","emoji":"🐝""#,
      #""do":"update_profile","display_name":"\#(word)ada""#,
    ]
  }

  /// A time by the machine's clock.
  private static func time(inDays days: Double) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: days * 86_400))
  }

  /// Ada's household and hive, after Bob left, Cyd was erased and Ada went on writing.
  private static let book = Result {
    let daybook = try Program()
    func apply(_ lines: [String], as actor: String?, at: String) throws {
      let input = lines.map { line in
        "{\(line)" + (actor.map { #","as":"\#($0)""# } ?? "") + #","at":"\#(at)"}"#
      }
      let run = try daybook("apply", input: input.joined(separator: "\n"))
      try #require(run.status == 0, "\(run.output)\(run.error)")
    }
    let before = "2026-03-01T09:00:00Z"
    try apply(
      [ada, bob, cyd].map { key in
        #""do":"create_account","key":"\#(key)","display_name":"\#(key.suffix(1))","timezone":"UTC""#
      }, as: nil, at: before)
    try apply(writing("EARLY", isFirst: true), as: ada, at: before)
    try apply(
      [bob, cyd].map { #""do":"add_household_member","member":"\#($0)""# }
        + [#""do":"create_hive_invite","p_hive_id":"\#(key(2, 1))","code":"0123456789ab""#],
      as: ada, at: before)
    for person in [bob, cyd] {
      try apply(
        [
          #""do":"join_hive_with_code","p_code":"0123456789ab""#,
          #""do":"create_habit","name":"Read""#,
          #""do":"log_hive_today","p_hive_id":"\#(key(2, 1))""#,
        ], as: person, at: before)
    }
    try apply([#""do":"log_hive_today","p_hive_id":"\#(key(2, 1))""#], as: ada, at: before)
    try apply(
      [#""do":"leave_hive","p_hive_id":"\#(key(2, 1))""#], as: bob, at: "2026-03-03T09:00:00Z")
    try apply(
      [#""do":"remove_household_member","member":"\#(bob)""#], as: ada,
      at: "2026-03-03T09:00:00Z")
    let erased = try daybook("erase-account", "3", "--yes")
    try #require(erased.status == 0, "\(erased.error)")
    // The erasure has the machine's time, and everything after it is later.
    try apply(
      writing("LATER", isFirst: false)
        + [
          #""do":"create_recipe","title":"LATERcake""#,
          #""do":"create_household_task","title":"LATERsweep""#,
          #""do":"log_hive_today","p_hive_id":"\#(key(2, 1))""#,
        ], as: ada, at: time(inDays: 1))
    return try daybook.files()
  }

  private static let questions = [
    "habits", "today", "streaks", "stats", "goals", "focus", "tasks", "labels", "insights",
    "profile",
    "feed", "awards", "hives", "hive EARLYhive", "hive LATERhive", "audit EARLYhive", "household",
    "household history", "chores", "recipes", "recipe EARLYsoup", "recipe LATERsoup",
    "plan --week 2026-03-10", "groceries --week 2026-03-10", "pantry", "calendar --from 2026-03-10",
    "export", "export --format ics",
  ]

  @Test(arguments: [bob, cyd])
  func `no question reveals what was written later (MC-11, HH-16)`(person: String) throws {
    let daybook = try Program(with: Self.book.get())
    for question in try sample(Self.questions, every: 3) {
      let words = question.split(separator: " ").map(String.init) + ["--as", person]
      // For an erased account all moments give the same answer.
      let times = [[]] + (person == Self.bob ? [["--as-of", "2026-03-02T00:00:00Z"]] : [])
      for time in times {
        let run = try daybook.run(words + time)
        let told = (run.output + run.error).replacing("EARLY", with: "")
          .replacing("LATERhive", with: question.contains("LATERhive") ? "" : "LATERhive")
          .replacing("LATERsoup", with: question.contains("LATERsoup") ? "" : "LATERsoup")
        #expect(!told.contains("LATER"), "\(words + time): \(run.output)\(run.error)")
      }
    }
    let due = try daybook(
      "due", "--from", "2026-02-28T00:00:00Z", "--to", Self.time(inDays: 2), "--as", person)
    #expect(!due.output.contains("LATER"), "\(due.output)")
    let own = try daybook("recipes", "--as", Self.ada)
    #expect(own.output.contains("LATERsoup"), "members see it")
  }
}

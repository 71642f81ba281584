import Avro
import Daybook
import DaybookStore
import Values

/// The tables of what is computed from a book: the days and streaks of habits by Daybook's own rule, and awards; and the
/// moment for which it was computed.
enum JudgedTables {
  static let days = SQLTable(
    "habit_days",
    [
      .init("habit_id", "TEXT", in: "habits"), .init("day", "TEXT"), .init("mark", "TEXT"),
      .init("due", "INTEGER"), .init("value", "REAL", canBeNull: true), .init("target", "REAL"),
      .init("streak", "INTEGER"),
    ])
  static let streaks = SQLTable(
    "habit_streaks",
    [
      .init("habit_id", "TEXT", in: "habits"), .init("start", "TEXT"), .init("end", "TEXT"),
      .init("length", "INTEGER"), .init("is_current", "INTEGER"),
    ])
  static let awards = SQLTable(
    "account_awards",
    [
      .init("user_id", "TEXT", in: "profiles"), .init("award", "TEXT"),
      .init("count", "INTEGER", canBeNull: true),
      .init("habit", "TEXT", canBeNull: true, in: "habits"),
      .init("hive", "TEXT", canBeNull: true, in: "hives"), .init("from", "TEXT", canBeNull: true),
      .init("day", "TEXT"), .init("position", "INTEGER"), .init("at", "TEXT"),
      .init("undone", "INTEGER"), .init("evidence", "TEXT"),
    ])

  static let about = SQLTable(
    "about",
    [
      .init("position", "INTEGER"), .init("as_of", "TEXT"), .init("made_by", "TEXT"),
    ])

  /// Views for reading, with names beside keys.
  static let views = """
    CREATE VIEW "days" AS
      SELECT d."habit_id", h."user_id", p."display_name" AS "person", h."name" AS "habit", d."day", d."mark", d."due",
        d."value", d."target", d."streak"
      FROM "habit_days" d JOIN "habits" h ON h."id" = d."habit_id" LEFT JOIN "profiles" p ON p."id" = h."user_id";
    CREATE VIEW "streaks" AS
      SELECT h."id" AS "habit_id", h."user_id", p."display_name" AS "person", h."name" AS "habit",
        coalesce((SELECT s."length" FROM "habit_streaks" s WHERE s."habit_id" = h."id" AND s."is_current"), 0) AS "current",
        coalesce((SELECT max(s."length") FROM "habit_streaks" s WHERE s."habit_id" = h."id"), 0) AS "longest",
        (SELECT s."start" FROM "habit_streaks" s WHERE s."habit_id" = h."id" AND s."is_current") AS "current_start"
      FROM "habits" h LEFT JOIN "profiles" p ON p."id" = h."user_id";
    CREATE VIEW "awards" AS
      SELECT a."user_id", p."display_name" AS "person", a."award", a."count", h."name" AS "habit", v."name" AS "hive",
        a."from", a."day", a."position", a."at", a."undone", a."evidence"
      FROM "account_awards" a JOIN "profiles" p ON p."id" = a."user_id"
        LEFT JOIN "habits" h ON h."id" = a."habit" LEFT JOIN "hives" v ON v."id" = a."hive";

    """

  /// Writes the tables.
  ///
  /// - Parameters:
  ///   - view: The book as of an instant.
  ///   - emit: Receives piece after piece; an error from it ends the work.
  /// - Returns: How many rows were written.
  /// - Throws: what `emit` throws, ``JournalError``, or ``Rejection``.
  static func write(_ view: BookView, _ emit: (String) throws -> Void) throws -> Int {
    let state = view.state
    for table in [Self.days, Self.streaks, Self.awards, Self.about] { try emit(table.definition) }
    try emit(
      Self.about.insertion(of: [
        "position": .number(state.position), "as_of": .string(view.query.asOf.description),
        "made_by": .string("daybook \(DaybookVersion.text)"),
      ]))
    var count = 1
    func add(_ rows: [String]) throws {
      count += rows.count
      if !rows.isEmpty { try emit(rows.joined()) }
    }
    for habit in state.habits(of: nil) {
      try add(rows(of: try state.view(of: habit, view.query)))
    }
    for account in state.livingAccounts {
      guard let number = state.accounts.number(of: account.key) else { continue }
      let owner = JSON.Member("user_id", .string(account.key.description))
      try add(
        try view.awards(of: number).map { award in
          let members = award.json(of: number, in: state).members ?? []
          return Self.awards.insertion(of: .object([owner] + members))
        })
    }
    return count
  }

  /// The statements that add the days and streaks of a habit.
  private static func rows(of view: HabitView) -> [String] {
    let habit = JSON.string(view.habit.key.description)
    let days = view.judgement.days.map { day in
      Self.days.insertion(of: [
        "habit_id": habit, "day": .string(day.day.description), "mark": .string(day.mark.rawValue),
        "due": .bool(day.due), "value": day.value.map { .number($0.description) } ?? .null,
        "target": .number(day.target.amount.description), "streak": .number(day.streak),
      ])
    }
    let streaks = view.judgement.streaks.map { streak in
      Self.streaks.insertion(of: [
        "habit_id": habit, "start": .string(streak.start.description),
        "end": .string(streak.end.description), "length": .number(streak.length),
        "is_current": .bool(streak == view.judgement.current),
      ])
    }
    return days + streaks
  }
}

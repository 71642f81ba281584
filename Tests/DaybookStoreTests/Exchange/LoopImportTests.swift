import Daybook
import DaybookStore
import Journal
import Testing

@Suite(.tags(.unit)) struct LoopImportTests {
  static let head =
    "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,"
    + "Target Type,Target Value,Archived?\n"
  static let run = "001,Run,YES_NO,,,1,1,#1976D2,,,,false\n"
  static let drink = "002,Drink,NUMERICAL,,,1,1,#1976D2,glasses,AT_LEAST,2.5,false\n"

  static func files(_ more: [String: String] = [:]) -> [String: String] {
    [
      "loop/Habits.csv": head + run + drink,
      "loop/001 Run/Checkmarks.csv":
        "Date,Value,Notes\n2026-07-05,SKIP,ill\n2026-07-04,YES_AUTO,\n2026-07-03,NO,\"tired, \"\"old\"\"\"\n"
        + "2026-07-02,YES_MANUAL,\n2026-07-01,UNKNOWN,lost\n",
      "loop/002 Drink/Checkmarks.csv": "Date,Value,Notes\n2026-07-02,1250,\n",
    ].merging(more) { $1 }
  }

  static func export(_ files: [String: String]) throws -> HabitExport {
    try HabitExport(at: "loop", storage: try ExchangeWorld.disk(files))
  }

  @Test
  func `marks, skips, values and notes are kept, and computed days and loose notes are counted`()
    throws
  {
    let book = try ExchangeWorld.book()
    let summary = try book.importHabits(
      Self.export(Self.files()), for: ExchangeWorld.account(), recorded: .asLived)
    #expect(summary.habitsMade == 2 && summary.entriesRecorded == 4)
    #expect(summary.computedLeftOut == 1 && summary.notesNotKept == 1)
    let days = book.read { state in
      state.habits.elements.flatMap { habit in
        habit.days.records.map {
          "\($0.day) \($0.isSkipped ? "skip" : $0.value.description) "
            + (habit.days.note(on: $0.day) ?? "-")
        }
      }
    }
    #expect(
      days == [
        "2026-07-02 1 -", "2026-07-03 0 tired, \"old\"", "2026-07-05 skip ill", "2026-07-02 1.25 -",
      ])
    let created = book.read { $0.habits.elements.map(\.createdOn) }
    #expect(created == [try EveryEvent.day("2026-07-02"), try EveryEvent.day("2026-07-02")])
  }

  @Test func `a later export adds only its new days, changed days and new habits`() throws {
    let book = try ExchangeWorld.book()
    let first = try book.importHabits(
      Self.export(Self.files()), for: ExchangeWorld.account(), recorded: .asLived)
    let later = Self.files([
      "loop/Habits.csv": Self.head + Self.run + Self.drink.replacing("#1976D2", with: "#000000")
        + "003,Run,YES_NO,,,1,1,#1976D2,,,,true\n",
      "loop/002 Drink/Checkmarks.csv":
        "Date,Value,Notes\n2026-07-06,500,\n2026-07-02,1500,\n",
      "loop/003 Run/Checkmarks.csv": "Date,Value,Notes\n2026-07-06,YES_MANUAL,\n",
    ])
    let summary = try book.importHabits(
      Self.export(later), for: .existing(first.account), recorded: .asLived)
    #expect(summary.habitsFound == 2 && summary.habitsMade == 1)
    #expect(summary.entriesRecorded == 3 && summary.entriesFound == 3)
    let drink = try #require(book.read { $0.habits.elements.first { $0.type == .counter } })
    #expect(drink.days.records.map(\.value.thousandths) == [1500, 500])
    #expect(drink.description.color == "#1976D2")
    #expect(book.read { $0.habits.elements.last?.isArchived } == true)
  }

  @Test func `a habit deleted since is left alone`() throws {
    let book = try ExchangeWorld.book()
    let export = try Self.export(Self.files())
    let first = try book.importHabits(export, for: ExchangeWorld.account(), recorded: .now)
    try book.record(DeleteHabit(try #require(Habit.ID(1))), by: first.account)
    let position = book.read { $0.position }
    let summary = try book.importHabits(export, for: .existing(first.account), recorded: .now)
    #expect(summary.habitsFound == 2 && summary.habitsDeleted == 1)
    #expect(book.read { $0.position } == position)
  }

  @Test func `exports of older versions may lack columns, words and files`() throws {
    let files = [
      "loop/Habits.csv":
        "Name,Question,Description,NumRepetitions,Interval,Color\nRun,Ran?,,3,7,11\n"
        + "Read,,,7,7,#aaaaaa\nRest,,,1,1,\n",
      "loop/001 Run/Checkmarks.csv": "2015-01-03,2\n2015-01-02,1\n2015-01-01,0\n",
      "loop/Checkmarks.csv":
        "Date,Run, a comma\",Read,Rest,\n2015-01-02,2,2,3,\n2015-01-01,2,-1,0,\n",
    ]
    let export = try Self.export(files)
    #expect(export.habits.map(\.color) == ["#1976D2", "#aaaaaa", "#FF9F1C"])
    #expect(export.habits.map(\.schedule) == [Schedule.quota(3, in: 7), .daily, .daily])
    #expect(export.habits[0].question == "Ran?" && export.habits[0].computedCount == 1)
    let values = export.habits.map { $0.entries.map(\.value) }
    #expect(values == [[.zero, .one], [.one], [.zero, nil]])
  }

  @Test func `a future day is refused with its line`() throws {
    let book = try ExchangeWorld.book(clock: ExchangeWorld.clock(at: "2026-07-04T12:00:00Z"))
    let export = try Self.export(Self.files())
    for recorded in [HabitImport.Recording.asLived, .now] {
      let error = #expect(throws: ExchangeError.self) {
        try book.importHabits(export, for: ExchangeWorld.account(), recorded: recorded)
      }
      #expect(error?.code == "future_day")
      let place = "loop/001 Run/Checkmarks.csv, line 2: 2026-07-05"
      #expect(error?.description.hasPrefix(place) == true)
      #expect(book.read { $0.position } == 0)
    }
  }

  @Test func `an unknown time zone or account is refused`() throws {
    let book = try ExchangeWorld.book()
    let export = try Self.export(Self.files())
    #expect(throws: Rejection.unknownTimeZone("Mars/Olympus")) {
      try book.importHabits(export, for: ExchangeWorld.account("Mars/Olympus"), recorded: .asLived)
    }
    #expect(throws: Rejection.accountNotFound) {
      try book.importHabits(export, for: .existing(try #require(Account.ID(3))), recorded: .now)
    }
    #expect(book.read { $0.position } == 0)
  }

  @Test func `a directory without Habits.csv is refused`() throws {
    let disk = try ExchangeWorld.disk(["loop/Scores.csv": "", "file": ""])
    let codes = ["loop": "not_a_loop_export", "nowhere": "storage", "file": "not_understood"]
    for (path, code) in codes {
      let error = #expect(throws: ExchangeError.self) { try HabitExport(at: path, storage: disk) }
      #expect(error?.code == code, "\(path)")
    }
  }

  /// The values of a day are recorded at the end of the day in its zone, also where the zone left the day out.
  @Test func `a day that the time zone left out is imported, too`() throws {
    let book = try ExchangeWorld.book()
    let files = Self.files([
      "loop/001 Run/Checkmarks.csv":
        "Date,Value,Notes\n2011-12-31,NO,\n2011-12-30,NO,\n2011-12-29,NO,\n"
    ])
    let summary = try book.importHabits(
      Self.export(files), for: ExchangeWorld.account("Pacific/Apia"), recorded: .asLived)
    #expect(summary.entriesRecorded == 4)
  }
}

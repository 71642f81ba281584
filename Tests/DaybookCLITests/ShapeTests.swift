import Avro
import Foundation
import Testing

/// The JSON that scripts rely on, and the text that people read.
@Suite(.tags(.program)) struct ShapeTests {
  /// A week: done, done, missed, done late, skipped, done.
  private func week() throws -> AdasBook { try AdasBook(with: Self.week.get()) }

  private static let week = Result {
    let ada = try AdasBook()
    for (words, at) in [
      (["log", "Read"], "2026-03-01T20:00:00Z"), (["log", "Read"], "2026-03-02T20:00:00Z"),
      (["log", "Read", "--day", "2026-03-04"], "2026-03-05T20:00:00Z"),
      (["skip", "Read"], "2026-03-05T21:00:00Z"), (["log", "Read"], "2026-03-06T20:00:00Z"),
    ] {
      let run = try ada.daybook.run(words + ["--at", at])
      try #require(run.status == 0, "\(run.error)")
    }
    return try ada.daybook.files()
  }

  @Test func `streaks --json has these keys (HH-14, MO-5)`() throws {
    let daybook = try week().daybook
    let rows = try daybook("streaks", "--json", "--as-of", "2026-03-06T22:00:00Z").json()
    #expect(
      rows.encoded == """
        [{"habit":"\(AdasBook.read)","account":"\(AdasBook.ada)","name":"Read","current":2,"longest":2,\
        "current_start":"2026-03-04","longest_start":"2026-03-04","longest_end":"2026-03-06",\
        "full_days":4,"completion":0.8,"strength":\(rows.elements?[0]["strength"]?.encoded ?? ""),\
        "archived":false}]
        """)
  }

  @Test func `audit --json shows marks, evidence and remedies (ES-3)`()
    throws
  {
    let daybook = try week().daybook
    let audit = try daybook("audit", "Read", "--json", "--as-of", "2026-03-06T22:00:00Z").json()
    #expect(
      audit.members?.map(\.name) == [
        "habit", "name", "rule", "current", "longest", "days", "streaks", "breaks",
      ])
    let days = try #require(audit["days"]?.elements)
    #expect(days.map { $0["mark"]?.text } == ["full", "full", "missed", "full", "skipped", "full"])
    #expect(days.map { $0["streak"]?.integer } == [1, 2, 0, 1, 1, 2])
    #expect(
      days[3].encoded == """
        {"day":"2026-03-04","mark":"full","due":true,"value":1,"target":1,"streak":1,\
        "schedule_since":"2026-03-01","evidence":[{"position":5,"at":"2026-03-05T20:00:00Z",\
        "actor":"\(AdasBook.ada)","event":"HabitLogged","source":"manual"}]}
        """)
    #expect(
      audit["streaks"]?.encoded == """
        [{"start":"2026-03-01","end":"2026-03-02","length":2},\
        {"start":"2026-03-04","end":"2026-03-06","length":2}]
        """)
    #expect(
      audit["breaks"]?.encoded == """
        [{"day":"2026-03-03","lost":2,"saved_by":[\
        {"do":"log_habit","day":"2026-03-03","value":1},{"do":"skip_day","day":"2026-03-03"},\
        {"do":"pause","from":"2026-03-03","to":"2026-03-03"}]}]
        """)
  }

  @Test func `both time axes answer, and can be combined (ES-4)`() throws {
    let daybook = try week().daybook
    func current(_ words: String...) throws -> Int? {
      try daybook.run(["streaks", "--json"] + words).json().elements?.first?["current"]?.integer
    }
    // On 4 March the book did not know yet that the 4th was done, and the 3rd was missed.
    #expect(try current("--as-of", "2026-03-04T22:00:00Z") == 0)
    #expect(try current("--as-of", "2026-03-04T22:00:00Z", "--on", "2026-03-02") == 2)
    #expect(try current("--as-of", "2026-03-06T22:00:00Z", "--on", "2026-03-04") == 1)
    #expect(try current("--as-of", "2026-03-02") == 2, "a day means its end")
    #expect(try daybook("streaks", "--json", "--as-of", "2026-02-01").output == "[]\n")
  }

  @Test func `under Loop's rule a past day is shown as Loop showed it then`() throws {
    let daybook = try AdasBook().daybook
    // One log in three days; each is made on its day.
    try daybook("habits", "add", "Swim", "--schedule", "1/3", "--at", "2026-03-01T08:02:00Z")
    for day in ["01", "02", "06", "07", "12"] {
      try daybook("log", "Swim", "--at", "2026-03-\(day)T20:00:00Z")
      if day != "06" { try daybook("log", "Read", "--at", "2026-03-\(day)T20:01:00Z") }
    }
    for day in 1...12 {
      let date = "2026-03-" + (day < 10 ? "0" : "") + "\(day)"
      let known = try daybook("streaks", "--rule", "loop", "--as-of", date + "T23:00:00Z").output
      let about = try daybook(
        "streaks", "--rule", "loop", "--on", date, "--as-of", "2026-03-12T23:00:00Z"
      ).output
      #expect(about == known, "\(date)")
    }
  }

  @Test func `heatmap --json has a cell per day, and --svg draws them (HH-14, HH-29, DG-7)`() throws
  {
    let daybook = try week().daybook
    let run = try daybook("heatmap", "Read", "--year", "2026", "--json", "--svg", "comb.svg")
    let days = try #require(try run.json()["days"]?.elements)
    #expect(days.count == 365)
    #expect(days[0]["mark"]?.encoded == "null")
    #expect(
      days[59].encoded
        == #"{"day":"2026-03-01","value":1,"target":1,"level":4,"mark":"full"}"#)
    #expect(
      days[61].encoded
        == #"{"day":"2026-03-03","value":null,"target":1,"level":0,"mark":"missed"}"#)
    let svg = try String(contentsOfFile: daybook.path("comb.svg"), encoding: .utf8)
    // The legend has one of each.
    #expect(svg.components(separatedBy: "href=\"#done\"").count - 1 == 4 + 1)
    #expect(svg.contains("fill:#34C759") && svg.contains("fill:#FFF6E6"))
    _ = try daybook("heatmap", "Read", "--palette", "digit", "--svg", "digit.svg")
    #expect(
      try String(contentsOfFile: daybook.path("digit.svg"), encoding: .utf8).contains("#216E39"))
  }

  @Test func `history shows every entry, newest first, with time, actor and source (ES-3)`() throws
  {
    let daybook = try week().daybook
    let rows = try #require(try daybook("history", "Read", "--json").json().elements)
    #expect(rows.map { $0["position"]?.integer } == [7, 6, 5, 4, 3, 2])
    #expect(rows[1]["event"]?.text == "HabitDaySkipped")
    #expect(rows[0]["actor"]?.text == AdasBook.ada)
  }

  @Test func `today lists due habits with their streaks, and clear reverts a log (MO-4, HH-12)`()
    throws
  {
    let ada = try week()
    func card() throws -> JSON? {
      try ada.daybook("today", "--json", "--as-of", "2026-03-06T22:00:00Z").json().elements?.first
    }
    #expect(try card()?["mark"]?.text == "full")
    #expect(try card()?["streak"]?.integer == 2)
    try ada.daybook("clear", "Read", "--at", "2026-03-06T21:00:00Z")
    #expect(try card()?["mark"]?.text == "pending")
    #expect(try card()?["streak"]?.integer == 1)
  }

  @Test func `audit returns one entry for each date of a range (DG-3, HH-8)`() throws {
    let ada = try week()
    func days(_ words: String...) throws -> [JSON] {
      let audit = try ada.daybook.run(
        ["audit", "Read", "--json", "--as-of", "2026-03-06T22:00:00Z"] + words)
      return try audit.json()["days"]?.elements ?? []
    }
    let date = try days("--from", "2026-03-02", "--to", "2026-03-02")
    #expect(date.map { $0["value"]?.integer } == [1])
    #expect(try days("--from", "2026-03-02", "--to", "2026-03-04").count == 3)
    try ada.daybook("log", "Read", "--day", "2026-03-02", "--at", "2026-03-06T21:00:00Z")
    let logs = try ada.daybook("dump", "--json").json()["habit_logs"]?.elements ?? []
    #expect(logs.filter { $0["log_date"]?.text == "2026-03-02" }.count == 1)
  }

  @Test func `without habits a message says how to make one (MO-6)`() throws {
    let daybook = try Program()
    try daybook("init", "--name", "Ada")
    for command in ["today", "streaks", "habits", "stats"] {
      #expect(try daybook(command).output.contains("daybook habits add"))
    }
  }

  @Test func `stats count by day, week, month and year (DG-5, HH-14)`() throws {
    let daybook = try week().daybook
    let run = try daybook(
      "stats", "Read", "--by", "week", "--json", "--as-of", "2026-03-06T22:00:00Z")
    let totals = try run.json().elements?.first?["totals"]?.encoded
    #expect(
      totals == """
        [{"start":"2026-02-23","full_days":1,"due_days":1,"completion":1,"sum":1},\
        {"start":"2026-03-02","full_days":3,"due_days":4,"completion":0.75,"sum":3}]
        """)
  }

  @Test func `an imported export has the same digest`() throws {
    let daybook = try week().daybook
    try daybook("export", "--output", "week.jsonl")
    let imported = try daybook("import", "jsonl", "week.jsonl", "--book", "copy")
    #expect(imported.status == 0)
    let digest = try daybook("dump", "--digest").output
    #expect(try daybook("dump", "--digest", "--book", "copy").output == digest)
    #expect(imported.output.contains(digest.dropLast()))
  }

  @Test func `the book may be given before the command, or by the variable`() throws {
    let daybook = try week().daybook
    #expect(try daybook("--book", "my.daybook", "streaks").output == daybook("streaks").output)
    #expect(try daybook("--book=my.daybook", "--json", "habits").json().elements?.count == 1)
  }

  @Test func `the demo describes a book that any command can open`() throws {
    let daybook = try Program()
    let run = try daybook("demo", "--dir", "demo", "--seed", "7")
    #expect(run.status == 0)
    for words in [
      "4 people, 10 habits", "Why is her streak", "would have been saved", "a month ago",
      "Weekly review", "Elm Street",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
    let streaks = try #require(try daybook("streaks", "--json", "--book", "demo").json().elements)
    #expect(streaks.count == 10)
    #expect(try daybook("demo", "--dir", "demo").status == 1, "a book is never overwritten")
  }

  @Test(arguments: [
    "", "log", "habits", "import", "import loop", "streaks", "audit", "apply", "bench",
  ])
  func `--help explains every command`(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let run = try Program().run(words + ["--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("OVERVIEW") && run.output.contains("USAGE: daybook"))
  }
}

import Avro
import Testing

/// `diff` and `audit --then-and-now`: changes between two times, and days as they closed.
@Suite(.tags(.program)) struct DiffCommandTests {
  /// A corrected week: the 4th was logged on the 6th, and the 2nd was cleared then.
  private func mended() throws -> AdasBook {
    let ada = try AdasBook()
    for day in ["01", "02", "03", "05"] {
      try ada.daybook("log", "Read", "--at", "2026-03-\(day)T20:00:00Z")
    }
    try ada.daybook("log", "Read", "--day", "2026-03-04", "--at", "2026-03-06T09:30:00Z")
    try ada.daybook("clear", "Read", "--day", "2026-03-02", "--at", "2026-03-06T09:31:00Z")
    return ada
  }

  @Test func `a diff shows added, removed and changed rows with their entries`() throws {
    let ada = try mended()
    try ada.daybook("habits", "rename", "Read", "Read aloud", "--at", "2026-03-06T09:32:00Z")
    try expect(
      """
      % diff --from 2026-03-05 --to 2026-03-06
      habits
      ~  Read aloud  name Read → Read aloud  #9 HabitDescribed at 2026-03-06 09:32
      habit_logs
      -  Read aloud, 2026-03-02  value 1  #8 HabitLogCleared at 2026-03-06 09:31
      +  Read aloud, 2026-03-04  value 1  #7 HabitLogged at 2026-03-06 09:30
      1 came, 1 went, 1 changed.
      % diff --from 2026-03-06 --to 2026-03-06
      Nothing changed.
      % diff --from 2026-03-06 --to 2026-03-05
      ! --to is before --from
      exit code 2
      % diff --from 2026-03-05 --habit Run
      ! No habit's name has a word that begins with "Run"; there are "Read aloud".
      exit code 1
      """, of: ada, at: "2026-03-07T12:00:00Z")
  }

  @Test func `--then-and-now compares each day as it closed with what is known now`() throws {
    let ada = try mended()
    try expect(
      """
      ? audit Read --then-and-now --all
      Read: current 3 days, on 1 day that did not count when they closed (rule daybook 1)
      day         then       now                 recorded after it was over
      2026-03-01  full, 1    full, 1             \("")
      2026-03-02  full, 2    missed, 0  changed  #8 HabitLogCleared at 2026-03-06 09:31 by Ada from manual, 3 days late
      2026-03-03  full, 3    full, 1             \("")
      2026-03-04  missed, 0  full, 2    changed  #7 HabitLogged at 2026-03-06 09:30 by Ada from manual, 30 h late
      2026-03-05  full, 1    full, 3             \("")
      2 days changed after the close, 2 days recorded late.
      ? audit Read --late --from 2026-03-03
      Read: current 3 days, on 1 day that did not count when they closed (rule daybook 1)
      day         then       now               recorded after it was over
      2026-03-04  missed, 0  full, 2  changed  #7 HabitLogged at 2026-03-06 09:30 by Ada from manual, 30 h late
      """, of: ada, at: "2026-03-06T12:00:00Z")
    let run = try ada.daybook(
      "audit", "Read", "--late", "--as-of", "2026-03-06T12:00:00Z", "--json")
    let json = try run.json()
    #expect(json["leaned_on"] == 1)
    #expect(json["days"]?.elements?.compactMap { $0["day"]?.text } == ["2026-03-02", "2026-03-04"])
    let late = json["days"]?.elements?.last?["logs"]?.elements?.last
    #expect(late?["late_seconds"] == .number("106200"))
    let none = try ada.daybook("audit", "Read", "--late", "--as-of", "2026-03-05T22:00:00Z")
    #expect(none.lines.last == "Everything was recorded on its day.")
  }

  @Test func `a hive's audit names late members and revives no day`() throws {
    let ada = try AdasBook()
    let (bob, hive) = (
      "00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-000000000030"
    )
    let line = { (name: String, actor: String?, fields: String, at: String) in
      #"{"do":"\#(name)""# + (actor.map { #","as":"\#($0)""# } ?? "")
        + #",\#(fields),"at":"2026-03-\#(at):00Z"}"#
    }
    let lines = [
      line(
        "create_account", nil,
        #""key":"\#(bob)","display_name":"Bob","timezone":"Europe/London""#, "02T08:00"),
      line("create_hive", AdasBook.ada, #""key":"\#(hive)","name":"Bees""#, "02T08:01"),
      line(
        "create_hive_invite", AdasBook.ada, #""p_hive_id":"\#(hive)","code":"0123456789ab""#,
        "02T08:02"),
      line("join_hive_with_code", bob, #""p_code":"0123456789ab""#, "02T08:03"),
      line("log_hive_today", AdasBook.ada, #""p_hive_id":"\#(hive)""#, "02T08:04"),
      line("log_hive_today", bob, #""p_hive_id":"\#(hive)""#, "02T08:05"),
      line("log_hive_today", AdasBook.ada, #""p_hive_id":"\#(hive)""#, "03T20:00"),
    ]
    let made = try ada.daybook.run(["apply"], input: lines.joined(separator: "\n"))
    #expect(made.status == 0, "\(made)")
    try ada.daybook(
      "hives", "log", "Bees", "--as", "Bob", "--day", "2026-03-03", "--at", "2026-03-05T09:30:00Z")
    try expect(
      """
      ? audit Bees --then-and-now --as Ada
      Bees: 0 days together
      day         then             now                recorded after it was over
      2026-03-02  advanced 2/2, 1  advanced 2/2, 1    \("")
      2026-03-03  broken 1/2, 0    broken 1/2, 0      #12 HiveDayLogged at 2026-03-05 09:30 by Bob from manual, 30 h late
      2026-03-04  broken 0/2, 0    broken 0/2, 0      \("")
      ? whatif "hive Bees" --as Bob
      Bees: 0 together
      day         verdict  done
      2026-03-05  open     0/2 → 1/2
      Nothing was recorded.
      """, of: ada, at: "2026-03-05T12:00:00Z")
    let stranger = try ada.daybook("accounts", "add", "Cy", "--at", "2026-03-05T13:00:00Z")
    #expect(stranger.status == 0)
    let asked = try ada.daybook(
      "ask", #"{"ask":"then_and_now","hive":"\#(hive)"}"#, "--caller", "Cy", "--json")
    #expect(try asked.json()["error"]?["code"] == "hive_not_found", "\(asked)")
  }

  @Test func `every diff fits forty columns`() throws {
    let ada = try mended()
    for words in [
      ["diff", "--from", "2026-03-05", "--to", "2026-03-06"],
      ["audit", "Read", "--then-and-now", "--all", "--as-of", "2026-03-06T12:00:00Z"],
      ["whatif", "skip today", "--as-of", "2026-03-06T12:00:00Z"],
    ] {
      let run = try ada.daybook.run(words + ["--width", "40"])
      #expect(run.status == 0)
      #expect(run.lines.allSatisfy { $0.count <= 40 }, "\(run.output)")
    }
  }
}

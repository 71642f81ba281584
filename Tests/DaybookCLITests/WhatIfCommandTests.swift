import Avro
import Testing

/// `whatif`: the consequences of commands that are not recorded.
@Suite(.tags(.program)) struct WhatIfCommandTests {
  /// Four days with one missing, and a habit with three days a week.
  private func week() throws -> AdasBook {
    let ada = try AdasBook()
    let add = ["habits", "add", "Run far", "--schedule", "mon,wed,fri", "--remind", "21:00"]
    _ = try ada.daybook.run(add + ["--at", "2026-03-01T08:02:00Z"])
    for day in ["01", "02", "03", "05"] {
      try ada.daybook("log", "Read", "--at", "2026-03-\(day)T20:00:00Z")
    }
    return ada
  }

  @Test func `whatif understands the program's own commands, and writes nothing`()
    throws
  {
    let ada = try week()
    let files = try ada.journal()
    try expect(
      """
      ? whatif "log Read 2026-03-04"
      habit  current  longest  ends unless done
      Read   1 → 5    3 → 5    2026-03-06
      Nothing was recorded.
      ? whatif "log Read 2"
      habit  current  longest  ends unless done
      Read   1 → 2    3        2026-03-06 → 2026-03-07
      Nothing was recorded.
      ? whatif "log Read +0.5 today"
      habit  current  longest  ends unless done
      Read   1 → 2    3        2026-03-06 → 2026-03-07
      Nothing was recorded.
      ? whatif "skip Read today"
      habit  current  longest  ends unless done
      Read   1        3        2026-03-06 → 2026-03-07
      Nothing was recorded.
      """, of: ada, at: "2026-03-06T12:00:00Z")
    #expect(try ada.journal() == files)
  }

  @Test func `supposed commands build on one another`() throws {
    let ada = try week()
    let run = try ada.daybook(
      "whatif", "log Read 4 march", "log Read", "schedule Run far tue thu", "--as-of",
      "2026-03-06T12:00:00Z", "--json")
    let json = try run.json()
    #expect(json["habits"]?.elements?.first?["current"] == [1, 6])
    #expect(json["entries"] == 3)
    #expect(
      json["reminders"]?.elements?.map { "\($0["comes"]?.encoded ?? "") \($0["day"]?.text ?? "")" }
        == [
          "false 2026-03-06", "false 2026-03-09", "true 2026-03-10", "false 2026-03-11",
          "true 2026-03-12",
        ])
  }

  @Test func `supposed commands may come from a file, and lie in the future`() throws {
    let ada = try week()
    let lines = [6, 7, 8].map {
      #"{"do":"log_habit","habit":"\#(AdasBook.read)","at":"2026-03-0\#($0)T20:00:00Z"}"#
    }.joined(separator: "\n")
    let run = try ada.daybook.run(
      ["whatif", "--file", "-", "--as-of", "2026-03-06T12:00:00Z", "--json"], input: lines)
    let json = try run.json()
    #expect(json["as_of"] == "2026-03-08T20:00:00Z")
    // Without them the streak would have ended by then.
    #expect(json["habits"]?.elements?.first?["current"] == [0, 4])
  }

  @Test func `an impossible supposition is refused with a sentence`() throws {
    let ada = try week()
    try expect(
      """
      ? whatif "log Reda"
      ! No habit's name has a word that begins with "Reda"; there are "Read", "Run far".
      exit code 1
      ? whatif "log Read nonsense"
      ! "nonsense" is neither an amount nor a day: give 2.5, or 2026-03-01, today, yesterday, a weekday such as tue (the last one), or 3 days ago
      exit code 2
      ? whatif "log Read 2026-03-09"
      ! 2026-03-09 has not come yet (today is 2026-03-06); log it on the day.
      exit code 1
      ? whatif "zone Mars/Olympus"
      ! timezone: "Mars/Olympus" is not an IANA time zone; use a name such as Europe/London.
      exit code 1
      ? whatif "day-start 99999999999999999999"
      ! day-start: "99999999999999999999" is not an hour from 0 to 23
      exit code 2
      ? whatif "pause 2026-04-10..2026-04-01"
      ! A pause cannot end (2026-04-01) before it begins (2026-04-10).
      exit code 1
      """, of: ada, at: "2026-03-06T12:00:00Z")
    for words in ["", "fly", "pause ..", "target Read", "schedule Read never", "day-start x"] {
      let run = try ada.daybook("whatif", words, "--as-of", "2026-03-06T12:00:00Z")
      #expect(run.status == 2 || run.status == 0 && words == "pause ..", "\(words): \(run)")
    }
    let none = try ada.daybook("whatif")
    #expect(none.status == 2)
  }

  @Test func `nobody supposes a command for another account, or more than a year ahead`() throws {
    let ada = try week()
    let bob = "00000000-0000-4000-8000-00000000000b"
    try ada.daybook("accounts", "add", "Bob", "--key", bob, "--at", "2026-03-05T21:00:00Z")
    let ask = { (command: String, asker: String) in
      try ada.daybook(
        "ask", #"{"ask":"whatif","as":"\#(asker)","commands":[\#(command)]}"#, "--json"
      ).json()["error"]?["code"]?.text
    }
    let log = #"{"do":"skip_day","habit":"\#(AdasBook.read)""#
    #expect(try ask(log + "}", bob) == "habit_not_found", "another account's habit is hidden")
    #expect(try ask(log + #","as":"\#(AdasBook.ada)"}"#, bob) == "caller_acts")
    #expect(try ask(log + #","at":"9999-01-01T00:00:00Z"}"#, AdasBook.ada) == "invalid_field")
    #expect(try ask(#"{"do":"settle"}"#, bob) == "system_only")
    for name in ["link_identity", "verify_identity", "unlink_identity"] {
      #expect(try ask(#"{"do":"\#(name)"}"#, bob) == "system_only")
    }
    #expect(try ask(#"{"do":"create_account"}"#, bob) == "system_only")
    #expect(try ask(#"{"do":"fly"}"#, bob) == "unknown_command")
    #expect(try ask("7", bob) == "invalid_field")
    #expect(try ask("{}", bob) == "missing_field")
  }
}

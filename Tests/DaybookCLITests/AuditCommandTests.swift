import Testing

/// The text output of `audit`: the answer first.
@Suite(.tags(.program)) struct AuditCommandTests {
  /// Two days, a break, two days.
  private func week() throws -> AdasBook {
    let ada = try AdasBook()
    for day in ["01", "02", "04", "05"] {
      try ada.daybook("log", "Read", "--at", "2026-03-\(day)T20:00:00Z")
    }
    return ada
  }

  @Test func `an audit shows the answer, then the streak's days and the break before it`() throws {
    try expect(
      """
      ? audit Read
      Read: current 2 days, longest 2 days (rule daybook 1)
      It began on 2026-03-04: #5 HabitLogged at 2026-03-04 20:00 by Ada from manual.
      It ends if today goes by and nothing is logged, skipped or paused.
      - 2026-03-03 ended a streak of 2 days. It would have been saved by logging 1, or skipping the day, or a pause.
      day            mark     done  streak  because
      2026-03-03  -  missed              0  due, and nothing was logged
      2026-03-04  #  full      1/1       1  #5 HabitLogged at 2026-03-04 20:00 by Ada from manual
      2026-03-05  #  full      1/1       2  #6 HabitLogged at 2026-03-05 20:00 by Ada from manual
      2026-03-06  o  pending             2  still open
      2 earlier days: `--all` shows them.
      """, of: week(), at: "2026-03-06T12:00:00Z")
  }

  @Test func `an audit names the first day on which the streak could break`() throws {
    let ada = try week()
    let third = { (time: String) in
      try ada.daybook("audit", "Read", "--as-of", time).lines.dropFirst(2).first
    }
    #expect(
      try third("2026-03-05T21:00:00Z")
        == "It ends if tomorrow, 2026-03-06, goes by and nothing is logged, skipped or paused.")
    try ada.daybook("habits", "edit", "Read", "--schedule", "wed", "--at", "2026-03-06T08:00:00Z")
    #expect(
      try third("2026-03-06T09:00:00Z")
        == "It ends if 2026-03-11 goes by and nothing is logged, skipped or paused.")
    try ada.daybook("pause", "--at", "2026-03-06T10:00:00Z")
    #expect(
      try third("2026-03-06T11:00:00Z")
        == "Nothing that could break it is due in the next 60 days.")
    // What follows a past day is known, so it is not announced as a possibility.
    let past = try ada.daybook("audit", "Read", "--on", "2026-03-02")
    #expect(!past.output.contains("It ends"), "\(past.output)")
  }

  @Test func `an audit without a streak shows the last days, and all with --all`() throws {
    let ada = try week()
    let run = try ada.daybook("audit", "Read", "--as-of", "2026-03-31T12:00:00Z")
    #expect(
      run.lines.prefix(2) == [
        "Read: current 0 days, longest 2 days (rule daybook 1)",
        "- 2026-03-06 ended a streak of 2 days. It would have been saved by logging 1, or skipping the day, or a pause.",
      ])
    #expect(run.lines.count == 2 + 1 + 14 + 1)
    #expect(run.lines.last == "17 earlier days: `--all` shows them.")
    let whole = try ada.daybook("audit", "Read", "--all", "--as-of", "2026-03-31T12:00:00Z")
    #expect(whole.lines.count == 2 + 1 + 31 + 1)
    #expect(whole.lines.last?.contains("2026-03-03 ended a streak of 2 days") == true)
  }

  @Test func `a day that a time zone left out is shown as such and breaks nothing (HH-3)`() throws {
    // In Apia 31 December 2011 followed the 29th, at 10:00 UTC on the 30th. The person's day starts at four.
    let tala = try Program()
    try tala(
      "init", "--name", "Tala", "--timezone", "Pacific/Apia", "--at", "2011-12-28T20:00:00Z")
    try tala("habits", "add", "Read", "--at", "2011-12-28T20:00:00Z")
    for time in ["2011-12-28T21:00:00Z", "2011-12-29T21:00:00Z", "2011-12-30T22:00:00Z"] {
      try tala("log", "Read", "--at", time)
    }
    let audit = try tala("audit", "Read", "--all", "--as-of", "2011-12-30T23:00:00Z")
    #expect(audit.lines.first == "Read: current 3 days, longest 3 days (rule daybook 1)")
    let days = audit.lines.filter { $0.hasPrefix("2011-12-") }
    #expect(days.map { $0.prefix(10) } == ["2011-12-28", "2011-12-29", "2011-12-30", "2011-12-31"])
    let left = try #require(days.dropFirst(2).first)
    #expect(left.contains(" n ") && left.contains(" left_out "), "\(left)")
    #expect(left.hasSuffix("it did not exist: the time zone left it out of the calendar"))
    let comb = try tala("heatmap", "Read", "--year", "2011", "--as-of", "2011-12-30T23:00:00Z")
    #expect(comb.output.contains("n left out of the calendar"), "\(comb.output)")
  }

  @Test func `a due task becomes overdue when its owner's day is over`() throws {
    let ada = try AdasBook()
    try expect(
      """
      $ task add "Call Ben" --due today
      Call Ben: added to This week, due 2026-03-02.
      $ task add "Post it" --due 23:30
      Post it: added to This week, due 2026-03-02 23:30.
      """, of: ada, at: "2026-03-02T08:00:00Z")
    // Her day goes on until four in the morning.
    try expect(
      """
      ? tasks
      This week (2)
      [ ] Call Ben due 2026-03-02
      [ ] Post it overdue 2026-03-02 23:30
      """, of: ada, at: "2026-03-03T03:59:00Z")
    try expect(
      """
      ? tasks --due overdue
      This week (2)
      [ ] Call Ben overdue 2026-03-02
      [ ] Post it overdue 2026-03-02 23:30
      """, of: ada, at: "2026-03-03T04:00:00Z")
  }
}

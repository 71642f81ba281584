import Avro
import Testing

/// The complete output of `feed`, `awards` and the audit of a hive.
@Suite(.tags(.program)) struct FeedCommandTests {
  private static let bob = "00000000-0000-4000-8000-00000000000b"
  private static let readers = "00000000-0000-4000-8000-000000000101"

  /// Ada reads; Bob joins her hive on 2 March; both do two days, then Bob forgets one.
  private func world() throws -> Program { try Program(with: Self.world.get()) }

  private static let world = Result {
    let daybook = try AdasBook().daybook
    let ada = AdasBook.ada
    var lines = [
      """
      {"do":"create_account","key":"\(bob)","display_name":"Bob","timezone":"Europe/London",\
      "at":"2026-03-02T07:00:00Z"}
      """,
      """
      {"do":"create_hive_from_habit","as":"\(ada)","key":"\(Self.readers)",\
      "p_habit_id":"\(AdasBook.read)","p_name":"Readers","at":"2026-03-02T07:01:00Z"}
      """,
      """
      {"do":"create_hive_invite","as":"\(ada)","p_hive_id":"\(Self.readers)","code":"0123456789ab",\
      "at":"2026-03-02T07:02:00Z"}
      """,
      """
      {"do":"join_hive_with_code","as":"\(Self.bob)","p_code":"0123456789ab",\
      "at":"2026-03-02T07:03:00Z"}
      """,
    ]
    for (day, people) in [("02", [ada, Self.bob]), ("03", [ada, Self.bob]), ("04", [ada])] {
      lines.append(
        """
        {"do":"log_habit","as":"\(ada)","habit":"\(AdasBook.read)","at":"2026-03-\(day)T20:00:00Z"}
        """)
      for person in people {
        lines.append(
          """
          {"do":"log_hive_today","as":"\(person)","p_hive_id":"\(Self.readers)",\
          "at":"2026-03-\(day)T20:00:00Z"}
          """)
      }
    }
    let run = try daybook("apply", input: lines.joined(separator: "\n") + "\n")
    try #require(run.status == 0, "\(run.output)")
    try #require(try daybook("settle", "--at", "2026-03-05T12:00:00Z").status == 0)
    return try daybook.files()
  }

  @Test func `feed shows activities, newest first, page by page (HH-24)`() throws {
    let daybook = try world()
    let run = try daybook("feed", "--as", "Ada", "--limit", "4")
    #expect(
      run.output == """
         #  at                day         what
        18  2026-03-05 12:00  2026-03-04  Readers ended a streak of 2 days
        16  2026-03-04 20:00  2026-03-04  You kept up Read for 3 days
        16  2026-03-04 20:00  2026-03-04  You completed Read
        15  2026-03-03 20:00  2026-03-03  Readers advanced: 2 days together, by Bob
        More: `daybook feed --before 15`.

        """)
    let rest = try daybook("feed", "--as", "Bob", "--before", "15")
    #expect(
      rest.output == """
         #  at                day         what
        12  2026-03-03 20:00  2026-03-03  Ada completed Readers
        11  2026-03-02 20:00  2026-03-02  Readers advanced: 1 day together, by you
         8  2026-03-02 20:00  2026-03-02  Ada completed Readers
         7  2026-03-02 07:03  2026-03-02  You joined Readers
         5  2026-03-02 07:01  2026-03-02  Ada joined Readers

        """)
  }

  @Test func `feed --json has the entries and the next position (HH-24)`() throws {
    let daybook = try world()
    let page = try daybook("feed", "--as", "Bob", "--limit", "2", "--json").json()
    #expect(
      page.encoded == """
        {"entries":[{"id":"18","position":18,"type":"hive_broken","at":"2026-03-05T12:00:00Z",\
        "day":"2026-03-04","streak":2,"habit":null,"habit_name":null,"hive":"\(Self.readers)",\
        "hive_name":"Readers","actor_name":null,"actor_avatar_url":null,"own":false},\
        {"id":"16","position":16,"type":"habit_completed","at":"2026-03-04T20:00:00Z",\
        "day":"2026-03-04","streak":null,"habit":null,"habit_name":null,"hive":"\(Self.readers)",\
        "hive_name":"Readers","actor_name":"Ada","actor_avatar_url":null,"own":false}],"next":16}
        """)
    func ids(_ words: String...) throws -> [String?] {
      try daybook.run(["feed", "--json"] + words).json()["entries"]?.elements?
        .map { $0["id"]?.text } ?? []
    }
    #expect(try ids("--as", "Ada", "--on", "2026-03-03") == ["15", "12"])
    #expect(try ids("--as", "Ada", "--as-of", "2026-03-02T12:00:00Z") == ["7", "5"])
    #expect(
      try ids("--as", "Ada", "--hive", "Readers") == [
        "18", "16", "15", "12", "11", "8", "7", "5",
      ])
  }

  @Test func `feed refuses impossible arguments, and says how to begin when it is empty`() throws {
    let daybook = try world()
    for (words, status) in [
      (["--limit", "0"], 2), (["--before", "0"], 2), (["--hive", "Nobody"], 1),
    ] as [([String], Int32)] {
      #expect(try daybook.run(["feed", "--as", "Ada"] + words).status == status, "\(words)")
    }
    #expect(try daybook("feed").status == 1, "with several accounts one must be named")
    let fresh = try Program()
    try fresh("init", "--name", "Ada")
    #expect(try fresh("feed").output.contains("daybook log"))
    #expect(try fresh("awards").output.contains("daybook log"))
  }

  @Test func `awards show the day and the entry of each award (DG-6)`() throws {
    let daybook = try world()
    let run = try daybook("awards", "--as", "Ada")
    #expect(
      run.output == """
        day          by  award
        2026-03-02   #8  the first log
        2026-03-04  #16  3 days of Read

        """)
    try daybook(
      "clear", "Read", "--as", "Ada", "--day", "2026-03-03", "--at", "2026-03-05T13:00:00Z")
    let rows = try #require(try daybook("awards", "--as", "Ada", "--json").json().elements)
    #expect(
      rows.last?.encoded == """
        {"award":"streak","count":3,"habit":"\(AdasBook.read)","habit_name":"Read","hive":null,\
        "hive_name":null,"from":null,"day":"2026-03-04","position":16,"at":"2026-03-04T20:00:00Z",\
        "undone":true,"evidence":[8,12,16]}
        """)
    #expect(try daybook("awards", "--as", "Ada").output.contains("no longer earned"))
    #expect(try daybook("awards", "--as", "Bob", "--json").output == "[]\n")
  }

  @Test func `audit of a hive names who was done when, and who could have saved it (ES-3, HH-20)`()
    throws
  {
    let daybook = try world()
    let run = try daybook(
      "audit", "Readers", "--as", "Ada", "--from", "2026-03-03", "--as-of", "2026-03-05T12:30:00Z")
    #expect(
      run.output == """
        Readers: 0 days together, longest 2 days (all must be done)
        2026-03-05 waits for Ada, Bob.
        day            verdict   done  streak  because
        2026-03-03  #  advanced   2/2       2  Ada done (#13 at 2026-03-03 20:00); Bob done (#14 at 2026-03-03 20:00); advanced by #15
        2026-03-04  -  broken     1/2       0  Ada done (#17 at 2026-03-04 20:00); Bob missing
        2026-03-05  o  open       0/2       0  Ada not yet; Bob not yet
        - 2026-03-04 ended a streak of 2 days. It would have been saved if Bob had been done.

        """)
    let days = try daybook(
      "audit", Self.readers, "--as", "Bob", "--json", "--to", "2026-03-04"
    ).json()["days"]?.elements
    #expect(days?.map { $0["verdict"]?.text } == ["advanced", "advanced", "broken"])
    #expect(days?.last?["broken"]?["saved_by"]?["of"]?.encoded == #"["Bob"]"#)
  }

  @Test func `audit accepts habits and hives, and shows hives to members only (HH-16)`()
    throws
  {
    let daybook = try world()
    let both = try daybook("audit", "Rea", "--as", "Ada")
    #expect(
      both.status == 1 && both.error.contains("\"Read\"") && both.error.contains("\"Readers\""))
    #expect(
      try daybook("audit", "Read", "--as", "Ada", "--json").json()["habit"]?.text == AdasBook.read)
    try daybook(
      "apply",
      input: """
        {"do":"create_account","display_name":"Cy","at":"2026-03-05T13:00:00Z"}

        """)
    let stranger = try daybook("audit", Self.readers, "--as", "Cy")
    #expect(stranger.status == 1 && stranger.error.contains("Only members"))
    #expect(try daybook("audit", "Readers", "--as", "Cy").status == 1)
  }

  @Test func `dump has the activities as a table, oldest first (HH-24)`() throws {
    let daybook = try world()
    let rows = try #require(try daybook("dump", "--json").json()["activity_events"]?.elements)
    #expect(
      rows.map { $0["id"]?.text } == ["5", "7", "8", "11", "12", "15", "16", "16-3", "18"])
    #expect(
      rows[7].encoded == """
        {"id":"16-3","hive_id":null,"user_id":"\(AdasBook.ada)","habit_id":"\(AdasBook.read)",\
        "type":"streak_milestone","day":"2026-03-04","streak":3,"created_at":"2026-03-04T20:00:00Z"}
        """)
    let early = try daybook("dump", "--json", "--as-of", "2026-03-02T12:00:00Z").json()
    #expect(early["activity_events"]?.elements?.count == 2)
  }
}

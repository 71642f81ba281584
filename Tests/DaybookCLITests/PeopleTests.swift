import Avro
import Foundation
import Testing

/// The program's output about people.
@Suite(.tags(.program)) struct PeopleTests {
  static let ben = "00000000-0000-4000-8000-00000000000b"

  /// Ada, and Ben who knows her number.
  private func people() throws -> AdasBook { try AdasBook(with: Self.people.get()) }

  private static let people = Result {
    let ada = try AdasBook()
    try Data("a pepper of the tests, and of nothing else\n".utf8)
      .write(to: URL(fileURLWithPath: ada.daybook.path("pepper")))
    let lines = [
      #"{"do":"create_account","key":"B","display_name":"Ben Trovato","timezone":"Asia/Tokyo"}"#,
      #"{"do":"update_profile","as":"A","display_name":"Ada King Lovelace"}"#,
      #"{"do":"link_identity","as":"A","kind":"phone","value":"+44 20 7946 0958"}"#,
      #"{"do":"verify_identity","as":"A","kind":"phone","value":"+442079460958"}"#,
      #"{"do":"link_identity","as":"A","kind":"email","value":"ada@example.org"}"#,
      #"{"do":"register_device","as":"A","apns_token":"f00d"}"#,
      #"{"do":"complete_onboarding","as":"A","theme":"mint","day_start_hour":5,"#
        + #""notifications_enabled":true,"notification_times":["21:00","07:30"]}"#,
      #"{"do":"update_profile","as":"A","birthday":"1990-12-10"}"#,
      #"{"do":"upload_contacts","as":"B","phones":["+442079460958","+12125550123"]}"#,
    ].map { line in
      line.dropLast() + #","at":"2026-03-01T09:00:00Z"}"#
    }
    let input = lines.joined(separator: "\n")
      .replacingOccurrences(of: "\"A\"", with: "\"\(AdasBook.ada)\"")
      .replacingOccurrences(of: "\"B\"", with: "\"\(ben)\"")
    let run = try ada.daybook("apply", "--pepper", "pepper", input: input)
    try #require(run.status == 0, "\(run.output)\(run.error)")
    return try ada.daybook.files()
  }

  @Test func `accounts lists the accounts of the book (HH-1)`() throws {
    let daybook = try people().daybook
    #expect(
      try daybook("accounts").output == """
        name               timezone       day start  habits  key
        Ada King Lovelace  Europe/London      05:00       1  \(AdasBook.ada)
        Ben Trovato        Asia/Tokyo         04:00       0  \(Self.ben)

        """)
    #expect(
      try daybook("accounts", "--json").output == """
        [{"id":"\(AdasBook.ada)","display_name":"Ada King Lovelace","timezone":"Europe/London",\
        "day_start_hour":5,"habit_count":1,"created_at":"2026-03-01T08:00:00Z"},\
        {"id":"\(Self.ben)","display_name":"Ben Trovato","timezone":"Asia/Tokyo",\
        "day_start_hour":4,"habit_count":0,"created_at":"2026-03-01T09:00:00Z"}]

        """)
    let past = try daybook("accounts", "--as-of", "2026-03-01T08:30:00Z", "--json").json()
    #expect(past.elements?.map { $0["display_name"]?.text } == ["Ada"])
    try daybook("init", "--book", "empty")
    #expect(try daybook("accounts", "--book", "empty").output.contains("daybook init --name"))
  }

  @Test func `profile shows an account's own profile (HH-1, HH-4, HH-5, DG-1, DG-9, MC-1)`() throws
  {
    let daybook = try people().daybook
    #expect(
      try daybook("profile", "--as", "Ada").output == """
        Ada L.
        name           Ada King Lovelace
        picture        none
        birthday       1990-12-10
        timezone       Europe/London
        day start      05:00
        theme          mint
        paused         never
        notifications  on at 07:30, 21:00
        signs in by    phone, email (not verified)
        devices        1
        contacts       0
        onboarded      2026-03-01 09:00
        member since   2026-03-01 08:00
        key            \(AdasBook.ada)

        """)
    let json = try daybook("profile", "--as", "Ada", "--json").json()
    #expect(
      json.members?.map(\.name) == [
        "id", "display_name", "avatar_url", "timezone", "day_start_hour", "theme", "birthday",
        "notifications_enabled", "notification_times", "onboarded_at", "closed_before",
        "created_at", "updated_at", "short_name", "identities", "device_tokens", "pauses",
        "contact_count",
      ])
    #expect(json["short_name"]?.text == "Ada L.")
    #expect(json["device_tokens"]?.elements?.map { $0["apns_token"]?.text } == ["f00d"])
    #expect(json["identities"]?.elements?.map { $0["kind"]?.text } == ["phone", "email"])
    #expect(!json.encoded.contains("7946"))
    let nobody = try daybook("profile")
    #expect(nobody.status == 1)
    #expect(nobody.error.contains("--as"))
    let before = try daybook("profile", "--as", "Ada", "--as-of", "2026-03-01T08:30:00Z")
    #expect(before.output.contains("signs in by    nothing yet"))
  }

  @Test func `matches lists the contacts who have an account (HH-6)`() throws {
    let daybook = try people().daybook
    #expect(try daybook("matches", "--as", "Ben").output == "Ada L.  \(AdasBook.ada)\n")
    #expect(
      try daybook("matches", "--as", "Ben", "--json").output == """
        [{"user_id":"\(AdasBook.ada)","display_name":"Ada King Lovelace","avatar_url":null}]

        """)
    #expect(try daybook("matches", "--as", "Ada").output == "No contacts were uploaded yet.\n")
    try daybook("erase-account", "Ada", "--yes")
    #expect(try daybook("matches", "--as", "Ben").output == "None of 2 contacts is here yet.\n")
    #expect(try daybook("matches", "--as", "Ben", "--json").output == "[]\n")
  }

  @Test
  func
    `the pepper comes from a file or a variable, and plain values are refused without it (HH-6)`()
    throws
  {
    let ada = try AdasBook()
    let line =
      #"{"do":"link_identity","as":"\#(AdasBook.ada)","kind":"email","value":"ada@example.org"}"#
    let without = try ada.daybook("apply", input: line)
    #expect(without.status == 1)
    #expect(without.output.contains("pepper_missing"))
    let missing = try ada.daybook("apply", "--pepper", "nowhere", input: line)
    #expect(missing.status == 1)
    #expect(missing.error.contains("Could not read nowhere"))
    let short = try ada.daybook.run(
      ["apply"], input: line, environment: ["DAYBOOK_PEPPER": "salt"])
    #expect(short.status == 1)
    #expect(short.error.contains("shorter than 16 bytes"))
    let variable = try ada.daybook.run(
      ["apply"], input: line,
      environment: ["DAYBOOK_PEPPER": "a pepper of the tests, and of nothing else"])
    #expect(variable.status == 0, "\(variable.output)")
    try Data("a pepper of the tests, and of nothing else\n".utf8)
      .write(to: URL(fileURLWithPath: ada.daybook.path("pepper")))
    let again = try ada.daybook("apply", "--pepper", "pepper", input: line)
    #expect(
      try JSON(parsing: again.lines[0])["position"] == JSON(parsing: variable.lines[0])["position"],
      "the same pepper, by whichever way: the identity is linked already")
  }

  @Test func `an erasure is recorded at the given time`() throws {
    let ada = try AdasBook().daybook
    let early = try ada("erase-account", "Ada", "--yes", "--at", "2026-03-01T07:00:00Z", "--json")
    #expect(try early.json()["error"]?["code"]?.text == "clock_backwards")
    try ada("erase-account", "Ada", "--yes", "--at", "2026-03-02T07:00:00Z")
    let last = try #require(try ada("export").lines.last)
    #expect(try JSON(parsing: last)["at"]?.text == "2026-03-02T07:00:00Z")
  }

  @Test
  func `a dump includes a hive's streak, and the digest does not`()
    throws
  {
    let ada = try AdasBook().daybook
    try ada("accounts", "add", "Bob", "--timezone", "Europe/London", "--at", "2026-03-01T08:02:00Z")
    try ada("hives", "add", "Bees", "--as", "Ada", "--at", "2026-03-01T08:03:00Z")
    let hives = { (until: String) throws -> JSON? in
      try ada("dump", "--json", "--as-of", until).json()["hives"]?.elements?.first
    }
    #expect(try hives("2026-03-01T09:00:00Z")?["last_advanced_on"] == .null)
    let key = try #require(try hives("2026-03-01T09:00:00Z")?["id"]?.text)
    let log = #"{"do":"log_hive_today","p_hive_id":"\#(key)","at":"2026-03-02T20:00:00Z""#
    let invite =
      #"{"do":"create_hive_invite","p_hive_id":"\#(key)","code":"0123456789ab","at":"2026-03-01T09:00:00Z"}"#
    #expect(try ada("apply", "--as", "Ada", input: invite).status == 0)
    let join = #"{"do":"join_hive_with_code","p_code":"0123456789ab","at":"2026-03-01T09:00:00Z"}"#
    #expect(try ada("apply", "--as", "Bob", input: join).status == 0)
    for name in ["Ada", "Bob"] {
      #expect(try ada("apply", "--as", name, input: log + "}").status == 0)
    }
    let kept = try #require(try hives("2026-03-03T09:00:00Z"))
    #expect(kept["streak"]?.integer == 1)
    #expect(kept["last_advanced_on"]?.text == "2026-03-02")
    let broken = try #require(try hives("2026-03-05T09:00:00Z"))
    #expect(broken["streak"]?.integer == 0, "nobody settled, and the day is over")
    #expect(broken["last_advanced_on"]?.text == "2026-03-02")
    let digests = try ["2026-03-03T09:00:00Z", "2026-03-05T09:00:00Z"].map {
      try ada("dump", "--digest", "--as-of", $0).output
    }
    #expect(digests[0] == digests[1])
  }

  @Test func `a second account is created, and found by its name (HH-1)`() throws {
    let daybook = try AdasBook().daybook
    try daybook("household", "create", "Home")
    let missing = try daybook.run(["household", "add", "Bob"])
    #expect(missing.error.contains("`daybook accounts add NAME` makes one."))
    #expect(
      try daybook("accounts", "add", "Bob", "--timezone", "Asia/Tokyo", "--day-start", "5").output
        == "Bob has an account now (Asia/Tokyo, day from 05:00); say `--as \"Bob\"` to act as them.\n"
    )
    #expect(try daybook("household", "add", "Bob", "--as", "Ada").output == "Bob is in Home now.\n")
    #expect(try daybook("accounts", "--json").json().elements?.count == 2)
    #expect(try daybook.run(["accounts", "add", "Eve", "--timezone", "Nowhere"]).status == 1)
  }

  @Test func `a past or coming day may be named by its weekday`() throws {
    let daybook = try AdasBook().daybook
    for day in ["today", "yesterday", "tue", "Tuesday", "2026-03-01"] {
      #expect(try daybook.run(["habits", "--as-of", day]).status == 0, "\(day)")
      #expect(try daybook.run(["streaks", "--on", day]).status == 0, "\(day)")
    }
    let wrong = try daybook.run(["habits", "--as-of", "someday"])
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("a weekday such as tue"))
    try daybook("household", "create", "Home")
    #expect(try daybook.run(["calendar", "--from", "tomorrow", "--to", "sun"]).status == 0)
  }
}

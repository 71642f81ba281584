import Avro
import Foundation
import Testing

/// Rule files that the program reads, prints and checks.
@Suite(.tags(.program)) struct RulesCommandTests {
  private func file(_ text: String, in daybook: Program) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: daybook.path("mine.json")))
  }

  @Test func `rules lists the rules, and show prints each as a valid file`() throws {
    let daybook = try Program()
    let names = try daybook("rules", "--json").json().elements?.compactMap { $0["name"]?.text }
    #expect(
      names == [
        "daybook", "loop", "strict", "gentle", "freezes", "never-miss-twice", "weekly", "honest",
      ])
    #expect(try daybook("rules").lines.count == 9)
    #expect(
      try daybook("rules", "show", "never-miss-twice").output == """
        {
          "name": "never-miss-twice",
          "version": 1,
          "about": "One miss is forgiven, two in a row break a streak.",
          "base": "daybook",
          "holds": ["monotone","skip_neutral","closed","prefix","order_free","incremental","bounds"],
          "grace": {"in_a_row":1}
        }

        """)
    for name in names ?? [] {
      let shown = try daybook("rules", "show", name).output
      try file(shown, in: daybook)
      #expect(try daybook("rules", "show", "./mine.json").output == shown)
    }
  }

  @Test
  func `an invalid rule file is refused by its field, and an unknown name by the known ones`()
    throws
  {
    let daybook = try AdasBook().daybook
    try file(#"{"name":"mine","grace":{"misses":40}}"#, in: daybook)
    let refused = try daybook("streaks", "--rule", "./mine.json", "--json")
    #expect(refused.status == 1)
    #expect(
      refused.output == """
        {"error":{"code":"invalid_field","message":"grace.misses: 40 is not a whole number from 1 to 31.",\
        "field":"grace.misses"}}

        """)
    let unknown = try daybook("streaks", "--rule", "nice")
    #expect(unknown.status == 2)
    #expect(unknown.error.contains("freezes, never-miss-twice"))
    #expect(try daybook("streaks", "--rule", "./none.json").status == 1)
    let asked = try daybook.run(
      ["ask"], input: #"{"ask":"streaks","rule":{"name":"mine","freezes":{"hold":1}}}"#)
    #expect(asked.output.contains(#""message":"rule: freezes.per_full_days"#), "\(asked.output)")
  }

  @Test func `an audit names the clause that decided, and any freezes spent or earned`() throws {
    let daybook = try AdasBook().daybook
    try file(
      #"{"name":"mine","freezes":{"per_full_days":2,"hold":1},"late":{"within_hours":30}}"#,
      in: daybook)
    for (day, at) in [("01", "01"), ("02", "02"), ("04", "05"), ("05", "05"), ("07", "09")] {
      try daybook("log", "Read", "--day", "2026-03-\(day)", "--at", "2026-03-\(at)T20:00:00Z")
    }
    let audit = try daybook(
      "audit", "Read", "--rule", "./mine.json", "--all", "--as-of", "2026-03-09T22:00:00Z")
    #expect(
      audit.output == """
        Read: current 0 days, longest 4 days (rule mine 1)
        - 2026-03-07 ended a streak of 4 days. It would have been saved by logging 1, or skipping the day, or a pause.
        day            mark     done  streak  because
        2026-03-01  #  full      1/1       1  #3 HabitLogged at 2026-03-01 20:00 by Ada from manual
        2026-03-02  #  full      1/1       2  #4 HabitLogged at 2026-03-02 20:00 by Ada from manual; freezes: a freeze earned, 1 held
        2026-03-03  -  missed              2  due, and nothing was logged; freezes: a freeze spent, 0 left
        2026-03-04  #  full      1/1       3  #5 HabitLogged at 2026-03-05 20:00 by Ada from manual; late: logged 16 h after the day, which counts
        2026-03-05  #  full      1/1       4  #6 HabitLogged at 2026-03-05 20:00 by Ada from manual; freezes: a freeze earned, 1 held
        2026-03-06  -  missed              4  due, and nothing was logged; freezes: a freeze spent, 0 left
        2026-03-07  -  missed              0  #7 HabitLogged at 2026-03-09 20:00 by Ada from manual; late: logged 40 h after the day, which does not count
        2026-03-08  -  missed              0  due, and nothing was logged
        2026-03-09  o  pending             0  still open

        """, "\(audit.error)")
    let days = try daybook(
      "audit", "Read", "--rule", "./mine.json", "--json", "--as-of", "2026-03-09T22:00:00Z"
    ).json()["days"]?.elements
    #expect(
      days?[2]["reasons"]?.encoded == #"[{"clause":"freezes","did":"spent","left":0}]"#)
    let own = try daybook("audit", "Read", "--json").json()["days"]?.elements
    #expect(own?[2]["reasons"] == nil)
  }

  @Test func `a log made on its day stays so when its owner has travelled`() throws {
    let daybook = try AdasBook().daybook
    // Ten in the evening in Honolulu is the next evening in Tokyo.
    for (zone, at) in [("Pacific/Honolulu", "02T10:00"), ("Asia/Tokyo", "04T12:00")] {
      let move = #"{"do":"update_profile","timezone":"\#(zone)","at":"2026-03-\#(at):00Z"}"#
      #expect(try daybook.run(["apply", "--as", "Ada"], input: move + "\n").status == 0)
      if zone == "Pacific/Honolulu" {
        try daybook("log", "Read", "--at", "2026-03-04T08:00:00Z")
      }
    }
    let judged = try daybook(
      "audit", "Read", "--rule", "honest", "--from", "2026-03-03", "--to", "2026-03-03", "--json",
      "--as-of", "2026-03-05T12:00:00Z"
    ).json()["days"]?.elements?.first
    #expect(judged?["mark"]?.text == "full", "\(judged?.encoded ?? "")")
  }

  @Test func `the commands of a counter-example reproduce it in a new book`()
    throws
  {
    let daybook = try Program()
    for rule in ["never-miss-twice", "honest", "gentle", "weekly", "strict"] {
      let tried = try daybook(
        "rules", "check", rule, "--against", "daybook", "--seed", "7", "--json")
      let found = try #require(try tried.json()["checked"]?.elements?.first, "\(tried.error)")
      #expect(found["holds"] == .bool(false))
      let commands = try #require(found["commands"]?.elements).map(\.encoded)
      let asOf = try #require(found["as_of"]?.text)
      let book = rule + ".daybook"
      try daybook("init", "--book", book)
      let applied = try daybook.run(
        ["apply", "--book", book], input: commands.joined(separator: "\n") + "\n")
      #expect(applied.status == 0, "\(applied.output)")
      func lengths(_ rule: String) throws -> [Int?] {
        let row = try daybook(
          "streaks", "--book", book, "--rule", rule, "--as-of", asOf, "--json"
        ).json().elements?.first
        return [row?["current"]?.integer, row?["longest"]?.integer]
      }
      let (own, other) = (try lengths(rule), try lengths("daybook"))
      #expect(own != other, "\(rule): \(commands)")
      let because = found["because"]?.text ?? ""
      let told = [0, 1].map { place in
        "the \(["current", "longest"][place]) streak is \(own[place] ?? -1) by \(rule), "
          + "and \(other[place] ?? -1) by daybook"
      }
      #expect(told.contains(because), "\(because); \(told)")
    }
  }

  @Test func `a claim that fails is reported with its smallest history, and exit code 1`() throws {
    let daybook = try Program()
    try file(
      #"{"name":"mine","days":{"skipped":"breaks"},"holds":["skip_neutral"]}"#, in: daybook)
    let run = try daybook("rules", "check", "./mine.json", "--law", "skip_neutral", "--seed", "7")
    #expect(run.status == 0 || run.output.contains("it claims to hold"), "\(run.output)")
    try file(
      #"{"name":"mine","days":{"skipped":"breaks","missed":"keeps"},"holds":["skip_neutral"]}"#,
      in: daybook)
    let fallen = try daybook(
      "rules", "check", "./mine.json", "--law", "skip_neutral", "--seed", "7")
    #expect(fallen.status == 1)
    #expect(
      fallen.output.hasPrefix(
        "✕ skip_neutral: a skip in place of a miss never shortens a streak; it claims"))
    let unclaimed = try daybook("rules", "check", "freezes", "--law", "monotone", "--seed", "7")
    #expect(unclaimed.status == 0)
  }

  @Test func `streaks --against shows the first difference, its reason, and the sums`() throws {
    let daybook = try AdasBook().daybook
    for day in ["01", "02", "04"] {
      try daybook("log", "Read", "--at", "2026-03-\(day)T20:00:00Z")
    }
    let run = try daybook(
      "streaks", "--against", "never-miss-twice", "--as-of", "2026-03-04T22:00:00Z")
    #expect(
      run.output == """
        habit  current  longest  first day that differs
        Read   1 → 3    2 → 3    2026-03-03: missed breaks, against missed keeps (grace: forgiven)
        current by never-miss-twice against daybook: 1 longer, 0 shorter, 0 equal; median change 2
        longest by never-miss-twice against daybook: 1 longer, 0 shorter, 0 equal; median change 1

        """, "\(run.error)")
    let json = try daybook(
      "streaks", "--against", "never-miss-twice", "--as-of", "2026-03-04T22:00:00Z", "--json"
    ).json()
    #expect(json["current"]?.encoded == #"{"longer":1,"shorter":0,"equal":0,"median_change":2}"#)
    #expect(
      json["habits"]?.elements?.first?["sides"]?.encoded == """
        [{"rule":"daybook","mark":"missed","does":"breaks","streak":0,"reasons":[]},\
        {"rule":"never-miss-twice","mark":"missed","does":"keeps","streak":2,\
        "reasons":[{"clause":"grace","did":"forgave"}]}]
        """)
    #expect(try daybook("streaks", "--days").status == 2)
  }
}

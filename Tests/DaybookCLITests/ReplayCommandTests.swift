import Avro
import Foundation
import Testing

/// The history of a heatmap as lines, as JSON and as an animated picture.
@Suite(.tags(.program)) struct ReplayCommandTests {
  /// Ada's book: one day done, one missed and logged three days late, one skipped.
  private static let book = Result {
    let ada = try AdasBook()
    for words in [
      ["log", "Read", "--at", "2026-03-01T20:00:00Z"],
      ["log", "Read", "--at", "2026-03-03T20:00:00Z"],
      ["skip", "Read", "--at", "2026-03-04T20:00:00Z"],
      ["log", "Read", "--day", "2026-03-02", "--at", "2026-03-05T09:00:00Z"],
    ] {
      let run = try ada.daybook.run(words)
      try #require(run.status == 0, "\(run.error)")
    }
    return try ada.daybook.files()
  }

  private let daybook: Program
  private let until = ["--to", "2026-03-05T12:00:00Z"]

  init() throws { daybook = try AdasBook(with: Self.book.get()).daybook }

  @Test func `replay lists what each moment changed, and omits days that merely began`()
    throws
  {
    let run = try daybook.run(["replay", "Read"] + until)
    #expect(
      run.output == """
        Read · as known from 2026-03-01 08:01 to 2026-03-05 12:00
        at                what                            days                current  longest
        2026-03-01 08:01  the beginning                   1 day known               0        0
        2026-03-01 20:00  #3 HabitLogged from manual      2026-03-01 full           1        1
        2026-03-03 04:00  a day begins                    2026-03-02 missed         0        1
        2026-03-03 20:00  #4 HabitLogged from manual      2026-03-03 full           1        1
        2026-03-04 20:00  #5 HabitDaySkipped from manual  2026-03-04 skipped        1        1
        2026-03-05 09:00  #6 HabitLogged from manual      2026-03-02 full           3        3
        8 steps; 3 beginnings of a day left out.

        """, "\(run.error)")
    // A pipe gets the same output, with or without animation.
    #expect(try daybook.run(["replay", "Read", "--no-motion"] + until).output == run.output)
    #expect(try daybook.run(["replay", "Read", "--paused"] + until).output == run.output)
  }

  @Test func `replay accepts a start, a rule and a width`() throws {
    let late = try daybook.run(
      ["replay", "Read", "--from", "2026-03-05", "--rule", "strict", "--width", "72"] + until)
    #expect(
      late.output == """
        Read · as known from 2026-03-05 03:59 to 2026-03-05 12:00
        at                what                 days             current  longest
        2026-03-05 03:59  the beginning        4 days known           0        1
        2026-03-05 09:00  #6 HabitLogged from  2026-03-02 full        0        3
                          manual
        2 steps; 1 beginning of a day left out.

        """, "\(late.error)")
  }

  @Test func `--json has the first cells, and the changes of each step`() throws {
    let answer = try daybook.run(["replay", "Read", "--json", "--year", "2026"] + until).json()
    #expect(answer["from"]?.text == "2026-03-01T08:01:00Z")
    #expect(answer["days"]?.elements?.count == 365)
    #expect(
      answer["days"]?.elements?[59].encoded
        == #"{"day":"2026-03-01","value":null,"target":1,"level":0,"mark":"pending"}"#)
    #expect(
      answer["days"]?.elements?[60].encoded
        == #"{"day":"2026-03-02","value":null,"target":null,"level":0,"mark":null}"#)
    let steps = try #require(answer["steps"]?.elements)
    #expect(
      steps.last?.encoded == """
        {"at":"2026-03-05T09:00:00Z","today":"2026-03-05","current":3,"longest":3,"entries":[{"position":6,\
        "at":"2026-03-05T09:00:00Z","actor":"\(AdasBook.ada)","event":"HabitLogged","source":"manual"}],\
        "days":[{"day":"2026-03-02","value":1,"target":1,"level":4,"mark":"full"}]}
        """)
    // Step by step the result equals the heatmap of the end.
    var days = try #require(answer["days"]?.elements)
    for step in steps {
      for day in step["days"]?.elements ?? [] {
        let place = try #require(days.firstIndex { $0["day"] == day["day"] })
        days[place] = day
      }
    }
    let heatmap = try daybook.run(
      ["heatmap", "Read", "--year", "2026", "--json", "--as-of", "2026-03-05T12:00:00Z"]
    ).json()["days"]?.elements
    #expect(days.map { $0["mark"] } == heatmap?.map { $0["mark"] })
    #expect(days.map { $0["level"] } == heatmap?.map { $0["level"] })
    let asked = try daybook.run(
      ["ask"],
      input: """
        {"ask":"replay","habit":"\(answer["habit"]?.text ?? "")","year":2026,"to":"2026-03-05T12:00:00Z"}
        """)
    #expect(try JSON(parsing: asked.output)["ok"] == answer)
  }

  @Test(arguments: [
    (["--to", "2026-02-01"], 1, "There is no such habit."),
    (["--from", "2026-03-05", "--to", "2026-03-01"], 2, "is before --from"),
    (["--from", "0001-01-01T00:00:00Z", "--to", "9999-12-31T23:59:59Z"], 1, "at most 3660"),
    (["--year", "2026", "--to", "9999-12-31T23:59:59Z"], 1, "choose a later start"),
    (["--year", "0"], 2, "--year"), (["--from", "soon"], 2, "is not a time"),
    (["--speed", "1e9"], 2, "--speed"), (["--speed", "nan"], 2, "--speed"),
    (["--rule", "nice"], 2, "there is no rule"),
  ])
  func `an impossible replay is refused in one sentence`(
    words: [String], status: Int32, sentence: String
  ) throws {
    let run = try daybook.run(["replay", "Read"] + words)
    #expect(run.status == status && run.error.contains(sentence), "\(run.error)")
    #expect(run.output.isEmpty && run.error.split(separator: "\n").count <= 3, "\(run.error)")
  }

  @Test func `another account's habit cannot be replayed`() throws {
    try daybook("accounts", "add", "Bob", "--at", "2026-03-05T10:00:00Z")
    let key = try daybook("habits", "--json", "--as", "Ada").json().elements?.first?["id"]?.text
    let run = try daybook("replay", try #require(key), "--as", "Bob", "--json")
    #expect(run.status == 1 && run.output.contains(#""code":"not_owner""#), "\(run.output)")
    let picture = try daybook(
      "heatmap", try #require(key), "--as", "Bob", "--from", "2026-03-01", "--svg", "it.svg")
    #expect(picture.status == 1 && !FileManager.default.fileExists(atPath: daybook.path("it.svg")))
  }

  // MARK: Pictures

  private func picture(_ words: String...) throws -> String {
    let run = try daybook.run(["heatmap", "Read", "--svg", "it.svg"] + words)
    #expect(run.output == "The picture is in it.svg.\n", "\(run.error)")
    return try String(contentsOfFile: daybook.path("it.svg"), encoding: .utf8)
  }

  @Test func `an animated heatmap runs from one time to the other, and stops at the end`() throws {
    let svg = try picture("--from", "2026-03-01T09:00:00Z", "--to", "2026-03-05T12:00:00Z")
    // The animation lasts three seconds for 99 hours. The 2nd is in the future for 19 hours, then open for a day,
    // then missed, and done at the end.
    let second = svg.split(separator: "\n").filter {
      $0.contains("<use") && $0.contains("y=\"80\"")
    }
    #expect(
      second.map { $0.replacing(#/ x="[0-9.]+" y="[0-9.]+"/#, with: "") } == [
        ##"<use href="#future" class="t" style="animation-delay:0s;animation-duration:0.58s"/>"##,
        ##"<use href="#open" class="t" style="animation-delay:0.58s;animation-duration:0.72s"/>"##,
        ##"<use href="#missed" class="t" style="animation-delay:1.30s;animation-duration:1.61s"/>"##,
        ##"<use href="#done" class="f" style="animation-delay:2.91s"><title>Mon 2026-03-02, done: 1 of 1</title></use>"##,
      ], "\(second)")
    #expect(
      svg.contains("@media print,(prefers-reduced-motion:reduce){.t,.f,.grow{animation:none}}"))
    #expect(svg.contains(">2026-03-05 · current 3 days, longest 3 days</text>"))
    #expect(
      svg.contains("as it was known from 2026-03-01T09:00:00Z to 2026-03-05T12:00:00Z, in 8 steps.")
    )
    for forbidden in ["<script", "<animate", "<set", "http:", "href=\"http", "onload"] {
      #expect(!svg.replacing("http://www.w3.org/2000/svg", with: "").contains(forbidden))
    }
    // The final picture is the heatmap of the end.
    let still = try picture("--as-of", "2026-03-05T12:00:00Z")
    func cells(_ svg: String) -> [String] {
      svg.matches(of: #/href="#([a-z0-9]+)"[^>]*><title>([^<]*)</#).map { "\($0.1) \($0.2)" }
    }
    #expect(cells(svg) == cells(still) && cells(svg).count == 5)
    #expect(try picture("--from", "2026-03-01T09:00:00Z", "--to", "2026-03-05T12:00:00Z") == svg)
  }

  @Test func `several years are drawn as one band each`() throws {
    let daybook = try Program()
    for words in [
      ["init", "--name", "Ada", "--timezone", "UTC", "--key", AdasBook.ada]
        + ["--at", "2015-03-01T08:00:00Z"],
      ["habits", "add", "Tea & <Water>", "--at", "2015-03-01T08:01:00Z"],
      ["log", "Tea", "--day", "2015-03-02", "--at", "2025-01-01T10:00:00Z"],
    ] {
      let run = try daybook.run(words)
      try #require(run.status == 0, "\(run.error)")
    }
    let words = ["--from", "2024-12-31T12:00:00Z", "--to", "2025-01-01T12:00:00Z"]
    let run = try daybook.run(["heatmap", "Tea", "--svg", "it.svg"] + words)
    #expect(run.status == 0, "\(run.error)")
    let svg = try String(contentsOfFile: daybook.path("it.svg"), encoding: .utf8)
    for year in 2015...2025 { #expect(svg.contains(">\(year)</text>")) }
    #expect(svg.contains(">Tea &amp; &lt;Water&gt; · 2015-03-02 – 2025-01-01</text>"))
    #expect(svg.contains("<title>Mon 2015-03-02, done: 1 of 1</title>"))
    #expect(svg.utf8.count < 600_000, "\(svg.utf8.count)")
    let list = try daybook.run(["replay", "Tea"] + words)
    #expect(list.output.contains("#3 HabitLogged from manual  2015-03-02 full"), "\(list.output)")
  }
}

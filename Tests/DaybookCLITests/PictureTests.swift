import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Pictures have descriptions for people who cannot see them.
@Suite(.tags(.program)) struct PictureTests {
  /// A book with a day of each kind: done, partial, skipped, missed, off, paused and open.
  private static let book = Result {
    let ada = try AdasBook()
    let water = "00000000-0000-4000-8000-000000000002"
    for words in [
      ["habits", "add", "Tea & <Water>", "--target", "9", "--schedule", "sun,mon,tue,wed,thu,fri"]
        + ["--key", water, "--at", "2026-03-01T08:02:00Z"],
      ["log", water, "9", "--at", "2026-03-01T20:00:00Z"],
      ["log", water, "2", "--at", "2026-03-02T20:00:00Z"],
      ["log", water, "4", "--at", "2026-03-03T20:00:00Z"],
      ["log", water, "8", "--at", "2026-03-04T20:00:00Z"],
      ["skip", water, "--at", "2026-03-05T20:00:00Z"],
      ["log", water, "9", "--at", "2026-03-07T20:00:00Z"],
      ["pause", "--from", "tomorrow", "--to", "tomorrow", "--at", "2026-03-07T20:01:00Z"],
    ] {
      let run = try ada.daybook.run(words)
      try #require(run.status == 0, "\(run.error)")
    }
    return try ada.daybook.files()
  }

  private func picture(_ words: String...) throws -> String {
    let daybook = try AdasBook(with: Self.book.get()).daybook
    let run = try daybook.run(words + ["--svg", "it.svg", "--as-of", "2026-03-10T12:00:00Z"])
    #expect(run.output == "The picture is in it.svg.\n", "\(run.error)")
    return try String(contentsOfFile: daybook.path("it.svg"), encoding: .utf8)
  }

  @Test
  func `a heatmap marks days by shape, and explains the shapes in its legend and description`()
    throws
  {
    let svg = try picture("heatmap", "Tea", "--year", "2026")
    for (shape, count) in [
      ("done", 1), ("bonus", 1), ("part1", 1), ("part2", 1), ("part3", 1), ("skipped", 1),
      ("missed", 2), ("paused", 1), ("open", 1), ("future", 296),
    ] {
      let uses = svg.components(separatedBy: "href=\"#\(shape)\"").count - 1
      #expect(uses == count + 1, "\(shape), with one in the legend")
      #expect(svg.contains("<g id=\"\(shape)\">"))
    }
    #expect(
      svg.contains("<title id=\"title\">Tea &amp; &lt;Water&gt; · 2026-01-01 – 2026-12-31</title>"))
    #expect(svg.contains("aria-labelledby=\"title description\""))
    #expect(svg.contains("1 done, 1 done, though not due, 1 less than a third"))
    #expect(svg.contains("<title>Tue 2026-03-03, less than two thirds: 4 of 9</title>"))
  }

  @Test func `a picture follows the reader's colour scheme, or the given theme`() throws {
    for words in [["heatmap", "Tea"], ["insights"], ["stats"]] {
      let daybook = try AdasBook(with: Self.book.get()).daybook
      func svg(_ theme: String) throws -> String {
        let run = try daybook.run(words + ["--svg", "it.svg", "--theme", theme])
        #expect(run.status == 0, "\(run.error)")
        return try String(contentsOfFile: daybook.path("it.svg"), encoding: .utf8)
      }
      let (auto, light, dark) = (try svg("auto"), try svg("light"), try svg("dark"))
      #expect(auto.contains("@media (prefers-color-scheme:dark){.paper{fill:#1C1C1E}"))
      #expect(light.contains(".paper{fill:#FFF6E6}") && !light.contains("#F2F2F7"))
      #expect(dark.contains(".paper{fill:#1C1C1E}") && !dark.contains("@media"))
    }
  }

  @Test func `a hive is drawn with its ring, its members and its comb (HH-23)`() throws {
    let daybook = try AdasBook().daybook
    for words in [
      ["hives", "add", "Bees & <b>", "--at", "2026-03-01T08:05:00Z"],
      ["hive", "Bees", "--svg", "it.svg", "--as-of", "2026-03-10T12:00:00Z"],
    ] {
      let run = try daybook.run(words)
      #expect(run.status == 0, "\(run.error)")
    }
    let svg = try String(contentsOfFile: daybook.path("it.svg"), encoding: .utf8)
    #expect(svg.contains(">Bees &amp; &lt;b&gt;</text>"))
    #expect(svg.contains("Ada (owner)") && svg.contains("stroke-dasharray=\"0 100\""))
    #expect(svg.contains("href=\"#open\""))
    #expect(XMLParser(data: Data(svg.utf8)).parse())
  }

  @Test func `every picture is XML, whatever names it shows`() throws {
    for words in [
      ["heatmap", "Tea"], ["stats"], ["insights"],
      ["heatmap", "Tea", "--from", "2026-03-02", "--to", "2026-03-05"],
    ] {
      let daybook = try AdasBook(with: Self.book.get()).daybook
      let run = try daybook.run(words + ["--svg", "it.svg"])
      #expect(run.status == 0, "\(run.error)")
      let svg = try String(contentsOfFile: daybook.path("it.svg"), encoding: .utf8)
      #expect(XMLParser(data: Data(svg.utf8)).parse(), "\(words)")
    }
  }

  @Test func `insights and stats are drawn with the figures of their text`() throws {
    let insights = try picture("insights")
    #expect(insights.contains(">By month</text>") && insights.contains(">2026-03</text>"))
    #expect(insights.contains("<desc id=\"description\">By weekday, completion"))
    let stats = try picture("stats", "Tea", "--by", "week")
    #expect(stats.contains(">Days done by week</text>"))
    #expect(stats.contains(">Tea &amp; &lt;Water&gt;: completion "))
  }
}

import Avro
import Daybook
import DaybookStore
import Testing

/// `whatif` tells the days whose marks would change, not only the lengths of streaks.
@Suite(.tags(.unit)) struct SupposedMarkTests {
  private func marks(_ commands: String) throws -> [String] {
    let book = try PeopleBook()
    let answer = try book.ask(
      "whatif", as: PeopleBook.ada,
      #""commands":[\#(commands)],"as_of":"2026-03-03T22:00:00Z""#)
    let marks = try #require(answer["ok"]?["marks"]?.elements, "\(answer.encoded)")
    return marks.map { change in
      let pair = change["mark"]?.elements?.map { $0.text ?? "none" } ?? []
      return "\(change["day"]?.text ?? "") \(pair.joined(separator: " → "))"
    }
  }

  @Test func `each day that would look different is told, and no other`() throws {
    let habit = #""habit":"\#(PeopleBook.read)""#
    #expect(
      try marks(#"{"do":"clear_log",\#(habit),"day":"2026-03-01"}"#)
        == ["2026-03-01 full → missed"])
    #expect(
      try marks(#"{"do":"log_habit",\#(habit),"day":"2026-03-02"}"#)
        == ["2026-03-02 skipped → full"])
    #expect(try marks(#"{"do":"log_habit",\#(habit),"day":"2026-03-03"}"#).isEmpty)
    #expect(try marks(#"{"do":"create_task","title":"Think"}"#).isEmpty)
  }
}

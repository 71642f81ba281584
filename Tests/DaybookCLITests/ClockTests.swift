import Avro
import Foundation
import Testing

/// A mistyped time, and a book that is ahead of the machine's clock.
@Suite(.tags(.program)) struct ClockTests {
  private static func after(hours: Double) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: hours * 3600))
  }

  @Test func `a time more than a day ahead is refused without --yes`() throws {
    let ada = try AdasBook()
    let before = try ada.journal()
    let refused = try ada.daybook("log", "Read", "--at", "2099-01-01T12:00:00Z")
    #expect(refused.status == 1 && refused.output.isEmpty)
    #expect(refused.error.contains("more than a day ahead") && refused.error.contains("--yes"))
    #expect(refused.error.split(separator: "\n").count == 1)
    #expect(try ada.journal() == before)
    #expect(try ada.daybook("log", "Read", "--at", Self.after(hours: 23.9)).status == 0)
    let past = try ada.daybook("log", "Read", "--at", Self.after(hours: 24.1))
    #expect(past.status == 1)
    #expect(try ada.daybook("log", "Read", "--at", Self.after(hours: 24.1), "--yes").status == 0)
  }

  @Test func `a refused time creates no book`() throws {
    let daybook = try Program()
    let made = try daybook("init", "--name", "Ada", "--at", "2099-01-01T12:00:00Z")
    #expect(made.status == 1)
    #expect(!FileManager.default.fileExists(atPath: daybook.path("my.daybook")))
  }

  @Test func `every command on a book that is ahead says so, and how to go back`() throws {
    let ada = try AdasBook()
    let first = try ada.daybook("log", "Read", "--at", "2099-01-01T12:00:00Z", "--yes")
    #expect(first.status == 0 && first.error.isEmpty)
    let json = try ada.daybook("log", "Read", "--json")
    #expect(json.status == 0)
    #expect(try json.json()["ok"]?["log_date"]?.text == "2099-01-01")
    for run in [json, try ada.daybook("skip", "Read"), try ada.daybook("apply", "--as", "Ada")] {
      #expect(run.status == 0)
      #expect(run.error.contains("2099-01-01T12:00:00Z"))
      #expect(run.error.contains("daybook restore NEWDIR --to"))
      #expect(run.error.split(separator: "\n").count == 1)
    }
    // Questions do not mention it, and the way back is a question.
    #expect(try ada.daybook("today").error.isEmpty)
    #expect(try ada.daybook("restore", "back", "--to", Self.after(hours: 0)).status == 0)
    let again = try ada.daybook("--book", "back", "log", "Read")
    #expect(again.status == 0 && again.error.isEmpty)
    #expect(!again.output.contains("2099"))
  }

  @Test func `apply takes its clock from the lines`() throws {
    let ada = try AdasBook()
    let line = #"{"do":"log_habit","habit":"\#(AdasBook.read)","at":"2099-01-01T12:00:00Z"}"#
    let run = try ada.daybook("apply", "--as", "Ada", input: line + "\n")
    #expect(run.status == 0 && run.error.isEmpty)
    #expect(try run.json()["ok"]?["log_date"]?.text == "2099-01-01")
  }

  @Test func `--at accepts everyday words, by the actor's clock`() throws {
    let ada = try AdasBook()
    // In London, on whatever day it is.
    let run = try ada.daybook("log", "Read", "--json", "--at", "2 minutes ago")
    #expect(run.status == 0, "\(run.error)")
    let refused = try ada.daybook("log", "Read", "--at", "yesterday")
    #expect(refused.status == 2)
    #expect(refused.error.contains(#"--at: say the time, too: "yesterday 21:00""#))
    let strange = try ada.daybook("log", "Read", "--at", "some day")
    #expect(strange.status == 2 && strange.error.contains("2 hours ago"))
    let noon = try ada.daybook("accounts", "add", "Bob", "--at", "in 2 hours", "--json")
    #expect(noon.status == 0, "\(noon.error)")
  }

  @Test func `due accepts days as well as times`() throws {
    let daybook = try AdasBook().daybook
    try daybook(
      "habits", "add", "Swim", "--remind", "07:30", "--at", "2026-03-02T08:00:00Z")
    let days = try daybook("due", "--from", "2026-03-03", "--to", "2026-03-04", "--json")
    let times = try daybook(
      "due", "--from", "2026-03-03T03:59:59.999Z", "--to", "2026-03-05T03:59:59.999Z", "--json")
    #expect(days.status == 0 && days.output == times.output && days.output.contains("Swim"))
    #expect(try daybook("due", "--from", "2026-03-05", "--to", "2026-03-03").status == 2)
  }
}

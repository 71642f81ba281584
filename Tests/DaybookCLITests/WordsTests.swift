import ArgumentParser
import Daybook
import DaybookStore
import Testing

@testable import DaybookCLI

/// Everyday words for days and times.
@Suite(.tags(.unit)) struct WordsTests {
  /// A Wednesday.
  private static let today: Day = "2026-03-04"

  private static let coming: [(String, String?)] = [
    ("2026-02-28", "2026-02-28"), ("today", "2026-03-04"), ("Tonight", "2026-03-04"),
    ("tomorrow", "2026-03-05"), ("yesterday", "2026-03-03"), ("wed", "2026-03-04"),
    ("tue", "2026-03-10"), ("Thurs", "2026-03-05"), ("next wed", "2026-03-11"),
    ("next fri", "2026-03-06"), ("last wed", "2026-02-25"), ("in 3 days", "2026-03-07"),
    ("in a week", "2026-03-11"), ("in 2 weeks", "2026-03-18"), ("in 1 month", "2026-04-04"),
    ("3 days ago", "2026-03-01"), ("in a year", "2027-03-04"), ("next week", "2026-03-09"),
    ("next month", "2026-04-01"), ("weekend", "2026-03-07"), ("this weekend", "2026-03-07"),
    ("end of month", "2026-03-31"), ("5 march", "2026-03-05"), ("Mar 4", "2026-03-04"),
    ("mar 3", "2027-03-03"), ("29 feb", "2028-02-29"), ("1 jan 2030", "2030-01-01"),
    ("in 3", nil), ("in three days", nil), ("3 days", nil), ("in 3 days ago", nil), ("we", nil),
    ("", nil), ("5 mai", nil), ("31 feb", nil), ("in -3 days", nil), ("next", nil),
    ("in 999999999999999999 days", nil), ("2026-02-30", nil), ("march", nil), ("next day", nil),
  ]

  @Test func `words for a coming day`() {
    let words = DayWords(today: Self.today, direction: .coming)
    for (text, day) in Self.coming {
      #expect(words.day(text)?.description == day, "\(text)")
    }
  }

  @Test func `words for a past day: a weekday or date is the latest such day`() {
    let words = DayWords(today: Self.today, direction: .past)
    let days: [(String, String)] = [
      ("wed", "2026-03-04"), ("thu", "2026-02-26"), ("last wed", "2026-02-25"),
      ("mar 5", "2025-03-05"), ("29 feb", "2024-02-29"), ("a week ago", "2026-02-25"),
      ("2 months ago", "2026-01-04"),
    ]
    for (text, day) in days { #expect(words.day(text)?.description == day, "\(text)") }
  }

  @Test func `months have different lengths, and years end`() {
    let words = DayWords(today: "2027-12-31", direction: .coming)
    let days: [(String, String)] = [
      ("in 2 months", "2028-02-29"), ("next month", "2028-01-01"), ("10 months ago", "2027-02-28"),
      ("end of month", "2027-12-31"), ("weekend", "2028-01-01"), ("next week", "2028-01-03"),
    ]
    for (text, day) in days { #expect(words.day(text)?.description == day, "\(text)") }
    #expect(DayWords(today: .first, direction: .past).day("3 months ago") == nil)
    #expect(DayWords(today: .last, direction: .coming).day("next month") == nil)
    #expect(DayWords(today: .last, direction: .coming).day("in 3 days") == .last)
  }

  @Test func `a time of day`() {
    let times: [(String, String?)] = [
      ("17:30", "17:30"), ("9:00", "09:00"), ("5pm", "17:00"), ("5:30 pm", "17:30"),
      ("12am", "00:00"), ("12 pm", "12:00"), ("noon", "12:00"), ("midnight", "00:00"),
      ("11:59PM", "23:59"), ("9", nil), ("13pm", nil), ("0am", nil), ("24:00", nil),
      ("9:5", nil), ("17:60", nil), ("5:30:00", nil), ("", nil), ("pm", nil), (":30", nil),
      ("+9:00", nil),
    ]
    for (text, time) in times { #expect(TimeWords.time(text)?.description == time, "\(text)") }
  }

  @Test func `words for a past moment: the latest such time, or some hours ago`() throws {
    let words = MomentWords(
      days: DayWords(today: Self.today, direction: .past),
      now: try #require(Instant("2026-03-04T12:00:00Z")),
      wall: WallClock(timeZone: "Europe/Berlin", zones: SystemTimeZones()))
    // In Berlin it is 13:00.
    let moments: [(String, MomentWords.Moment?)] = [
      ("12:30", LocalDateTime("2026-03-04T12:30").map { .local($0) }),
      ("14:00", LocalDateTime("2026-03-03T14:00").map { .local($0) }),
      ("yesterday 21:00", LocalDateTime("2026-03-03T21:00").map { .local($0) }),
      ("9pm on fri", LocalDateTime("2026-02-27T21:00").map { .local($0) }),
      ("2 hours ago", Instant("2026-03-04T10:00:00Z").map { .instant($0) }),
      ("an hour ago", Instant("2026-03-04T11:00:00Z").map { .instant($0) }),
      ("mon", .day("2026-03-02")), ("in 2 hours ago", nil), ("2 hours", nil),
    ]
    for (text, moment) in moments { #expect(words.moment(text) == moment, "\(text)") }
  }

  @Test func `before the day starts a bare time is still the nearest one`() throws {
    // It is Wednesday the 4th at 02:30, which still belongs to Tuesday.
    let tuesday = Self.today.advanced(by: -1)
    let wall = WallClock(timeZone: "UTC", zones: SystemTimeZones())
    let now = try #require(Instant("2026-03-04T02:30:00Z"))
    for (direction, time, moment) in [
      (DayWords.Direction.past, "2:00", "2026-03-04T02:00"), (.past, "3:00", "2026-03-03T03:00"),
      (.past, "midnight", "2026-03-04T00:00"), (.past, "2:30", "2026-03-04T02:30"),
      (.coming, "2:00", "2026-03-05T02:00"), (.coming, "3:00", "2026-03-04T03:00"),
      (.coming, "midnight", "2026-03-05T00:00"), (.coming, "2:30", "2026-03-04T02:30"),
    ] {
      let words = MomentWords(
        days: DayWords(today: tuesday, direction: direction), now: now, wall: wall)
      #expect(
        words.moment(time) == LocalDateTime(moment).map { .local($0) }, "\(direction) \(time)")
    }
  }

  @Test func `words for a moment: a day, a time, both in either order, or some hours ahead`() throws
  {
    let zones = SystemTimeZones()
    let words = MomentWords(
      days: DayWords(today: Self.today, direction: .coming),
      now: try #require(Instant("2026-03-04T12:00:00Z")),
      wall: WallClock(timeZone: "Europe/Berlin", zones: zones))
    let moments: [(String, String?)] = [
      ("fri", "day 2026-03-06"), ("tomorrow 9:00", "2026-03-05T09:00:00"),
      ("tomorrow at 9:00", "2026-03-05T09:00:00"), ("5 pm on friday", "2026-03-06T17:00:00"),
      ("in 3 days 5pm", "2026-03-07T17:00:00"), ("5 march 5 pm", "2026-03-05T17:00:00"),
      // In Berlin it is 13:00.
      ("14:00", "2026-03-04T14:00:00"), ("12:30", "2026-03-05T12:30:00"),
      ("in 2 hours", "2026-03-04T14:00:00Z"), ("in 30 minutes", "2026-03-04T12:30:00Z"),
      ("in an hour", "2026-03-04T13:00:00Z"), ("2026-03-09T18:00", "2026-03-09T18:00:00"),
      ("2026-03-09 18:00", "2026-03-09T18:00:00"), ("2026-03-09T18:00:00Z", "2026-03-09T18:00:00Z"),
      ("at", nil), ("someday 9:00", nil), ("tomorrow 9", nil), ("", nil), ("in 2 fortnights", nil),
    ]
    for (text, moment) in moments {
      let found: String? =
        switch words.moment(text) {
        case .day(let day)?: "day \(day)"
        case .local(let local)?: local.description
        case .instant(let instant)?: instant.description
        case nil: nil
        }
      #expect(found == moment, "\(text)")
    }
  }

  @Test func `each apply command has existing words on the command line, or a reason for none`() {
    #expect(Set(CommandWords.all.keys) == Set(Request.names))
    for (name, words) in CommandWords.all {
      switch words {
      case .applyOnly(let why): #expect(!why.isEmpty, "\(name)")
      case .words(let words):
        var command: any ParsableCommand.Type = DaybookCommand.self
        for word in words.split(separator: " ") where !word.hasPrefix("--") {
          let found = command.configuration.subcommands.first { $0._commandName == word }
          guard let found else {
            Issue.record("\(name): daybook \(words)")
            break
          }
          command = found
        }
      }
    }
  }
}

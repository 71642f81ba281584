import Calendar
import Daybook
import DaybookStore
import Testing

/// Tasks as people type them in one line.
@Suite(.tags(.unit)) struct QuickTaskTests {
  /// A Wednesday, 10:00 in Berlin.
  private static let today: Day = "2026-03-04"

  private func task(_ text: String) throws -> QuickTask {
    let wall = WallClock(timeZone: "Europe/Berlin", zones: SystemTimeZones())
    let morning = try #require(LocalDateTime("2026-03-04T10:00"))
    let now = try #require(wall.instant(of: morning))
    return QuickTask(text, today: Self.today, now: now, wall: wall)
  }

  private static let lines: [(String, title: String, due: String?, rule: String?, bucket: String)] =
    [
      ("call Bob tomorrow 5pm #home", "call Bob", "2026-03-05T16:00:00Z", nil, "THIS_WEEK"),
      ("Buy milk", "Buy milk", nil, nil, "THIS_WEEK"),
      ("tomorrow call Bob", "call Bob", "2026-03-05T22:59:00Z", nil, "THIS_WEEK"),
      ("pay the rent on 5 april", "pay the rent", "2026-04-05T21:59:00Z", nil, "NEXT_MONTH"),
      ("dentist next wed at 9:30", "dentist", "2026-03-11T08:30:00Z", nil, "NEXT_WEEK"),
      (
        "turn the oven off in 2 hours", "turn the oven off", "2026-03-04T11:00:00Z", nil,
        "THIS_WEEK"
      ),
      (
        "water the plants every monday", "water the plants", "2026-03-09T22:59:00Z",
        "FREQ=WEEKLY;BYDAY=MO", "ROUTINES"
      ),
      (
        "stretch every day at 7am", "stretch", "2026-03-05T06:00:00Z", "FREQ=DAILY", "ROUTINES"
      ),
      ("review weekly", "review", "2026-03-04T22:59:00Z", "FREQ=WEEKLY", "ROUTINES"),
      ("Bob anrufen morgen um 17 Uhr", "Bob anrufen", "2026-03-05T16:00:00Z", nil, "THIS_WEEK"),
      (
        "Blumen gießen jeden Montag", "Blumen gießen", "2026-03-09T22:59:00Z",
        "FREQ=WEEKLY;BYDAY=MO", "ROUTINES"
      ),
      ("am Freitag Müll rausbringen", "Müll rausbringen", "2026-03-06T22:59:00Z", nil, "THIS_WEEK"),
      ("tomorrow", "tomorrow", nil, nil, "THIS_WEEK"),
      ("things to do", "things to do", nil, nil, "THIS_WEEK"),
      ("read chapter 5", "read chapter 5", nil, nil, "THIS_WEEK"),
      ("the every day things", "the every day things", nil, nil, "THIS_WEEK"),
      ("", "", nil, nil, "THIS_WEEK"),
    ]

  @Test func `a line is a title, and what it says about when`() throws {
    for (text, title, due, rule, bucket) in Self.lines {
      let task = try task(text)
      #expect(task.title == title, "\(text)")
      #expect(task.due?.description == due, "\(text)")
      #expect(task.recurrence == rule, "\(text)")
      #expect(task.bucket.rawValue == bucket, "\(text)")
    }
  }

  @Test func `labels may stand anywhere, and each counts once`() throws {
    let task = try task("#home call  Bob #phone tomorrow #home")
    #expect(task.title == "call Bob")
    #expect(task.labels == ["home", "phone"])
    #expect(try self.task("room # 5 #").title == "room # 5 #")
  }
}

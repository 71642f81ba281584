import Daybook
import Testing

@Suite(.tags(.unit)) struct MarkTests {
  @Test(arguments: [
    // 2026-03-02 is a Monday.
    ("xb.s0x.", Schedule.daily, "Fhms" + "mF?"),
    ("xxxxxxx", weekdays("MTWTF--"), "FFFFFBB"),
    ("x.x.x..", weekdays("MTWTF--"), "FmFmFoo"),
    ("......b", Schedule.daily, "mmmmmm?"),
    ("......b", weekdays("MTWTF--"), "mmmmmoo"),
    ("sssss.s", weekdays("MTWTF--"), "sssssos"),
  ])
  func `the first matching line of the table decides (HH-11)`(
    days: String, schedule: Schedule, marks: String
  ) {
    #expect(letters(StreakRule.daybook.judgement(of: history(days, schedule))) == marks)
  }

  @Test func `in a pause a done day stays full, and a half-done one does not (HH-11)`() {
    var history = history("xb.sx.x")
    history.paused = [DaySpan(first: day("2026-03-02"), last: day("2026-03-05"))]
    history.archived = [DaySpan(first: day("2026-03-07"), last: nil)]
    #expect(letters(StreakRule.daybook.judgement(of: history)) == "FppsFpF")
  }

  @Test func `a span that ends before it begins holds no day`() {
    var history = history("x..")
    history.paused = [DaySpan(first: day("2026-03-03"), last: day("2026-03-02"))]
    #expect(letters(StreakRule.daybook.judgement(of: history)) == "Fm?")
  }

  @Test func `each day keeps the schedule and target that were in force on it (HH-7)`() {
    var history = history("xbxbxbx")  // target 2
    history.versions.append(
      .init(since: day("2026-03-05"), schedule: .daily, target: Target(amount(1))))
    history.versions.append(
      .init(since: day("2026-03-07"), schedule: weekdays("M------"), target: Target(amount(3))))
    let judgement = StreakRule.daybook.judgement(of: history)
    #expect(letters(judgement) == "FhF" + "FF" + "oo")
    #expect(judgement[day("2026-03-05")]?.target == Target(amount(1)))
    #expect(judgement[day("2026-03-05")]?.scheduleSince == day("2026-03-05"))
    #expect(judgement[day("2026-03-04")]?.scheduleSince == day("2026-03-02"))
  }

  @Test func `a log before the creation extends the first version back (HH-9)`() {
    var history = history("x..x..")
    history.created = day("2026-03-06")
    history.versions[0].since = day("2026-03-06")
    #expect(letters(StreakRule.daybook.judgement(of: history)) == "FmmFm?")
    history.records.removeFirst()
    #expect(StreakRule.daybook.judgement(of: history).days.first?.day == day("2026-03-05"))
  }

  @Test func `a skip does not extend the judged days`() {
    var history = history("s..")
    history.created = day("2026-03-04")
    #expect(letters(StreakRule.daybook.judgement(of: history)) == "?")
  }

  @Test func `after a journey west closed days stay closed, and a log may lie past today`() {
    var closed = history("xx.")
    closed.openFrom = day("2026-03-05")
    #expect(letters(StreakRule.daybook.judgement(of: closed)) == "FFm")
    closed.openFrom = day("2026-03-07")
    #expect(letters(StreakRule.daybook.judgement(of: closed)) == "FFmmm")
    let ahead = history("x.x", today: "2026-03-03")
    #expect(letters(StreakRule.daybook.judgement(of: ahead)) == "F?F")
  }

  @Test(arguments: [("0", "F?"), ("b", "F?"), ("x", "F?"), ("4", "h?"), (".", "m?")])
  func `an at-most day is full up to the target and only when logged`(first: String, marks: String)
  {
    var history = history(first + ".", target: Target(amount(2), .atMost))
    if first == "4" { history.records = [.init(day: history.created, value: amount(4))] }
    #expect(letters(StreakRule.daybook.judgement(of: history)) == marks)
  }

  @Test func `a habit created after today has no judged days`() {
    var history = history(".")
    history.created = day("2026-03-09")
    let judgement = StreakRule.daybook.judgement(of: history)
    #expect(judgement.days.isEmpty)
    #expect(judgement.completion == nil)
    #expect(StreakRule.loop.judgement(of: history).days.isEmpty)
  }

  @Test func `a day's due flag follows the schedule alone`() {
    var history = history("xs.x.xx", weekdays("MTWTF--"))
    history.paused = [DaySpan(first: day("2026-03-04"), last: day("2026-03-04"))]
    let judgement = StreakRule.daybook.judgement(of: history)
    #expect(letters(judgement) == "FspFmBB")
    #expect(judgement.days.map(\.due) == [true, true, true, true, true, false, false])
  }
}

import Daybook
import Testing

/// The examples of RFC 5545, 3.8.5.3, in its order, in New York as there.
@Suite(.tags(.unit)) struct RecurrenceExampleTests {
  struct Example: CustomTestStringConvertible {
    var start = "19970902T090000"
    var rule: String
    /// Days of the months: `1997-09: 2 12 22 | 10: 2 12`.
    var days: String
    var isEndless = false

    var testDescription: String { "\(start) \(rule)" }

    /// The days, written in full.
    var expected: [String] {
      var month = ""
      return days.split(separator: "|").flatMap { part in
        let halves = part.split(separator: ":")
        let name = halves[0].filter { $0 != " " }
        month = name.count == 2 ? "\(month.prefix(4))-\(name)" : name
        return halves[1].split(separator: " ").flatMap { item in
          let ends = item.split(separator: "-").compactMap { Int($0) }
          return (ends[0]...ends[ends.count - 1]).map { "\(month)-\($0 < 10 ? "0" : "")\($0)" }
        }
      }
    }
  }

  static let september = "1997-09: 2-30"
  static let autumn = "1997-09: 2 9 16 23 30 | 10: 7 14 21 28 | 11: 4"
  static let january = "1998-01: 1-31 | 1999-01: 1-31 | 2000-01: 1-31"
  static let everyWeekday = "SU,MO,TU,WE,TH,FR,SA"

  static let days: [Example] = [
    Example(rule: "FREQ=DAILY;COUNT=10", days: "1997-09: 2-11"),
    Example(
      rule: "FREQ=DAILY;UNTIL=19971224T000000Z",
      days: "\(september) | 10: 1-31 | 11: 1-30 | 12: 1-23"),
    Example(
      rule: "FREQ=DAILY;INTERVAL=2",
      days: "1997-09: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 | 10: 2 4", isEndless: true),
    Example(rule: "FREQ=DAILY;INTERVAL=10;COUNT=5", days: "1997-09: 2 12 22 | 10: 2 12"),
    Example(
      start: "19980101T090000",
      rule: "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=\(everyWeekday)", days: january),
    Example(
      start: "19980101T090000", rule: "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", days: january),
  ]

  static let weeks: [Example] = [
    Example(rule: "FREQ=WEEKLY;COUNT=10", days: autumn),
    Example(
      rule: "FREQ=WEEKLY;UNTIL=19971224T000000Z", days: "\(autumn) 11 18 25 | 12: 2 9 16 23"),
    Example(
      rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
      days: "1997-09: 2 16 30 | 10: 14 28 | 11: 11 25 | 12: 9 23 | 1998-01: 6 20 | 02: 3 17",
      isEndless: true),
    Example(
      rule: "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
      days: "1997-09: 2 4 9 11 16 18 23 25 30 | 10: 2"),
    Example(
      rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
      days: "1997-09: 2 4 9 11 16 18 23 25 30 | 10: 2"),
    Example(
      start: "19970901T090000",
      rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
      days:
        "1997-09: 1 3 5 15 17 19 29 | 10: 1 3 13 15 17 27 29 31 | 11: 10 12 14 24 26 28 | 12: 8 10 12 22"
    ),
    Example(
      rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
      days: "1997-09: 2 4 16 18 30 | 10: 2 14 16"),
    Example(
      start: "19970805T090000", rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
      days: "1997-08: 5 10 19 24"),
    Example(
      start: "19970805T090000", rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
      days: "1997-08: 5 17 19 31"),
  ]

  static let months: [Example] = [
    Example(
      start: "19970905T090000", rule: "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
      days:
        "1997-09: 5 | 10: 3 | 11: 7 | 12: 5 | 1998-01: 2 | 02: 6 | 03: 6 | 04: 3 | 05: 1 | 06: 5"),
    Example(
      start: "19970905T090000", rule: "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
      days: "1997-09: 5 | 10: 3 | 11: 7 | 12: 5"),
    Example(
      start: "19970907T090000", rule: "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
      days: "1997-09: 7 28 | 11: 2 30 | 1998-01: 4 25 | 03: 1 29 | 05: 3 31"),
    Example(
      start: "19970922T090000", rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
      days: "1997-09: 22 | 10: 20 | 11: 17 | 12: 22 | 1998-01: 19 | 02: 16"),
    Example(
      start: "19970928T090000", rule: "FREQ=MONTHLY;BYMONTHDAY=-3",
      days: "1997-09: 28 | 10: 29 | 11: 28 | 12: 29 | 1998-01: 29 | 02: 26", isEndless: true),
    Example(
      rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
      days: "1997-09: 2 15 | 10: 2 15 | 11: 2 15 | 12: 2 15 | 1998-01: 2 15"),
    Example(
      start: "19970930T090000", rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
      days: "1997-09: 30 | 10: 1 31 | 11: 1 30 | 12: 1 31 | 1998-01: 1 31 | 02: 1"),
    Example(
      start: "19970910T090000",
      rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
      days: "1997-09: 10-15 | 1999-03: 10-13"),
    Example(
      rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
      days: "1997-09: 2 9 16 23 30 | 11: 4 11 18 25 | 1998-01: 6 13 20 27 | 03: 3 10 17 24 31",
      isEndless: true),
    Example(
      rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
      days: "1998-02: 13 | 03: 13 | 11: 13 | 1999-08: 13 | 2000-10: 13", isEndless: true),
    Example(
      start: "19970913T090000", rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
      days:
        "1997-09: 13 | 10: 11 | 11: 8 | 12: 13 | 1998-01: 10 | 02: 7 | 03: 7 | 04: 11 | 05: 9 | 06: 13",
      isEndless: true),
    Example(
      start: "19970904T090000", rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
      days: "1997-09: 4 | 10: 7 | 11: 6"),
    Example(
      start: "19970929T090000", rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      days: "1997-09: 29 | 10: 30 | 11: 27 | 12: 30 | 1998-01: 29 | 02: 26 | 03: 30",
      isEndless: true),
    Example(
      start: "20070115T090000", rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
      days: "2007-01: 15 30 | 02: 15 | 03: 15 30"),
  ]

  static let years: [Example] = [
    Example(
      start: "19970610T090000", rule: "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
      days:
        "1997-06: 10 | 07: 10 | 1998-06: 10 | 07: 10 | 1999-06: 10 | 07: 10 | 2000-06: 10 | 07: 10 | 2001-06: 10 | 07: 10"
    ),
    Example(
      start: "19970310T090000", rule: "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
      days:
        "1997-03: 10 | 1999-01: 10 | 02: 10 | 03: 10 | 2001-01: 10 | 02: 10 | 03: 10 | 2003-01: 10 | 02: 10 | 03: 10"
    ),
    Example(
      start: "19970101T090000", rule: "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
      days:
        "1997-01: 1 | 04: 10 | 07: 19 | 2000-01: 1 | 04: 9 | 07: 18 | 2003-01: 1 | 04: 10 | 07: 19 | 2006-01: 1"
    ),
    Example(
      start: "19970519T090000", rule: "FREQ=YEARLY;BYDAY=20MO",
      days: "1997-05: 19 | 1998-05: 18 | 1999-05: 17", isEndless: true),
    Example(
      start: "19970512T090000", rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
      days: "1997-05: 12 | 1998-05: 11 | 1999-05: 17", isEndless: true),
    Example(
      start: "19970313T090000", rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
      days: "1997-03: 13 20 27 | 1998-03: 5 12 19 26 | 1999-03: 4 11 18 25", isEndless: true),
    Example(
      start: "19970605T090000", rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
      days:
        "1997-06: 5 12 19 26 | 07: 3 10 17 24 31 | 08: 7 14 21 28 | 1998-06: 4 11 18 25 | 07: 2 9 16 23 30 | 08: 6 13 20 27",
      isEndless: true),
    Example(
      start: "19961105T090000",
      rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      days: "1996-11: 5 | 2000-11: 7 | 2004-11: 2", isEndless: true),
  ]

  @Test(arguments: days + weeks + months + years)
  func `an example of RFC 5545 occurs on its days (DM-4)`(example: Example) throws {
    let start = try #require(LocalDateTime(example.start))
    // The rule for Friday the 13th lists its start as an exception; here no rule gives it anyway.
    let recurrence = Recurrence(start: start, rules: [try RecurrenceRule(parsing: example.rule)])
    let expected = example.expected.map { "\($0)T09:00:00" }
    let found = recurrence.occurrences(clock: .newYork)
      .prefix(expected.count + (example.isEndless ? 0 : 1))
    #expect(found.map(\.description) == expected)
  }

  static let times: [(rule: String, expected: String)] = [
    // The RFC prints UNTIL=19970902T170000Z, which is 13:00 in New York; it means 17:00 there.
    ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", "09:00 12:00 15:00"),
    ("FREQ=MINUTELY;INTERVAL=15;COUNT=6", "09:00 09:15 09:30 09:45 10:00 10:15"),
    ("FREQ=MINUTELY;INTERVAL=90;COUNT=4", "09:00 10:30 12:00 13:30"),
  ]

  @Test(arguments: times)
  func `an example of RFC 5545 occurs at its times`(rule: String, expected: String) throws {
    let found = Recurrence(start: .september, rules: [try RecurrenceRule(parsing: rule)])
      .occurrences(clock: .newYork).map { $0.description.dropFirst(11).prefix(5) }
    #expect(found.joined(separator: " ") == expected)
  }

  static let twentyMinutes = [
    "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
    "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
  ]

  @Test(arguments: twentyMinutes)
  func `every twenty minutes from 9:00 to 16:40 each day, in both forms`(rule: String) throws {
    let recurrence = Recurrence(start: .september, rules: [try RecurrenceRule(parsing: rule)])
    let found = recurrence.occurrences().prefix(50).map(\.description)
    let expected = (2...4).flatMap { day in
      (0..<24).map { slot in
        "1997-09-0\(day)T\(slot / 3 < 1 ? "0" : "")\(9 + slot / 3):\(["00", "20", "40"][slot % 3]):00"
      }
    }
    #expect(found == Array(expected.prefix(50)))
  }
}

extension LocalDateTime {
  static var september: LocalDateTime { local("1997-09-02T09:00:00") }
}

extension WallClock {
  static var newYork: WallClock { WallClock(timeZone: "America/New_York", zones: NewYork()) }
}

/// New York for the examples: summer time in 1997 and 1998, and by the rule from 2007 on.
struct NewYork: TimeZones {
  static let summers: [(String, String)] = [
    ("1997-04-06T07:00:00Z", "1997-10-26T06:00:00Z"),
    ("1998-04-05T07:00:00Z", "1998-10-25T06:00:00Z"),
    ("2007-03-11T07:00:00Z", "2007-11-04T06:00:00Z"),
  ]
  private let spans = summers.map { moment($0.0)..<moment($0.1) }

  func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
    guard timeZone == "America/New_York" else { return nil }
    return spans.contains { $0.contains(instant) } ? -14_400 : -18_000
  }
}

/// The local time written as 1997-09-02T09:00:00; the first of all when it is invalid.
func local(_ text: String) -> LocalDateTime {
  guard let local = LocalDateTime(text) else {
    Issue.record("not a local time: \(text)")
    return LocalDateTime(day: .first)
  }
  return local
}

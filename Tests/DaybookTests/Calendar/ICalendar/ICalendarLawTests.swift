import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.law)) struct ICalendarLawTests {
  @Test func `a written calendar reads back the same (MC-10)`() {
    let stamp = moment("2026-01-01T00:00:00Z")
    let report = check("read(write(x)) = x", Self.calendars(stamp: stamp), cases: 100) { calendar in
      let text = calendar.write(stamp: stamp, zones: TableZones())
      let reading = ICalendar.read(text, zones: TableZones())
      try expectEqual(reading.problems.map(\.description), [])
      try expectEqual(reading.calendar, calendar)
      try expectEqual(reading.calendar.write(stamp: stamp, zones: TableZones()), text)
      return true
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `damaged text is read as far as possible`() {
    let stamp = moment("2026-01-01T00:00:00Z")
    let damages = Generator.zip(
      Generator<Int>.integer(in: 0...1 << 20), Generator<UInt8>.integer(),
      Generator<Int>.integer(in: 0...3)
    ).array(count: 1...12)
    let inputs = Generator.zip(
      Self.calendars(stamp: stamp), damages)
    let report = check("reading never fails", inputs, cases: 75) { calendar, damages in
      var bytes = Array(calendar.write(stamp: stamp, zones: TableZones()).utf8)
      for (place, byte, kind) in damages where !bytes.isEmpty {
        let index = place % bytes.count
        switch kind {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int(byte)))
        default: bytes.insert(contentsOf: bytes[max(0, index - Int(byte))..<index], at: index)
        }
      }
      let reading = ICalendar.read(bytes, zones: TableZones())
      let week = moment("2026-03-01T00:00:00Z")
      let found = reading.calendar.occurrences(
        from: week, until: week.advanced(byMilliseconds: 7 * 86_400_000), seenFrom: "Etc/UTC",
        zones: TableZones())
      // The result of reading reads back the same.
      let again = ICalendar.read(
        reading.calendar.write(stamp: stamp, zones: TableZones()), zones: TableZones())
      return found.count >= 0 && again.calendar.series.count == reading.calendar.series.count
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `adjacent windows find the same as one window`() {
    let stamp = moment("2026-01-01T00:00:00Z")
    let start = moment("2026-02-20T00:00:00Z")
    let inputs = Generator.zip(
      Self.calendars(stamp: stamp), Generator<Int64>.integer(in: 1...60 * 86_400))
    let report = check("windows add up", inputs, cases: 75) { calendar, seconds in
      let (middle, end) = (
        start.advanced(byMilliseconds: seconds * 1000),
        start.advanced(byMilliseconds: 60 * 86_400_000)
      )
      let found = { (from: Instant, until: Instant) in
        Set(
          calendar.occurrences(
            from: from, until: until, seenFrom: "Pacific/Honolulu", zones: TableZones()))
      }
      try expectEqual(found(start, middle).union(found(middle, end)), found(start, end))
      return true
    }
    #expect(report.passed, "\(report)")
  }

  /// Calendars as reading gives them: each UID once, each time of a series once, all texts nonempty.
  static func calendars(stamp: Instant) -> Generator<ICalendar> {
    Generator<ICalendar> { source in
      var calendar = ICalendar(name: try source.draw(texts.optional()))
      var uids: Set<String> = []
      try source.repeated(0...5) { source in
        let uid = try source.draw(texts)
        guard uids.insert(uid).inserted else { return }
        let start = try source.draw(times)
        let master = try source.draw(.bool(probability: 0.9))
        var series = ICalendar.Series(
          uid: uid, master: master ? try source.draw(events(uid, start, stamp)) : nil)
        var slots: Set<ICalendar.Time> = []
        try source.repeated((master ? 0 : 1)...3) { source in
          let days = try source.draw(.integer(in: 0...12))
          let slot = start.later(days: days)
          guard slots.insert(slot).inserted else { return }
          var event = try source.draw(events(uid, try source.draw(times), stamp))
          event.rules = []
          event.dates = []
          event.exceptions = []
          event.recurrenceID = slot
          // A change older than its series may be left out.
          event.sequence = max(event.sequence, series.master?.sequence ?? 0)
          event.isThisAndFuture = try source.draw(.bool())
          series.overrides.append(event)
        }
        series.overrides.sort {
          ($0.recurrenceID?.local ?? start.local) < ($1.recurrenceID?.local ?? start.local)
        }
        calendar.series.append(series)
      }
      return calendar
    }
  }

  private static let texts = Generator<String>.oneOf(
    .unicode(count: 1...60),
    .element(of: ["a,b;c\\n", "two\nlines", "\"quoted\"", " space ", "\\"])
  ).map { text in
    // A value has no control characters, and one kind of line end.
    let kept = text.unicodeScalars.filter {
      $0.properties.generalCategory != .control || $0 == "\n"
    }
    return kept.isEmpty ? "-" : String(String.UnicodeScalarView(kept))
  }

  private static let locals = Generator<(Int, Int)>.zip(
    .integer(in: 20_500...20_600), .integer(in: 0...86_399)
  ).map { number, second in
    LocalDateTime(day: Day(number: number) ?? .first, second: second)
      ?? LocalDateTime(day: .first)
  }

  private static let times = Generator<(LocalDateTime, Int)>.zip(locals, .integer(in: 0...3)).map {
    (local, kind) -> ICalendar.Time in
    switch kind {
    case 0: .date(local.day)
    case 1: .floating(local)
    case 2: .zoned(local, zone: "UTC")
    default: .zoned(local, zone: "Europe/Berlin")
    }
  }

  private static func events(
    _ uid: String, _ start: ICalendar.Time, _ stamp: Instant
  ) -> Generator<ICalendar.Event> {
    Generator<ICalendar.Event> { source in
      var event = ICalendar.Event(uid: uid, start: start, stamp: stamp)
      event.summary = try source.draw(texts.optional())
      event.description = try source.draw(texts.optional())
      event.location = try source.draw(texts.optional())
      event.status = try source.draw(Generator<ICalendar.Status>.anyCase().optional())
      event.sequence = try source.draw(.integer(in: 0...5))
      event.lastModified = try source.draw(
        Generator<Int64>.integer(in: 0...2_000_000_000).map { Instant(clamping: $0 * 1000) }
          .optional())
      event.extent = try source.draw(extents(from: start))
      let rules = try source.draw(
        Generator<String>.element(of: [
          "FREQ=DAILY;COUNT=9", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY;BYDAY=-1SU",
          "FREQ=DAILY;INTERVAL=3;UNTIL=", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=-1",
        ]).array(count: 0...2))
      // The form of RFC 5545 for such a start: otherwise it is written differently.
      let time = start.isDate ? "" : start.zone == nil ? "T120000" : "T120000Z"
      event.rules = rules.compactMap {
        try? RecurrenceRule(parsing: $0.hasSuffix("=") ? "\($0)20260401\(time)" : $0)
      }
      event.exceptions = try source.draw(
        Generator<Int>.integer(in: 0...9).map { start.later(days: $0) }.array(count: 0...2))
      event.dates = try source.draw(
        Generator<Int>.integer(in: 0...9).map { ICalendar.Date(start.later(days: $0)) }
          .array(count: 0...2))
      if !start.isDate, try source.draw(.bool(probability: 0.3)) {
        let length = ICalendar.Duration(days: 1, seconds: try source.draw(.integer(in: 0...9999)))
        event.dates.append(ICalendar.Date(start.later(days: 20), extent: .lasting(length)))
        event.dates.append(
          ICalendar.Date(start.later(days: 21), extent: .until(start.later(days: 22))))
      }
      return event
    }
  }

  private static func extents(from start: ICalendar.Time) -> Generator<ICalendar.Extent> {
    .oneOf(
      .constant(.unsaid), Generator<Int>.integer(in: 1...9).map { .until(start.later(days: $0)) },
      Generator<(Int, Int)>.zip(.integer(in: 0...9), .integer(in: 0...99_999)).map {
        days, seconds in
        .lasting(ICalendar.Duration(days: days, seconds: start.isDate ? 0 : seconds))
      })
  }
}

extension ICalendar.Time {
  /// The same time a number of days later.
  fileprivate func later(days: Int) -> ICalendar.Time {
    let day = local.day.advanced(by: days)
    guard let moved = LocalDateTime(day: day, second: Int(local.second)) else { return self }
    return switch self {
    case .date: .date(day)
    case .floating: .floating(moved)
    case .zoned(_, let zone): .zoned(moved, zone: zone)
    }
  }
}

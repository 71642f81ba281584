import ArgumentParser
import Avro
import Daybook
import DaybookStore

/// Parses an instant written by a person.
enum TimeArgument {
  static let help = "2026-03-01T12:00:00Z, yesterday 21:00, fri 9:00, 9:00, or 2 hours ago"

  /// The meaning of a day without a time.
  enum BareDay {
    /// The moment before the day begins, or the last moment of the day.
    case start, end
    /// Not accepted: a time is required.
    case refused
  }

  /// Parses an instant, including everyday wording, which refers to the past.
  ///
  /// - Parameters:
  ///   - text: The text, if any.
  ///   - option: The name of its option, for error messages.
  ///   - bareDay: The meaning of a day without a time.
  ///   - clock: The clock of the caller; called only for everyday wording.
  /// - Returns: The instant, or `nil` without a text.
  /// - Throws: `ValidationError`, or ``Rejection/unknownTimeZone(_:)``.
  static func spoken(
    _ text: String?, _ option: String, _ bareDay: BareDay, by clock: () throws -> DayClock
  ) throws -> Instant? {
    guard let text else { return nil }
    if let instant = Instant(text) { return instant }
    let (zones, now, clock) = (SystemTimeZones.shared, BookClock.system.now(), try clock())
    guard let today = clock.day(of: now, in: zones) else {
      throw Rejection.unknownTimeZone(clock.timeZone)
    }
    let wall = WallClock(timeZone: clock.timeZone, zones: zones)
    let words = MomentWords(
      days: DayWords(today: today, direction: .past), now: now, wall: wall)
    let found: Instant? =
      switch (words.moment(text), bareDay) {
      case (.instant(let instant)?, _): instant
      case (.local(let local)?, _): wall.instant(of: local)
      case (.day(let day)?, .start): clock.end(of: day.advanced(by: -1), in: zones)
      case (.day(let day)?, .end): clock.end(of: day, in: zones)
      case (.day?, .refused):
        throw ValidationError("\(option): say the time, too: \"\(text) 21:00\"")
      case (nil, _): nil
      }
    guard let found else {
      let help = bareDay == .refused ? help : "a day, or \(help)"
      throw ValidationError("\(option): \"\(text)\" is not a time: give \(help)")
    }
    return found
  }

  static func instant(_ text: String?, _ option: String) throws -> Instant? {
    guard let text else { return nil }
    guard let instant = Instant(text) else {
      throw ValidationError("\(option): \"\(text)\" is not a time such as 2026-03-01T12:00:00Z")
    }
    return instant
  }
}

/// The option for the key of a new entity.
struct KeyOption: ParsableArguments {
  @Option(help: "Its key, a UUID (default: a fresh one).")
  var key: String?

  /// The key that was given, if one was.
  func given() throws -> Key? { try KeyArgument.key(key, "--key") }
}

/// Parses a UUID.
enum KeyArgument {
  static func key(_ text: String?, _ option: String) throws -> Key? {
    guard let text else { return nil }
    guard let key = Key(text) else { throw ValidationError("\(option): \"\(text)\" is not a UUID") }
    return key
  }
}

/// Parses an amount written by a person.
enum AmountArgument {
  static let help = "a number such as 8 or 2.5, with at most three digits after the point"

  static func amount(_ text: String?, _ option: String? = nil) throws -> Amount? {
    guard let text else { return nil }
    guard let amount = Amount(text) else {
      throw ValidationError("\(option.map { "\($0): " } ?? "")\"\(text)\" is not \(help)")
    }
    return amount
  }
}

/// Parses a schedule written by a person: `daily`, `mon,wed,fri`, `weekdays`, `weekends`, or `3/7` for three
/// times in seven days.
enum ScheduleArgument {
  static let help = "daily, weekdays, weekends, mon,wed,fri, or 3/7 (three times in seven days)."

  static func schedule(_ text: String) throws -> Schedule {
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    switch text.lowercased() {
    case "daily": return .daily
    case "weekdays": return try mask(0b001_1111)
    case "weekends": return try mask(0b110_0000)
    default: break
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let times = Int(parts[0]), let days = Int(parts[1]),
      let quota = Schedule.quota(times, in: days)
    {
      return quota
    }
    var bits = 0
    for name in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      guard let day = names.firstIndex(of: String(name)) else {
        throw ValidationError("\"\(text)\" is not a schedule; give \(help)")
      }
      bits |= 1 << day
    }
    return try mask(bits)
  }

  private static func mask(_ bits: Int) throws -> Schedule {
    guard let mask = WeekdayMask(bits: bits) else {
      throw ValidationError("a schedule needs a day; give \(help)")
    }
    return .weekdays(mask)
  }
}

/// A text as a JSON string.
func quoted(_ text: String) -> String { JSON.string(text).encoded }

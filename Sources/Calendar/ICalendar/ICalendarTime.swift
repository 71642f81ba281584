extension ICalendar {
  /// When something is: a date, or wall-clock time that is floating or in a time zone (RFC 5545, 3.3.4 and 3.3.5).
  public enum Time: Hashable, Sendable {
    /// A whole day, wherever one is.
    case date(Day)
    /// A time on the wall clock, wherever one is.
    case floating(LocalDateTime)
    /// A time on the wall clock of a time zone; "UTC" for one that ends with `Z`.
    case zoned(LocalDateTime, zone: String)
  }
}

extension ICalendar.Time {
  /// The time that the wall clock shows; midnight for a date.
  public var local: LocalDateTime {
    switch self {
    case .date(let day): LocalDateTime(day: day)
    case .floating(let local), .zoned(let local, _): local
    }
  }

  /// The zone, if it is in one.
  public var zone: String? {
    if case .zoned(_, let zone) = self { zone } else { nil }
  }

  /// Whether it is a date.
  public var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The same kind of time at another time of the wall clock.
  func at(_ local: LocalDateTime) -> ICalendar.Time {
    switch self {
    case .date: .date(local.day)
    case .floating: .floating(local)
    case .zoned(_, let zone): .zoned(local, zone: zone)
    }
  }

  /// What it shows beside a DTSTART that is a date, where RFC 5545 wants a date, and programs write its midnight.
  ///
  /// Outlook writes the midnight of a zone as an instant of UTC; so such an instant is read on the clock of `zone`.
  /// Other programs write days as they are in UTC, from `T000000Z` to `T235959Z`; so these ends of a day stay on it.
  func localBesideDate(seenFrom zone: String, zones: any TimeZones) -> LocalDateTime {
    let isEndOfDay = local.second == 0 || local.second >= 86_340
    guard self.zone == "UTC", !isEndOfDay else { return local }
    return zones.local(at: instant(seenFrom: zone, zones: zones), in: zone)
  }

  /// The instant, where dates and floating times are those of `zone`. A zone that nobody knows counts as UTC.
  public func instant(seenFrom zone: String, zones: any TimeZones) -> Instant {
    zones.instant(of: local, in: self.zone ?? zone)
  }
}

extension ICalendar.Time {
  /// Reads a DATE or a DATE-TIME: `20260301`, `20260301T120000` or `20260301T120000Z`.
  ///
  /// The second 60 is the second 59 (RFC 5545, 3.3.12).
  ///
  /// - Parameters:
  ///   - text: What is read.
  ///   - zone: The zone of a time that does not end with `Z`, `nil` for a floating one.
  init?(_ text: some StringProtocol, zone: String?) {
    var digits = String(text)
    let isUTC = digits.utf8.count == 16 && digits.hasSuffix("Z")
    if isUTC { digits.removeLast() }
    let isDate = digits.utf8.count == 8
    guard isDate || digits.utf8.count == 15, !digits.contains("-"), !digits.contains("t"),
      let local = LocalDateTime(digits)
    else { return nil }
    if isDate {
      self = .date(local.day)
    } else if isUTC {
      self = .zoned(local, zone: "UTC")
    } else if let zone {
      self = .zoned(local, zone: zone)
    } else {
      self = .floating(local)
    }
  }

  /// As iCalendar text writes it, without its zone but for the `Z` of UTC.
  package var text: String {
    isDate ? local.day.iCalendar : local.iCalendar + (zone == "UTC" ? "Z" : "")
  }
}

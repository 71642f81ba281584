extension ICalendar {
  /// A date, or a wall-clock time that is floating or in a time zone (RFC 5545, 3.3.4 and 3.3.5).
  public enum Time: Hashable, Sendable {
    /// A whole day, in the reader's zone.
    case date(Day)
    /// A wall-clock time, in the reader's zone.
    case floating(LocalDateTime)
    /// A wall-clock time in a time zone; the zone is "UTC" for a time that ends with `Z`.
    case zoned(LocalDateTime, zone: String)
  }
}

extension ICalendar.Time {
  /// The wall-clock time; midnight for a date.
  public var local: LocalDateTime {
    switch self {
    case .date(let day): LocalDateTime(day: day)
    case .floating(let local), .zoned(let local, _): local
    }
  }

  /// The zone, if the time has one.
  public var zone: String? {
    if case .zoned(_, let zone) = self { zone } else { nil }
  }

  /// Whether it is a date.
  public var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The same kind of value with another wall-clock time.
  func at(_ local: LocalDateTime) -> ICalendar.Time {
    switch self {
    case .date: .date(local.day)
    case .floating: .floating(local)
    case .zoned(_, let zone): .zoned(local, zone: zone)
    }
  }

  /// The local time whose date counts, for a value that must be a date because DTSTART is one (RFC 5545).
  /// Some programs write the midnight of that date instead.
  ///
  /// Outlook writes the midnight of a zone as a UTC instant, so such an instant is converted to `zone`. Other
  /// programs write days in UTC, from `T000000Z` to `T235959Z`, so instants at these ends of a UTC day keep
  /// their date.
  func localBesideDate(seenFrom zone: String, zones: any TimeZones) -> LocalDateTime {
    let isEndOfDay = local.second == 0 || local.second >= 86_340
    guard self.zone == "UTC", !isEndOfDay else { return local }
    return zones.local(at: instant(seenFrom: zone, zones: zones), in: zone)
  }

  /// The instant, with dates and floating times interpreted in `zone`. An unknown zone counts as UTC.
  public func instant(seenFrom zone: String, zones: any TimeZones) -> Instant {
    zones.instant(of: local, in: self.zone ?? zone)
  }
}

extension ICalendar.Time {
  /// Reads a DATE or a DATE-TIME: `20260301`, `20260301T120000` or `20260301T120000Z`.
  ///
  /// A second of 60 is read as 59 (RFC 5545, 3.3.12).
  ///
  /// - Parameters:
  ///   - text: The text to read.
  ///   - zone: The zone of a time that does not end with `Z`, or `nil` for a floating one.
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

  /// The time in iCalendar form, without its zone, except for the `Z` of UTC.
  package var text: String {
    isDate ? local.day.iCalendar : local.iCalendar + (zone == "UTC" ? "Z" : "")
  }
}

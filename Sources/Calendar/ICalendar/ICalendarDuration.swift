extension ICalendar {
  /// A duration (RFC 5545, 3.3.6): whole calendar days, then exact seconds.
  public struct Duration: Hashable, Sendable {
    /// Whole days: one day later is the same wall-clock time, even across a clock change.
    public var days: Int
    /// Exact seconds of elapsed time.
    public var seconds: Int

    public init(days: Int = 0, seconds: Int = 0) {
      self.days = days
      self.seconds = seconds
    }
  }
}

extension ICalendar.Duration {
  /// Reads `P1W`, `P3D`, `PT1H30M`, `P1DT2H`, with or without a sign.
  init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    self.init()
    var units = "WD"[...]
    while !rest.isEmpty {
      if rest.first == UInt8(ascii: "T") {
        guard units.first == "W" || units.first == "D" || units.isEmpty else { return nil }
        rest.removeFirst()
        units = "HMS"
      }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[digits.endIndex...]
      guard let number = Self.number(digits), let byte = rest.popFirst(),
        let unit = units.firstIndex(of: Character(Unicode.Scalar(byte)))
      else { return nil }
      switch units[unit] {
      case "W": days += number * 7
      case "D": days += number
      case "H": seconds += number * 3600
      case "M": seconds += number * 60
      default: seconds += number
      }
      units = units[units.index(after: unit)...]
    }
    if isNegative { (days, seconds) = (-days, -seconds) }
  }

  /// The number in a few digits; `nil` when there are none or too many.
  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 9 else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The duration in iCalendar form: `P3D`, `PT1H30M`, `P1DT2H`, `PT0S`.
  package var text: String {
    guard days != 0 || seconds != 0 else { return "PT0S" }
    let (days, seconds) = (abs(days), abs(seconds))
    var text = self.days < 0 || self.seconds < 0 ? "-P" : "P"
    if days > 0 { text += "\(days)D" }
    if seconds > 0 {
      text += "T"
      // Hours and seconds require minutes between them (RFC 5545, 3.3.6, dur-hour).
      let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
      if hours > 0 { text += "\(hours)H" }
      if minutes > 0 || (hours > 0 && seconds % 60 > 0) { text += "\(minutes)M" }
      if seconds % 60 > 0 { text += "\(seconds % 60)S" }
    }
    return text
  }
}

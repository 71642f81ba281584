import Daybook

/// The repetition of a Taskwarrior task: `weekly`, `3d`, `2 weeks`, `P1M`.
///
///     recur = unit | number unit | "P" number ("D" | "W" | "M" | "Y")
///
/// The units and their lengths are those of Taskwarrior's own table (libshared, `Duration.cpp`): a
/// `sennight` is 14 days there. Hours, minutes and seconds are too short for a task to repeat, and
/// are not understood.
enum TaskwarriorDuration {
  /// The RFC 5545 rule of a `recur`; `nil` when it is not understood.
  static func rule(_ text: String) -> String? {
    let text = text.lowercased()
    if text == "weekdays" { return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" }
    let isDesignated = text.hasPrefix("p")
    let body = isDesignated ? text.dropFirst() : text[...]
    let digits = body.prefix { $0.isNumber && $0.isASCII }
    let isAlone = digits.isEmpty && !isDesignated
    guard let count = isAlone ? 1 : Int(digits), (1...999).contains(count) else { return nil }
    let name = String(body.dropFirst(digits.count)).trimmingSpace
    let unit = units.first { unit in
      unit.alone.contains(name) || !isAlone && unit.counted.contains(name)
    }
    guard let unit else { return nil }
    let interval = count * unit.factor
    return "FREQ=\(unit.frequency)" + (interval == 1 ? "" : ";INTERVAL=\(interval)")
  }

  /// A unit of time as a number of steps of a frequency.
  private struct Unit {
    var frequency: String
    var factor: Int
    /// Names that need no number.
    var alone: [String]
    /// Names that must follow a number.
    var counted: [String] = []
  }

  private static let units = [
    Unit(frequency: "DAILY", factor: 1, alone: ["daily", "day"], counted: ["days", "d"]),
    Unit(
      frequency: "WEEKLY", factor: 1, alone: ["weekly", "week", "wk"],
      counted: ["weeks", "wks", "w"]),
    Unit(frequency: "WEEKLY", factor: 2, alone: ["biweekly", "fortnight", "sennight"]),
    Unit(
      frequency: "MONTHLY", factor: 1, alone: ["monthly", "month", "mth", "mo"],
      counted: ["months", "mnths", "mths", "mos", "m"]),
    Unit(frequency: "MONTHLY", factor: 2, alone: ["bimonthly"]),
    Unit(
      frequency: "MONTHLY", factor: 3, alone: ["quarterly", "quarter", "qrtr", "qtr"],
      counted: ["quarters", "qrtrs", "qtrs", "q"]),
    Unit(frequency: "MONTHLY", factor: 6, alone: ["semiannual"]),
    Unit(
      frequency: "YEARLY", factor: 1, alone: ["yearly", "annual", "year", "yr"],
      counted: ["years", "yrs", "y"]),
    Unit(frequency: "YEARLY", factor: 2, alone: ["biannual", "biyearly"]),
  ]
}

extension RuleReading {
  /// Checks the combinations of parts that RFC 5545 forbids.
  mutating func checkTogether(_ rule: inout RecurrenceRule) throws(RecurrenceError) {
    if rule.count != nil, rule.until != nil {
      try note(
        RecurrenceError(
          .contradiction, text(.until), "a rule ends by COUNT or by UNTIL, not by both"))
    }
    let frequency = rule.frequency
    if !rule.weekNumbers.isEmpty, frequency != .yearly {
      try note(RecurrenceError(.wrongFrequency, text(.byWeekNumber), "it needs FREQ=YEARLY"))
    }
    if !rule.yearDays.isEmpty, [.daily, .weekly, .monthly].contains(frequency) {
      try note(
        RecurrenceError(.wrongFrequency, text(.byYearDay), "it cannot stand with FREQ=\(frequency)")
      )
    }
    if !rule.monthDays.isEmpty, frequency == .weekly {
      try note(
        RecurrenceError(.wrongFrequency, text(.byMonthDay), "it cannot stand with FREQ=WEEKLY"))
    }
    if rule.weekdays.contains(where: { $0.ordinal != 0 }) {
      if frequency < .monthly {
        try note(
          RecurrenceError(
            .wrongFrequency, text(.byDay), "counted weekdays need FREQ=MONTHLY or FREQ=YEARLY")
        )
        rule.countNoWeekdays()
      } else if !rule.weekNumbers.isEmpty {
        try note(
          RecurrenceError(
            .contradiction, text(.byDay), "counted weekdays cannot stand with BYWEEKNO"))
        rule.countNoWeekdays()
      }
    }
    if !rule.positions.isEmpty, !rule.hasParts {
      try note(
        RecurrenceError(
          .incomplete, text(.bySetPosition),
          "it needs another BY part, from whose days or times it selects"
        ))
    }
  }

  private func text(_ name: Part) -> Substring {
    parts.first { $0.name == name }?.text ?? ""
  }
}

extension RecurrenceRule {
  fileprivate mutating func countNoWeekdays() {
    weekdays = Set(weekdays.map { WeekdayNumber(ordinal: 0, weekday: $0.weekday) }).sorted()
  }

  /// Whether the rule has any BY part except BYSETPOS.
  fileprivate var hasParts: Bool {
    !weekdays.isEmpty
      || [months, weekNumbers, yearDays, monthDays, hours, minutes, seconds].contains {
        !$0.isEmpty
      }
  }
}

/// A recurrence: a start, rules, additional dates, and exceptions.
///
/// This is the recurrence set of RFC 5545 (3.8.5): DTSTART, RRULE, RDATE and EXDATE. It is expressed in
/// wall-clock times; a ``WallClock`` converts them to instants.
package struct Recurrence: Hashable, Sendable {
  /// DTSTART: nothing occurs earlier, except on `dates`.
  package let start: LocalDateTime
  /// RRULE; usually one.
  package let rules: [RecurrenceRule]
  /// RDATE: occurrences in addition to those of the rules.
  package let dates: [LocalDateTime]
  /// EXDATE: excluded occurrences.
  package let exceptions: [LocalDateTime]

  /// Makes a recurrence.
  ///
  /// A start that no rule produces is not an occurrence and does not count towards COUNT; without rules it is
  /// one. Add it to `dates` to include it anyway.
  package init(
    start: LocalDateTime, rules: [RecurrenceRule], dates: [LocalDateTime] = [],
    exceptions: [LocalDateTime] = []
  ) {
    self.start = start
    self.rules = rules
    self.dates = dates
    self.exceptions = exceptions
  }

  /// The occurrences from a time on, ascending and without duplicates, computed lazily up to the end of the
  /// year 9999.
  ///
  /// - Parameters:
  ///   - from: The earliest occurrence to return. Periods before it are skipped, unless COUNT requires
  ///     counting them.
  ///   - clock: The clock of the start, with which an UNTIL in UTC is compared; without it, UTC.
  /// - Returns: A sequence that can be iterated repeatedly.
  package func occurrences(
    from: LocalDateTime? = nil, clock: WallClock? = nil
  ) -> Occurrences {
    Occurrences(self, from: from, clock: clock, maximumStepCount: nil)
  }

  /// The same as ``occurrences(from:clock:)``, for a rule that may be foreign: the sequence ends after a
  /// number of steps, and is then marked as cut off.
  func occurrences(from: LocalDateTime? = nil, maximumStepCount: Int) -> Occurrences {
    Occurrences(self, from: from, clock: nil, maximumStepCount: maximumStepCount)
  }

  /// The first occurrence after a time, if there is one.
  package func first(after time: LocalDateTime, clock: WallClock? = nil) -> LocalDateTime? {
    guard time < LocalDateTime(unchecked: .last, 86_399) else { return nil }
    let from = LocalDateTime(clampingSecondsSince1970: time.secondsSince1970 + 1)
    return occurrences(from: from, clock: clock).first { _ in true }
  }

  /// The occurrences of a ``Recurrence``, ascending and without duplicates.
  package struct Occurrences: Sequence, IteratorProtocol {
    /// The rules that continue; `heads` has the next occurrence of each.
    private var rules: [RuleOccurrences] = []
    private var heads: [LocalDateTime] = []
    private let dates: [LocalDateTime]
    private var nextDate = 0
    private let exceptions: Set<LocalDateTime>
    /// The steps of rules that have ended, and of additional dates.
    private var otherSteps = 0
    /// Whether the sequence, or one of its rules, ended because the steps ran out.
    private(set) var isCutOff = false

    init(_ recurrence: Recurrence, from: LocalDateTime?, clock: WallClock?, maximumStepCount: Int?)
    {
      let start = recurrence.start
      var dates = Set(recurrence.dates)
      if recurrence.rules.isEmpty { dates.insert(start) }
      self.dates = dates.filter { $0 >= from ?? $0 }.sorted()
      exceptions = Set(recurrence.exceptions)
      for rule in recurrence.rules {
        let rest = RuleOccurrences(
          rule, start: start, from: from, clock: clock,
          maximumStepCount: maximumStepCount.map { Swift.max(0, $0 - steps) })
        add(rest)
      }
    }

    /// The number of months, weeks, days or times examined so far, by all rules.
    var steps: Int { rules.reduce(otherSteps) { $0 + $1.steps } }

    /// The next occurrence.
    package mutating func next() -> LocalDateTime? {
      while let found = least() {
        emit(found)
        if !exceptions.contains(found) { return found }
      }
      return nil
    }

    /// The next occurrence, without consuming it.
    mutating func upcoming() -> LocalDateTime? {
      while let found = least() {
        if !exceptions.contains(found) { return found }
        emit(found)
      }
      return nil
    }

    /// Skips ahead to a time: earlier occurrences are not returned, and the periods between are not examined.
    mutating func advance(to time: LocalDateTime) {
      while nextDate < dates.count, dates[nextDate] < time { nextDate += 1 }
      for index in heads.indices.reversed() where heads[index] < time {
        var rule = rules.remove(at: index)
        heads.remove(at: index)
        rule.advance(to: time)
        add(rule)
      }
    }

    private mutating func emit(_ found: LocalDateTime) {
      if nextDate < dates.count, dates[nextDate] == found {
        nextDate += 1
        otherSteps += 1
      }
      for index in heads.indices.reversed() where heads[index] == found {
        if let head = rules[index].next() {
          heads[index] = head
        } else {
          end(rules.remove(at: index))
          heads.remove(at: index)
        }
      }
    }

    /// Keeps a rule, unless it has ended.
    private mutating func add(_ rule: RuleOccurrences) {
      var rule = rule
      if let head = rule.next() {
        rules.append(rule)
        heads.append(head)
      } else {
        end(rule)
      }
    }

    private mutating func end(_ rule: RuleOccurrences) {
      otherSteps += rule.steps
      isCutOff = isCutOff || rule.isCutOff
    }

    private func least() -> LocalDateTime? {
      var least = nextDate < dates.count ? dates[nextDate] : nil
      for head in heads where least.map({ head < $0 }) ?? true { least = head }
      return least
    }
  }
}

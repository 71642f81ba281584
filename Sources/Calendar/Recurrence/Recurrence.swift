/// When something repeats: a start, the rules from there, days beside the rules, and days left out.
///
/// The recurrence set of RFC 5545 (3.8.5): DTSTART, RRULE, RDATE and EXDATE. It is told in times on the wall; a
/// ``WallClock`` makes instants of them.
package struct Recurrence: Hashable, Sendable {
  /// DTSTART: nothing occurs before it but what `dates` name.
  package let start: LocalDateTime
  /// RRULE; mostly one.
  package let rules: [RecurrenceRule]
  /// RDATE: occurrences beside those of the rules.
  package let dates: [LocalDateTime]
  /// EXDATE: what does not occur.
  package let exceptions: [LocalDateTime]

  /// Makes a recurrence.
  ///
  /// A start that no rule names is no occurrence (and counts for no COUNT); without any rule it is one. Put it
  /// among the `dates` to have it all the same.
  package init(
    start: LocalDateTime, rules: [RecurrenceRule], dates: [LocalDateTime] = [],
    exceptions: [LocalDateTime] = []
  ) {
    self.start = start
    self.rules = rules
    self.dates = dates
    self.exceptions = exceptions
  }

  /// The occurrences from a time on, ascending, each once; found one after another, to the end of the year 9999.
  ///
  /// - Parameters:
  ///   - from: The first that may be among them; periods before it are passed over unless COUNT has them counted.
  ///   - clock: The clock of the start, by which an UNTIL in UTC is compared; without one it is taken for UTC.
  /// - Returns: A sequence that can be gone through again.
  package func occurrences(
    from: LocalDateTime? = nil, clock: WallClock? = nil
  ) -> Occurrences {
    Occurrences(self, from: from, clock: clock, maximumStepCount: nil)
  }

  /// As ``occurrences(from:clock:)``, of a rule that may be a stranger's: they end where so much was looked at,
  /// and then are cut off.
  func occurrences(from: LocalDateTime? = nil, maximumStepCount: Int) -> Occurrences {
    Occurrences(self, from: from, clock: nil, maximumStepCount: maximumStepCount)
  }

  /// The first occurrence after a time, if there is one.
  package func first(after time: LocalDateTime, clock: WallClock? = nil) -> LocalDateTime? {
    guard time < LocalDateTime(unchecked: .last, 86_399) else { return nil }
    let from = LocalDateTime(clampingSecondsSince1970: time.secondsSince1970 + 1)
    return occurrences(from: from, clock: clock).first { _ in true }
  }

  /// The occurrences of a ``Recurrence``, ascending, each once.
  package struct Occurrences: Sequence, IteratorProtocol {
    /// The rules that go on, and the next occurrence of each.
    private var rules: [RuleOccurrences] = []
    private var heads: [LocalDateTime] = []
    private let dates: [LocalDateTime]
    private var nextDate = 0
    private let exceptions: Set<LocalDateTime>
    /// What was looked at by rules that are over, and of days beside the rules.
    private var otherSteps = 0
    /// Whether they ended, or a rule of them, because enough was looked at.
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

    /// How many months, weeks, days or times were looked at so far, by all rules.
    var steps: Int { rules.reduce(otherSteps) { $0 + $1.steps } }

    /// The next occurrence.
    package mutating func next() -> LocalDateTime? {
      while let found = least() {
        take(found)
        if !exceptions.contains(found) { return found }
      }
      return nil
    }

    /// The next occurrence, which stays the next one.
    mutating func upcoming() -> LocalDateTime? {
      while let found = least() {
        if !exceptions.contains(found) { return found }
        take(found)
      }
      return nil
    }

    /// Goes on to a time: what is before it does not come any more. Periods in between are passed over.
    mutating func advance(to time: LocalDateTime) {
      while nextDate < dates.count, dates[nextDate] < time { nextDate += 1 }
      for index in heads.indices.reversed() where heads[index] < time {
        var rule = rules.remove(at: index)
        heads.remove(at: index)
        rule.advance(to: time)
        add(rule)
      }
    }

    private mutating func take(_ found: LocalDateTime) {
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

    /// Lets a rule go on, unless it is over.
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

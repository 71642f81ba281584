/// When something repeats: a start, the rules from there, days beside the rules, and days left out.
///
/// The recurrence set of RFC 5545 (3.8.5): DTSTART, RRULE, RDATE and EXDATE. It is told in times on the wall; a
/// ``WallClock`` makes instants of them.
public struct Recurrence: Hashable, Sendable {
  /// DTSTART: nothing occurs before it but what `dates` name.
  public let start: LocalDateTime
  /// RRULE; mostly one.
  public let rules: [RecurrenceRule]
  /// RDATE: occurrences beside those of the rules.
  public let dates: [LocalDateTime]
  /// EXDATE: what does not occur.
  public let exceptions: [LocalDateTime]

  /// Makes a recurrence.
  ///
  /// A start that no rule names is no occurrence (and counts for no COUNT); without any rule it is one. Put it
  /// among the `dates` to have it all the same.
  public init(
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
  public func occurrences(
    from: LocalDateTime? = nil, clock: WallClock? = nil
  ) -> Occurrences {
    Occurrences(self, from: from, clock: clock)
  }

  /// The first occurrence after a time, if there is one.
  public func first(after time: LocalDateTime, clock: WallClock? = nil) -> LocalDateTime? {
    guard time < LocalDateTime(unchecked: .last, 86_399) else { return nil }
    let from = LocalDateTime(clampingSecondsSince1970: time.secondsSince1970 + 1)
    return occurrences(from: from, clock: clock).first { _ in true }
  }

  /// The occurrences of a ``Recurrence``, ascending, each once.
  public struct Occurrences: Sequence, IteratorProtocol {
    /// The rules that go on, and the next occurrence of each.
    private var rules: [RuleOccurrences] = []
    private var heads: [LocalDateTime] = []
    private var dates: ArraySlice<LocalDateTime>
    private let exceptions: Set<LocalDateTime>

    init(_ recurrence: Recurrence, from: LocalDateTime?, clock: WallClock?) {
      let start = recurrence.start
      var dates = Set(recurrence.dates)
      if recurrence.rules.isEmpty { dates.insert(start) }
      self.dates = dates.filter { $0 >= from ?? $0 }.sorted()[...]
      exceptions = Set(recurrence.exceptions)
      for rule in recurrence.rules {
        var rest = RuleOccurrences(rule, start: start, from: from, clock: clock)
        if let head = rest.next() {
          rules.append(rest)
          heads.append(head)
        }
      }
    }

    /// The next occurrence.
    public mutating func next() -> LocalDateTime? {
      while let found = least() {
        if dates.first == found { dates.removeFirst() }
        for index in heads.indices.reversed() where heads[index] == found {
          if let head = rules[index].next() {
            heads[index] = head
          } else {
            rules.remove(at: index)
            heads.remove(at: index)
          }
        }
        if !exceptions.contains(found) { return found }
      }
      return nil
    }

    private func least() -> LocalDateTime? {
      var least = dates.first
      for head in heads where least.map({ head < $0 }) ?? true { least = head }
      return least
    }
  }
}

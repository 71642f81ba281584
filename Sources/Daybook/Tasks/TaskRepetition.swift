public import Calendar
public import Avro

/// A task's repetition: an RFC 5545 rule, counted from the due time or from the completion (DM-5).
public struct TaskRepetition: Hashable, Sendable {
  /// The RRULE value, in its canonical form. Its COUNT is the number of remaining occurrences.
  public var rule: String
  /// The origin from which the next occurrence is computed.
  public var origin: Origin
  /// The day of the first occurrence, by the owner's wall clock; none while the task has no due time.
  public var startDay: Day?
  /// The second of that day at which it begins.
  public var startSecond: Int32

  /// The origin from which the next occurrence is computed.
  public enum Origin: String, AvroEnumeration {
    /// The due time: the calendar decides, whenever the task is done.
    case due
    /// The completion.
    case completion

    public static var enumerationName: String { "RepetitionOrigin" }
  }

  init(rule: String, origin: Origin, start: LocalDateTime?) {
    self.rule = rule
    self.origin = origin
    startDay = start?.day
    startSecond = start?.second ?? 0
  }

  /// The first occurrence, by the owner's wall clock.
  public var start: LocalDateTime? {
    startDay.flatMap { LocalDateTime(day: $0, second: Int(startSecond)) }
  }
}

extension TaskRepetition: AvroRecord {
  public static var recordName: String { "TaskRepetition" }
  public static var placeholder: TaskRepetition {
    TaskRepetition(rule: "", origin: .due, start: nil)
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit(
      "rule", &rule, [.doc("an RRULE value of RFC 5545; its COUNT is what is left")])
    try visitor.visit("origin", &origin)
    try visitor.visit(
      "start_day", &startDay, [.doc("the first occurrence, by the owner's wall clock")])
    try visitor.visit("start_second", &startSecond, [.doc("seconds since the day's midnight")])
  }
}

/// A task's repetition rule, evaluated by the owner's clocks at an instant.
struct TaskRecurrence {
  let rule: RecurrenceRule
  let origin: TaskRepetition.Origin
  let wall: WallClock

  /// Reads a rule.
  ///
  /// - Throws: ``RecurrenceError`` that names the offending part; also when the rule repeats within a day.
  init(
    _ text: String, _ origin: TaskRepetition.Origin, _ clock: DayClock, _ zones: any TimeZones
  ) throws(RecurrenceError) {
    rule = try RecurrenceRule(parsing: text)
    try rule.requireDays()
    self.origin = origin
    wall = WallClock(timeZone: clock.timeZone, zones: zones)
  }

  /// The repetition of a task with a due time, continuing the task's former series where that has the same rule.
  func repetition(due: Instant?, after former: TaskRepetition?) -> TaskRepetition {
    let local = due.flatMap { wall.local(of: $0) }
    var repetition = TaskRepetition(rule: rule.description, origin: origin, start: local)
    // A task stays in its series when it moves along it, as an offline device may move it.
    if let due, let former, isSame(as: former.rule), let start = former.start,
      start == local || isOccurrence(due, since: start)
    {
      (repetition.startDay, repetition.startSecond) = (start.day, start.second)
    }
    return repetition
  }

  /// The next occurrence after a due time that has not passed at an instant.
  ///
  /// - Parameters:
  ///   - due: The current due time; without one there is no next.
  ///   - repetition: The series.
  ///   - now: Slots up to this instant are skipped.
  ///   - day: The user-local day on which it was done.
  ///   - isDone: Whether a slot is done; such slots are skipped, too.
  /// - Returns: The next occurrence, or `nil` when the series has ended.
  func next(
    after due: Instant, _ repetition: TaskRepetition, now: Instant, doneOn day: Day,
    skipping isDone: (Instant) -> Bool
  ) -> Instant? {
    guard let local = wall.local(of: due) else { return nil }
    switch origin {
    case .due:
      return first(
        after: max(now, due), since: repetition.start ?? local, where: { !isDone($0) })
    case .completion:
      guard let start = LocalDateTime(day: day, second: Int(local.second)) else { return nil }
      let first = self.first(afterStart: start)
      guard let first, first > now else { return self.first(after: now, since: start) }
      return first
    }
  }

  /// Whether a repeating task without a due time continues after an instant: until UNTIL has passed.
  func continues(after instant: Instant) -> Bool {
    guard rule.until != nil, let local = wall.local(of: instant) else { return true }
    return first(after: instant, since: local) != nil
  }

  private var endless: RecurrenceRule {
    var rule = rule
    rule.count = nil
    return rule
  }

  /// Whether another rule is the same apart from the number of remaining occurrences.
  private func isSame(as other: String) -> Bool {
    guard var other = try? RecurrenceRule(parsing: other) else { return false }
    other.count = nil
    return other == endless
  }

  /// Whether the series with this start has an occurrence at an instant, to the second. The start is always an
  /// occurrence, even if the rule does not match it. Instants are compared: a local time that the clocks skip still has
  /// its occurrence, an hour later than the rule says.
  func isOccurrence(_ instant: Instant, since start: LocalDateTime) -> Bool {
    let second = Instant(clamping: DayClock.floorDivide(instant.milliseconds, 1000) * 1000)
    if wall.local(of: second) == start { return true }
    return first(after: second.advanced(byMilliseconds: -1), since: start) == second
  }

  /// Whether two instants may be occurrences of one series that started with the earlier.
  func areOfOneSeries(_ one: Instant, _ other: Instant) -> Bool {
    let (first, last) = (min(one, other), max(one, other))
    guard let start = wall.local(of: first), let end = wall.local(of: last) else { return false }
    if isOccurrence(last, since: start) { return true }
    // The clocks may have skipped the local time of the first: then the last one shows the time of day of the series.
    let said = LocalDateTime(unchecked: start.day, end.second)
    return wall.instant(of: said) == first && isOccurrence(last, since: said)
  }

  private func first(afterStart start: LocalDateTime) -> Instant? {
    Recurrence(start: start, rules: [endless]).first(after: start, clock: wall).flatMap {
      wall.instant(of: $0)
    }
  }

  /// The longest span that clocks ever skipped at once, in milliseconds: a day, on islands that changed to the other
  /// side of the date line. No zone changes its clocks twice in so short a time.
  private static let longestSkip: Int64 = 86_400_000

  /// The first wanted occurrence after an instant. An occurrence in a span that the clocks skip is due later by that
  /// span, so occurrences that much earlier are examined, too.
  private func first(
    after instant: Instant, since start: LocalDateTime,
    where isWanted: (Instant) -> Bool = { _ in true }
  ) -> Instant? {
    let before = instant.advanced(byMilliseconds: -Self.longestSkip)
    guard let local = wall.local(of: instant), let past = wall.local(of: before) else { return nil }
    let skipped = local.secondsSince1970 - past.secondsSince1970 - Int(Self.longestSkip / 1000)
    let from = LocalDateTime(
      clampingSecondsSince1970: local.secondsSince1970 + 1 - max(0, skipped))
    var passed = instant
    for next in Recurrence(start: start, rules: [endless]).occurrences(from: from, clock: wall) {
      guard let found = wall.instant(of: next) else { return nil }
      guard found > passed else { continue }
      if isWanted(found) { return found }
      passed = found
    }
    return nil
  }

  /// The repetition after one more occurrence was done; `nil` after the last that COUNT allows.
  func counted(_ repetition: TaskRepetition) -> TaskRepetition? {
    guard let count = rule.count else { return repetition }
    guard count > 1 else { return nil }
    var (rule, repetition) = (rule, repetition)
    rule.count = count - 1
    repetition.rule = rule.description
    return repetition
  }
}

public import Calendar
public import Avro

/// How a task repeats: by an RFC 5545 rule, from what was due or from when it was done (DM-5).
public struct TaskRepetition: Hashable, Sendable {
  /// The RRULE value, in its canonical form. Its COUNT is what is left.
  public var rule: String
  /// From where the next occurrence is told.
  public var origin: Origin
  /// The day of the first occurrence, by the owner's wall clock; none while nothing is due.
  public var startDay: Day?
  /// The second of that day.
  public var startSecond: Int32

  /// From where the next occurrence is told.
  public enum Origin: String, AvroEnumeration {
    /// From what was due: by the calendar, whenever it is done.
    case due
    /// From when it was done.
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

/// What a rule says of a task, decided: by the owner's clocks, at an instant.
struct TaskRecurrence {
  let rule: RecurrenceRule
  let origin: TaskRepetition.Origin
  let wall: WallClock

  /// Reads a rule.
  ///
  /// - Throws: ``RecurrenceError`` that names the part that offends, also when it repeats within a day.
  init(
    _ text: String, _ origin: TaskRepetition.Origin, _ clock: DayClock, _ zones: any TimeZones
  ) throws(RecurrenceError) {
    rule = try RecurrenceRule(parsing: text)
    try rule.requireDays()
    self.origin = origin
    wall = WallClock(timeZone: clock.timeZone, zones: zones)
  }

  /// The repetition of a task that is due at an instant, by the series that it was in, if that goes on so.
  func repetition(due: Instant?, after former: TaskRepetition?) -> TaskRepetition {
    let local = due.flatMap { wall.local(of: $0) }
    var repetition = TaskRepetition(rule: rule.description, origin: origin, start: local)
    // Moved along its own series, as a device does that was offline, a task stays in it.
    if let due, let former, isSame(as: former.rule), let start = former.start,
      start == local || isOccurrence(due, since: start)
    {
      (repetition.startDay, repetition.startSecond) = (start.day, start.second)
    }
    return repetition
  }

  /// The next occurrence after what was due, which has not passed at an instant.
  ///
  /// - Parameters:
  ///   - due: What was due; when nothing was, nothing will be.
  ///   - repetition: The series.
  ///   - now: Slots until then are skipped.
  ///   - day: The user-local day on which it was done.
  ///   - isDone: Slots that are skipped, too.
  /// - Returns: The next one, or `nil` when the series is over.
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

  /// Whether a task that is never due is to be done again after an instant: until UNTIL has passed.
  func goesOn(after instant: Instant) -> Bool {
    guard rule.until != nil, let local = wall.local(of: instant) else { return true }
    return first(after: instant, since: local) != nil
  }

  private var endless: RecurrenceRule {
    var rule = rule
    rule.count = nil
    return rule
  }

  /// Whether another rule is this one, however many occurrences either leaves.
  private func isSame(as other: String) -> Bool {
    guard var other = try? RecurrenceRule(parsing: other) else { return false }
    other.count = nil
    return other == endless
  }

  /// Whether the series that starts then has an occurrence at an instant, to the second: its start is one, also
  /// where the rule does not name it. Instants are compared: what the clocks skip is an occurrence all the same, an
  /// hour later than the rule says.
  func isOccurrence(_ instant: Instant, since start: LocalDateTime) -> Bool {
    let second = Instant(clamping: DayClock.floorDivide(instant.milliseconds, 1000) * 1000)
    if wall.local(of: second) == start { return true }
    return first(after: second.advanced(byMilliseconds: -1), since: start) == second
  }

  /// Whether two instants are occurrences of one series, which may have started with the earlier.
  func areOfOneSeries(_ one: Instant, _ other: Instant) -> Bool {
    let (first, last) = (min(one, other), max(one, other))
    guard let start = wall.local(of: first), let end = wall.local(of: last) else { return false }
    if isOccurrence(last, since: start) { return true }
    // The clocks may have skipped the first: then the last tells at what time of the day the series is.
    let said = LocalDateTime(unchecked: start.day, end.second)
    return wall.instant(of: said) == first && isOccurrence(last, since: said)
  }

  private func first(afterStart start: LocalDateTime) -> Instant? {
    Recurrence(start: start, rules: [endless]).first(after: start, clock: wall).flatMap {
      wall.instant(of: $0)
    }
  }

  /// The longest that clocks ever skipped at once is a day, in milliseconds: as islands did that changed the side of
  /// the date line. No zone changes its clocks twice in so short a time.
  private static let longestSkip: Int64 = 86_400_000

  /// The first occurrence after an instant that is wanted. What the clocks skip is due as much later as they skip, so
  /// those of as long before are looked at, too.
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

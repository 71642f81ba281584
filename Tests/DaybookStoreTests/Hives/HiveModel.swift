import Foundation

/// A hive by the wording of the rulings alone, as slow and plain as possible: it goes through time in quarters of an
/// hour, checks for each day whether it is over for all members required on it, and records the result. It uses no
/// code of the package: a day is a number, and an instant is milliseconds.
struct HiveModel {
  struct Person {
    var zone: TimeZone
    var start: Int
    /// The latest local date that the member has reached: a day that was over stays over.
    var latest = Int.min
    /// Whether logging the member's habit logs the hive.
    var isLinked = false
    /// The zones that the member left, each with the moment of leaving.
    var left: [(zone: TimeZone, at: Int)] = []

    init(zone: TimeZone, start: Int) {
      self.zone = zone
      self.start = start
    }

    /// Whether the member never had a date: their zone's calendar went from the date before to the date after it. The
    /// zone that they were in when the date was first over anywhere counts, which is where clocks are 14 hours ahead.
    func lacks(_ date: Int) -> Bool {
      let end = HiveModel.firstEnd(of: date)
      let zone = left.first { end <= $0.at }?.zone ?? self.zone
      // Noon of the date is one of two instants: by the offset before the date, or by the one after it.
      let noon = date * 86_400_000 + 43_200_000
      let offsets = [noon - 86_400_000, noon + 86_400_000].map { Self.offset(zone, $0) }
      return offsets.allSatisfy { offset in
        let instant = noon - offset
        return (instant + Self.offset(zone, instant)) / 86_400_000 != date
      }
    }

    private static func offset(_ zone: TimeZone, _ instant: Int) -> Int {
      1000 * zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1000))
    }
  }

  /// One period of membership.
  struct Stay {
    /// The local date of joining.
    var joined: Int
    /// The days that were closed when it ended, if it did.
    var closedThen: Set<Int>?
  }

  struct Invite {
    var expires: Int
    var maximumUseCount: Int
    var useCount = 0
    var isRevoked = false
  }

  /// A closed day: the members required and done by then, and those who never had it.
  struct Closed: Equatable {
    var required: Int
    var complete: Int
    var lacking = 0
  }

  /// The reported figures of a day.
  struct Told: Equatable, CustomStringConvertible {
    var verdict: String
    var complete: Int
    var required: Int
    var description: String { "\(verdict) \(complete)/\(required)" }
  }

  var people: [Person] = []
  var owner = 0
  let createdOn: Int
  let weekdays: Set<Int>
  let threshold: Int?
  let target: Int
  private(set) var stays: [[Stay]]
  private(set) var invites: [Invite] = []
  private(set) var logs: [[Int: Int]]
  private(set) var lateLogs: [[Int: Int]]
  private(set) var closed: [Int: Closed] = [:]
  private(set) var advanced: Set<Int> = []
  private(set) var now: Int

  static let quarter = 900_000

  init(people: [Person], weekdays: Set<Int>, threshold: Int?, target: Int, now: Int) {
    self.people = people
    self.weekdays = weekdays
    self.threshold = threshold
    self.target = target
    self.now = now
    stays = people.map { _ in [] }
    logs = people.map { _ in [:] }
    lateLogs = people.map { _ in [:] }
    createdOn = Self.date(people[0], now)
    stays[0] = [Stay(joined: createdOn)]
    look(now)
  }

  // MARK: Time

  /// The local date, less the hour at which the day starts (R1).
  static func date(_ person: Person, _ instant: Int) -> Int {
    let offset = person.zone.secondsFromGMT(
      for: Date(timeIntervalSince1970: Double(instant) / 1000))
    let seconds = Double(instant) / 1000 + Double(offset - person.start * 3600)
    return Int((seconds / 86_400).rounded(.down))
  }

  func today(_ person: Int) -> Int { Self.date(people[person], now) }

  /// Advances the time. All zones change their clocks and start their days at quarters of an hour.
  mutating func walk(to instant: Int) {
    var next = (now / Self.quarter + 1) * Self.quarter
    while next < instant {
      look(next)
      next += Self.quarter
    }
    now = max(now, instant)
    look(now)
  }

  private mutating func look(_ instant: Int) {
    var isNew = false
    for person in people.indices {
      let date = Self.date(people[person], instant)
      guard date > people[person].latest else { continue }
      people[person].latest = date
      isNew = true
    }
    // A date may also be first over anywhere.
    if isNew || instant % 86_400_000 == 36_000_000 { close(at: max(instant, now)) }
  }

  /// The moment at which a date is first over anywhere on Earth.
  static func firstEnd(of date: Int) -> Int { (date + 1) * 86_400_000 - 14 * 3_600_000 }

  /// R4: a day closes when it is over for all members required on it, and stays closed. R5: days are settled in their
  /// order. A day that nobody in the hive had is over as soon as it is over anywhere.
  private mutating func close(at instant: Int) {
    let last = people.map(\.latest).max() ?? createdOn
    guard createdOn <= last else { return }
    for day in createdOn...last where closed[day] == nil {
      let required = requiredNow(on: day)
      guard required.allSatisfy({ people[$0].latest > day }), instant >= Self.firstEnd(of: day)
      else { break }
      closed[day] = Closed(
        required: required.count, complete: required.count { isDone($0, day) },
        lacking: membersNow(on: day).count - required.count)
    }
  }

  // MARK: Days

  func isMember(_ person: Int) -> Bool {
    stays[person].last.map { $0.closedThen == nil } ?? false
  }

  var memberCount: Int { people.indices.count { isMember($0) } }

  func isClosed(_ day: Int) -> Bool { day < createdOn || closed[day] != nil }

  func isDone(_ person: Int, _ day: Int) -> Bool { (logs[person][day] ?? -1) >= target }

  private func membersNow(on day: Int) -> [Int] {
    people.indices.filter { isMember($0) && (stays[$0].last?.joined ?? .max) <= day }
  }

  /// R3, while the day is open. Nobody is required on a day that they never had.
  private func requiredNow(on day: Int) -> [Int] {
    membersNow(on: day).filter { !people[$0].lacks(day) }
  }

  func needed(of required: Int) -> Int { min(threshold ?? required, required) }

  /// R5: what happens after each action, before the clock is checked again.
  private mutating func advance() {
    let last = people.map(\.latest).max() ?? createdOn
    guard createdOn <= last else { return }
    for day in createdOn...last where closed[day] == nil && isDue(day) {
      let required = requiredNow(on: day)
      let complete = required.count { isDone($0, day) }
      if required.count >= 2, complete >= needed(of: required.count) { advanced.insert(day) }
    }
  }

  /// 1970-01-01 was a Thursday; 0 is Monday.
  func isDue(_ day: Int) -> Bool { weekdays.contains(((day + 3) % 7 + 7) % 7) }

  func told(_ day: Int) -> Told {
    let required = requiredNow(on: day)
    let counts =
      day < createdOn
      ? Closed(required: 0, complete: 0)
      : closed[day]
        ?? Closed(required: required.count, complete: required.count { isDone($0, day) })
    let verdict =
      if advanced.contains(day) {
        "advanced"
      } else if day < createdOn {
        "before"
      } else if isClosed(day), counts.required == 0, counts.lacking > 0 {
        "left_out"
      } else if !isDue(day) {
        "off"
      } else if !isClosed(day) {
        "open"
      } else {
        counts.required < 2 ? "unshared" : "broken"
      }
    return Told(verdict: verdict, complete: counts.complete, required: counts.required)
  }

  /// The days that ended a streak, in order, each with that streak.
  var breaks: [[Int]] {
    var streak = 0
    var breaks: [[Int]] = []
    for day in closed.keys.sorted() {
      switch told(day).verdict {
      case "advanced": streak += 1
      case "broken":
        if streak > 0 { breaks.append([day, streak]) }
        streak = 0
      default: break
      }
    }
    return breaks
  }

  /// HH-20: the days that advanced since the last break.
  var streak: Int { streak(after: broken) }

  /// The days that advanced from the last break before a day on.
  func streak(of day: Int) -> Int { streak(after: broken.filter { $0 < day }) }

  private var broken: [Int] { closed.keys.filter { told($0).verdict == "broken" } }

  private func streak(after broken: [Int]) -> Int {
    let last = broken.max() ?? .min
    return advanced.count { $0 > last }
  }
}

// Actions; each returns the code of the refusal, if it is refused.
extension HiveModel {
  mutating func move(_ person: Int, _ zone: TimeZone, start: Int) {
    people[person].left.append((people[person].zone, now))
    people[person].zone = zone
    people[person].start = start
    // A clock alone decides which days it has reached: where clocks have just gone back, the day reached before that
    // counts, also for somebody who arrives there afterwards.
    for step in 0...96 { look(now - step * Self.quarter) }
    // The move may have taken a day from them on which the others are all done.
    advance()
    close(at: now)
  }

  mutating func invite(minutes: Int, maximumUseCount: Int) {
    invites.append(Invite(expires: now + minutes * 60_000, maximumUseCount: maximumUseCount))
  }

  mutating func revoke(_ invite: Int) { invites[invite].isRevoked = true }

  mutating func join(_ person: Int, _ invite: Int) -> String? {
    guard invites.indices.contains(invite), !invites[invite].isRevoked else {
      return "invalid_code"
    }
    if isMember(person) { return nil }
    if now > invites[invite].expires { return "invite_expired" }
    if invites[invite].useCount == invites[invite].maximumUseCount { return "invite_exhausted" }
    if memberCount == 10 { return "hive_full" }
    invites[invite].useCount += 1
    stays[person].append(Stay(joined: today(person)))
    advance()
    close(at: now)
    return nil
  }

  mutating func leave(_ person: Int) -> String? {
    guard isMember(person) else { return "not_member" }
    if person == owner { return "owner_must_hand_over" }
    goAway(person)
    return nil
  }

  mutating func remove(_ person: Int) -> String? {
    guard isMember(person) else { return "member_not_found" }
    if person == owner { return "owner_must_hand_over" }
    goAway(person)
    return nil
  }

  private mutating func goAway(_ person: Int) {
    stays[person][stays[person].count - 1].closedThen = Set(closed.keys)
    people[person].isLinked = false
    advance()
    close(at: now)
  }

  mutating func handOver(to person: Int) -> String? {
    guard isMember(person) else { return "member_not_found" }
    owner = person
    return nil
  }

  mutating func log(_ person: Int, _ day: Int, _ value: Int) -> String? {
    if let refusal = refusal(person, day) { return refusal }
    guard mayLog(person, day) else { return "before_joining" }
    record(person, day, value)
    return nil
  }

  mutating func clear(_ person: Int, _ day: Int) -> String? {
    if let refusal = refusal(person, day) { return refusal }
    if isClosed(day) { lateLogs[person][day] = nil } else { logs[person][day] = nil }
    return nil
  }

  /// The effect of logging a linked habit.
  mutating func logLinked(_ person: Int, _ day: Int, _ value: Int) {
    guard people[person].isLinked, mayLog(person, day) else { return }
    record(person, day, value)
  }

  mutating func clearLinked(_ person: Int, _ day: Int) {
    guard people[person].isLinked else { return }
    _ = clear(person, day)
  }

  mutating func link(_ person: Int, _ isLinked: Bool) -> String? {
    guard isMember(person) else { return "not_member" }
    people[person].isLinked = isLinked
    return nil
  }

  func refusalOfAdvance(_ person: Int, _ day: Int) -> String? {
    guard isMember(person) else { return "not_member" }
    let last = people.indices.filter { isMember($0) }.map { people[$0].latest }.max() ?? .min
    return day < createdOn || day > max(last, createdOn) ? "day_not_begun" : nil
  }

  /// Only members, and only a day that has begun for them.
  private func refusal(_ person: Int, _ day: Int) -> String? {
    guard isMember(person) else { return "not_member" }
    return day > people[person].latest ? "future_day" : nil
  }

  private func mayLog(_ person: Int, _ day: Int) -> Bool {
    stays[person].contains { stay in
      guard stay.joined <= day else { return false }
      return stay.closedThen.map { $0.contains(day) || day < createdOn } ?? true
    }
  }

  private mutating func record(_ person: Int, _ day: Int, _ value: Int) {
    let value = min(max(value, min(1000, target)), target)
    guard !isClosed(day) else {
      lateLogs[person][day] = value
      return
    }
    logs[person][day] = value
    advance()
  }
}

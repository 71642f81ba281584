import Daybook
import PropertyTesting
import Testing

/// A year of a hive by a script: five members from Kiritimati to Honolulu, one who leaves, one who joins late, a
/// vacation, four clock changes, an invite that is used up and one that expires. Each day's verdict must be both the
/// model's and the script's.
///
/// A pause excuses nobody in a hive: no ruling exempts a member on vacation (R3), so the days of a vacation break
/// unless they are logged.
@Suite(.tags(.law)) struct HiveYearTests {
  /// Kiritimati, Kathmandu, London, New York, Honolulu; and Lord Howe, who joins late.
  private static let zones = [1, 4, 0, 5, 2, 6]
  private enum Who { static let (london, newYork, honolulu, lordHowe) = (2, 3, 4, 5) }
  private static let (comes, vacation, leaves) = (100, 150..<160, 250)

  /// Who forgets which days: now and then one member, in turn.
  private static func forgets(_ person: Int, _ day: Int) -> Bool {
    if person == Who.london, vacation.contains(day) { return true }
    return (day * 7 + person * 13) % 61 == 0
  }

  private static func isMember(_ person: Int, _ day: Int) -> Bool {
    switch person {
    case Who.lordHowe: day >= comes
    case Who.newYork: day < leaves
    default: true
    }
  }

  @Test func `a year of five people in five zones (HH-16…HH-22, R1–R8)`() throws {
    let scenario = HiveScenario(
      beginning: 0, people: Self.zones.map { (zone: $0, start: 0) }, weekmask: 0, threshold: nil,
      target: 1000, steps: [])
    var stage = try HiveStage(scenario)
    try stage.play(HiveStep(wait: 0, action: .invite(minutes: 50_000, maximumUseCount: 4)))
    try stage.play(HiveStep(wait: 0, action: .invite(minutes: 60, maximumUseCount: 9)))
    for person in 1...4 { try stage.play(HiveStep(wait: 0, action: .join(person, invite: 0))) }
    try stage.play(HiveStep(wait: 0, action: .join(Who.lordHowe, invite: 0)))
    for day in 0..<365 { try play(day, &stage) }
    try stage.compare(all: true)

    #expect(stage.reached.refusals == ["invite_exhausted", "invite_expired"])
    #expect(stage.reached.lateLogs > 3)
    let (hive, open) = (try stage.found, try stage.firstOpen)
    #expect(hive.activeMembers.count == 5)
    for day in 1..<360 {
      let told = hive.day(hive.createdOn.advanced(by: day), firstOpen: open)
      let members = Self.zones.indices.filter { Self.isMember($0, day) }
      let wasForgotten = members.contains { Self.forgets($0, day) }
      // On the days of joining and leaving the zones differ in their members.
      guard ![Self.comes, Self.leaves].contains(where: { abs($0 - day) < 2 }) else { continue }
      #expect(told.verdict == (wasForgotten ? .broken : .advanced), "\(told.day)")
      #expect(told.requiredCount == members.count, "\(told.day)")
    }
    #expect(stage.recordedBreaks.count > 20)
    #expect(stage.reached.longest >= 8)
  }

  /// A day from eight in the morning UTC: all members who remember log their own day.
  private func play(_ day: Int, _ stage: inout HiveStage) throws {
    // Day 0 began at 09:10 UTC, and every later one 24 hours after.
    if day == 1 { try stage.play(HiveStep(wait: 0, action: .join(Who.lordHowe, invite: 1))) }
    if day == Self.comes {
      try stage.play(HiveStep(wait: 0, action: .invite(minutes: 600, maximumUseCount: 1)))
      try stage.play(HiveStep(wait: 1, action: .join(Who.lordHowe, invite: 2)))
    }
    if day == Self.leaves { try stage.play(HiveStep(wait: 0, action: .leave(Who.newYork))) }
    if day == Self.vacation.lowerBound {
      let first = stage.ledger.state.today(
        of: HiveStage.person(Who.london), at: stage.ledger.clock.instant)
      try stage.ledger.record(
        Pause(first: first, last: first.advanced(by: 9)), by: HiveStage.person(Who.london),
        at: nil, id: nil)
    }
    let first = stage.model.createdOn
    for person in Self.zones.indices
    where Self.isMember(person, day) && !Self.forgets(person, day) {
      // Members who have not reached the hive's day yet log it in their evening, at 06:50 UTC of the next.
      guard stage.model.today(person) >= first + day else { continue }
      let ago = stage.model.today(person) - first - day
      try stage.play(HiveStep(wait: 0, action: .log(person, .ago(ago), value: 0)))
    }
    try stage.play(HiveStep(wait: 1300, action: .settle))
    for person in Self.zones.indices
    where Self.isMember(person, day) && !Self.forgets(person, day)
      && stage.model.logs[person][first + day] == nil
    {
      let ago = stage.model.today(person) - first - day
      try stage.play(HiveStep(wait: 0, action: .log(person, .ago(ago), value: 0)))
    }
    // The member in Honolulu logs too late what they forgot a few days ago.
    if day > 4, Self.forgets(Who.honolulu, day - 4) {
      let ago = stage.model.today(Who.honolulu) - first - (day - 4)
      try stage.play(HiveStep(wait: 0, action: .log(Who.honolulu, .ago(ago), value: 0)))
    }
    if day % 30 == 0 { try stage.compare() }
    // Advance to 09:10 UTC.
    let next = 1_772_442_600_000 + (day + 1) * 86_400_000
    let rest = (next - stage.model.now) / 60_000
    try stage.play(HiveStep(wait: rest, action: .look))
  }
}

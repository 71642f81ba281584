import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct HiveAuditTests {
  private static func audit(
    _ chronicle: Chronicle, of viewer: Int = 1, at text: String, on: String? = nil,
    days: ClosedRange<Day>? = nil
  ) throws -> HiveAudit {
    let viewer = try #require(Account.ID(viewer))
    let query = Query(asOf: moment(text), on: on.map { day($0) }, zones: TableZones())
    return HiveAudit(
      firstHive, try chronicle.state.hive(firstHive, seenBy: viewer), for: viewer,
      in: chronicle.state, query, chronicle.lists[.hive(firstHive)] ?? [], days: days)
  }

  @Test
  func `each audited day names who was done when, and what advanced or broke it (ES-3, HH-20)`()
    throws
  {
    var chronicle = threePeople()
    try chronicle.beginHive()
    try chronicle.logHive("2026-03-02", by: 1, 2)
    try chronicle.logHive("2026-03-03", by: 2)
    try chronicle.record(
      LogHiveDay(firstHive, day: .day(day("2026-03-03"))), by: 1, at: moment("2026-03-04T12:00:00Z")
    )
    let audit = try Self.audit(chronicle, at: "2026-03-04T20:00:00Z")
    #expect(audit.days.map(\.judged.verdict) == [.advanced, .broken, .open])
    #expect(audit.days.map(\.streak) == [1, 0, 0])
    #expect((audit.current, audit.longest) == (0, 1))
    let days = try #require(audit.json(in: chronicle.state)["days"]?.elements)
    #expect(
      days[0].encoded == """
        {"day":"2026-03-02","verdict":"advanced","complete_count":2,"required_count":2,\
        "needed_count":2,"streak":1,"members":[\
        {"name":"Ada","own":true,"required":true,"value":1,\
        "done":{"position":9,"at":"2026-03-02T12:00:00Z"},"late":null},\
        {"name":"Bob","own":false,"required":true,"value":1,\
        "done":{"position":10,"at":"2026-03-02T12:00:00Z"},"late":null}],\
        "advanced":{"position":11,"at":"2026-03-02T12:00:00Z","by":"Bob","streak":1},"broken":null}
        """)
    #expect(
      days[1].encoded == """
        {"day":"2026-03-03","verdict":"broken","complete_count":1,"required_count":2,\
        "needed_count":2,"streak":0,"members":[\
        {"name":"Ada","own":true,"required":true,"value":null,"done":null,\
        "late":{"value":1,"position":13,"at":"2026-03-04T12:00:00Z"}},\
        {"name":"Bob","own":false,"required":true,"value":1,\
        "done":{"position":12,"at":"2026-03-03T12:00:00Z"},"late":null}],\
        "advanced":null,"broken":{"lost":1,"recorded":null,"saved_by":{"members":1,"of":["Ada"]}}}
        """)
    try chronicle.record(Settle(), by: nil, at: moment("2026-03-04T21:00:00Z"))
    let settled = try Self.audit(chronicle, at: "2026-03-04T22:00:00Z")
    #expect(settled.days[1].broken?.recorded?.position == 14)
  }

  @Test func `an audit is limited to its days and its on-day`() throws {
    var chronicle = threePeople()
    try chronicle.beginHive()
    for text in ["2026-03-02", "2026-03-03", "2026-03-04"] { try chronicle.logHive(text, by: 1, 2) }
    let now = "2026-03-09T12:00:00Z"
    let some = try Self.audit(chronicle, at: now, days: day("2026-03-03")...day("2026-03-05"))
    #expect(some.days.map(\.streak) == [2, 3, 0])
    #expect(some.current == 0)
    let then = try Self.audit(chronicle, at: now, on: "2026-03-03")
    #expect(then.current == 2 && then.days.count == 2)
  }

  @Test func `a member is done since the first log that reached the target`() throws {
    var chronicle = threePeople()
    try chronicle.beginHive()
    try chronicle.logHive("2026-03-02", by: 1, 1)
    func done() throws -> Int64? {
      try Self.audit(chronicle, at: "2026-03-02T20:00:00Z").days[0].members[0].done?.position
    }
    #expect(try done() == 9)
    try chronicle.record(ClearHiveLog(firstHive), by: 1, at: moment("2026-03-02T13:00:00Z"))
    #expect(try done() == nil)
    try chronicle.record(LogHiveDay(firstHive), by: 1, at: moment("2026-03-02T14:00:00Z"))
    #expect(try done() == 12)
  }

  @Test func `only members may ask for an audit (HH-16)`() throws {
    var chronicle = threePeople()
    try chronicle.beginHive()
    #expect(throws: Rejection.notMember) {
      try Self.audit(chronicle, of: 3, at: "2026-03-02T20:00:00Z")
    }
    try chronicle.record(DeleteHive(firstHive), by: 1, at: moment("2026-03-02T20:00:00Z"))
    #expect(throws: Rejection.hiveNotFound) {
      try Self.audit(chronicle, at: "2026-03-02T20:00:00Z")
    }
  }

  @Test(arguments: 0..<14)
  func `an audit's streak is the hive's, and its counts are the day's (HH-20)`(_ seed: Int) throws {
    let chronicle = try randomChronicle(seed: seed)
    let state = chronicle.state
    let hive = try #require(state.hives[firstHive])
    let owner = try #require(hive.activeMembers.first).account
    let query = Query(
      asOf: state.at.advanced(byMilliseconds: 3 * 86_400_000), zones: TableZones())
    let open = state.firstOpenDay(of: hive, at: query.asOf, in: query.zones)
    let audit = HiveAudit(
      firstHive, hive, for: owner, in: state, query, chronicle.lists[.hive(firstHive)] ?? [])
    #expect(audit.current == hive.streak(firstOpen: open))
    #expect(audit.longest == hive.longestStreak(firstOpen: open))
    for audited in audit.days {
      let judged = hive.day(audited.judged.day, firstOpen: open)
      #expect(audited.judged == judged)
      let required = audited.members.filter(\.isRequired)
      #expect(required.count == judged.requiredCount)
      #expect(required.count { $0.done != nil } == judged.completeCount)
      #expect((audited.advance != nil) == judged.hasAdvanced)
      #expect(audited.broken == nil || audited.neededMore > 0)
    }
  }
}

import Avro
import Daybook
import DaybookStore
import Journal
import Testing

@Suite(.tags(.unit)) struct FeedTests {
  /// A history with tasks, a hive and a household, in which people come and go.
  static let story: [(person: Int, line: String)] = [
    (0, #"{"do":"create_task","key":"\#(key(1))","title":"Buy milk"}"#),
    (1, #"{"do":"create_task","key":"\#(key(2))","title":"Secret"}"#),
    (0, #"{"do":"create_habit","key":"\#(key(3))","name":"Run"}"#),
    (0, #"{"do":"create_hive_from_habit","p_habit_id":"\#(key(3))","key":"\#(key(4))"}"#),
    (0, #"{"do":"create_hive_invite","p_hive_id":"\#(key(4))","code":"00000000000a"}"#),
    (1, #"{"do":"join_hive_with_code","p_code":"00000000000a"}"#),
    (1, #"{"do":"log_hive_today","p_hive_id":"\#(key(4))"}"#),
    (2, #"{"do":"create_household","key":"\#(key(5))","name":"Home"}"#),
    (2, chore(key(6), "Sweep", in: key(5))),
    (2, #"{"do":"create_household_code","household":"\#(key(5))","code":"00000000000b"}"#),
    (0, #"{"do":"join_household_with_code","p_code":"00000000000b"}"#),
    (0, #"{"do":"complete_task","task":"\#(key(1))"}"#),
    (1, #"{"do":"leave_hive","p_hive_id":"\#(key(4))"}"#),
    (0, #"{"do":"delete_task","task":"\#(key(1))"}"#),
    (0, #"{"do":"leave_household","household":"\#(key(5))"}"#),
  ]

  /// The command that makes a household's task.
  static func chore(_ key: Key, _ title: String, in household: Key) -> String {
    let fields = #""household":"\#(household)","key":"\#(key)","title":"\#(title)""#
    return #"{"do":"create_household_task",\#(fields)}"#
  }

  static func key(_ number: UInt64) -> Key {
    Key(high: 0x9_0000_4000, low: 0x8000_0000_0000_0000 | number)
  }

  @Test func `a device's lines are those of its account's export after every command (DM-6)`()
    async throws
  {
    let world = try ServerWorld()
    for (person, line) in Self.story {
      try world.say(line, by: person)
      for person in 0..<3 {
        let lines = try await pulled(from: world, person, limit: 3)
        #expect(lines == (try world.lines(of: person)), "after \(line)")
      }
    }
  }

  @Test(arguments: [1, 2, 5, 100])
  func `pages of any length give the same lines and digest (DM-6)`(limit: Int) async throws {
    let world = try ServerWorld()
    for (person, line) in Self.story { try world.say(line, by: person) }
    for index in 0..<600 {
      try world.say(#"{"do":"create_label","name":"label \#(index)"}"#, by: 0)
    }
    #expect(try await pulled(from: world, 0, limit: limit) == world.lines(of: 0))
  }

  /// Pulls everything, page by page, and compares the digest at the end.
  private func pulled(from world: ServerWorld, _ person: Int, limit: Int) async throws -> [String] {
    let account = try world.number(of: person)
    var request = SyncRequest(scope: nil, cursor: ChainDigest(), limit: limit)
    var lines: [String] = []
    while true {
      let answer = try await world.source.answer(request, for: account)
      #expect(answer.standing == .continues)
      lines += answer.lines
      (request.scope, request.cursor) = (answer.scope, answer.cursor)
      guard answer.hasMore else { break }
      try #require(!answer.lines.isEmpty, "a page with more to come has lines")
    }
    #expect(request.cursor == (try world.source.digest(for: account)))
    return lines
  }

  @Test func `no page ends inside a command (DM-7)`() async throws {
    let world = try ServerWorld()
    try world.say(#"{"do":"create_task","key":"\#(Self.key(1))","title":"A"}"#, by: 0)
    try world.say(
      #"{"do":"create_task","key":"\#(Self.key(2))","title":"B","parent_task_id":"\#(Self.key(1))"}"#,
      by: 0)
    try world.say(#"{"do":"delete_task","task":"\#(Self.key(1))"}"#, by: 0)
    let account = try world.number(of: 0)
    var request = SyncRequest(scope: nil, cursor: ChainDigest(), limit: 1)
    var firsts: [Int] = []
    while true {
      let answer = try await world.source.answer(request, for: account)
      if let first = answer.lines.first {
        firsts.append(try JSON(parsing: Array(first.utf8))["step"]?.integer ?? 0)
      }
      (request.scope, request.cursor) = (answer.scope, answer.cursor)
      guard answer.hasMore else { break }
    }
    #expect(firsts.allSatisfy { $0 <= 1 })
    #expect(firsts.count < (try world.lines(of: 0).count), "some command has several lines")
  }

  @Test func `what others do in private changes no byte of an answer (DM-11)`() async throws {
    let (quiet, busy) = (try ServerWorld(), try ServerWorld())
    for world in [quiet, busy] {
      try world.say(#"{"do":"create_task","key":"\#(Self.key(1))","title":"A"}"#, by: 0)
    }
    for index in 0..<40 {
      try busy.say(#"{"do":"create_task","title":"secret \#(index)"}"#, by: 1)
      try busy.say(#"{"do":"create_household","name":"secret \#(index)"}"#, by: 2)
    }
    for world in [quiet, busy] {
      try world.say(#"{"do":"create_label","key":"\#(Self.key(2))","name":"b"}"#, by: 0)
    }
    let command = try JSON(
      parsing: Array(
        #"{"do":"create_task","id":"\#(Self.key(90))","key":"\#(Self.key(3))","title":"C"}"#.utf8))
    let requests = [
      SyncRequest(
        account: ServerWorld.people[0], scope: nil, cursor: ChainDigest(), commands: [command]),
      SyncRequest(scope: "other", cursor: ChainDigest()),
      SyncRequest(scope: nil, cursor: ChainDigest(count: 2, digest: .none)),
    ]
    for request in requests {
      let account = try quiet.number(of: 0)
      let answers = [
        try await quiet.source.answer(request, for: account),
        try await busy.source.answer(request, for: account),
      ]
      #expect(answers[0].json.encoded == answers[1].json.encoded)
    }
  }

  @Test func `a changed membership is another scope, and others' memberships are not (DM-11)`()
    async throws
  {
    let world = try ServerWorld()
    func scope(_ person: Int) async throws -> String {
      try await world.source.answer(
        SyncRequest(scope: nil, cursor: ChainDigest()), for: try world.number(of: person)
      ).scope
    }
    var scopes: [[String]] = []
    for (person, line) in Self.story {
      try world.say(line, by: person)
      scopes.append([try await scope(0), try await scope(1), try await scope(2)])
    }
    #expect(scopes[4][1] != scopes[5][1], "Bob joined the hive")
    #expect(scopes[4][0] != scopes[5][0], "Ada meets Bob there")
    #expect(scopes[4][2] == scopes[5][2], "it is nothing to Cy")
    #expect(scopes[9][1] == scopes[10][1], "Ada's household is nothing to Bob")
    #expect(scopes[11][1] != scopes[12][1], "Bob left")
    #expect(scopes[13][0] != scopes[14][0], "Ada left")
    #expect(Set(scopes.flatMap { [$0[0]] }).isDisjoint(with: scopes.map { $0[1] }))
  }
}

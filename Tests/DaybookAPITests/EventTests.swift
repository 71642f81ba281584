import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Journal
import Testing
import Wire

@testable import DaybookAPI

/// Which account receives which events.
@Suite(.tags(.law)) struct EventTests {
  private struct Told: Hashable {
    var id: Int64
    var name: String
    var data: String
  }

  /// Reads a stream up to a position.
  private func read(
    _ stream: EventStream, until last: Int64
  ) async throws -> [Told] {
    var all: [Told] = []
    for try await chunk in stream {
      all += events(in: chunk)
      if let id = all.last?.id, id >= last { break }
    }
    return all
  }

  private func events(in chunk: [UInt8]) -> [Told] {
    String(decoding: chunk, as: UTF8.self).split(separator: "\n\n").compactMap { block in
      var fields: [Substring: String] = [:]
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[parts[0]] = String(parts[1].dropFirst()) }
      }
      guard let id = fields["id"].flatMap({ Int64($0) }), let name = fields["event"],
        let data = fields["data"]
      else { return nil }
      return Told(id: id, name: name, data: data)
    }
  }

  private func stream(_ world: APIWorld, as account: Key, after: Int64 = 0) throws -> EventStream {
    let query = WireQuery([.init("after", String(after))])
    return try world.api.events(WireRequest(.get, ["events"], query: query), for: account)
  }

  /// The events of an account by the wording of the rule, from all entries in order.
  private func expected(_ world: APIWorld, _ key: Key) throws -> [Told] {
    let (account, now) = (try world.number(key), world.book.read { $0 })
    var walk = Walk(account: account, now: now)
    try world.book.reader.replay(into: &walk)
    var lines = EntryLines(knowing: now)
    return try walk.told.map {
      let json = try lines.json(of: $0)
      return Told(id: $0.head.position, name: $0.event.name, data: json.encoded)
    }
  }

  private struct Walk: Projection {
    let account: Account.ID
    let now: BookState
    var state = BookState()
    var told: [Entry] = []

    init(account: Account.ID, now: BookState) {
      self.account = account
      self.now = now
    }

    mutating func apply(_ entry: Entry) {
      let before = state
      state.apply(entry)
      guard let aggregate = state.aggregate(of: entry.event) else { return }
      var entry = entry
      if aggregate.kind == .hive, let hive = Hive.ID(Int(aggregate.number)) {
        let isMember = [before, state].contains { $0.hives[hive]?.member(account) != nil }
        let isFounder = state.hives[hive]?.members.isEmpty == true && entry.head.actor == account
        guard isMember || isFounder else { return }
        if case .hiveHabitLinked(let link) = entry.event, link.member != account { return }
      } else if let home = now.household(of: aggregate) {
        var isOwnLeaving = false
        if case .householdLeft(let left) = entry.event { isOwnLeaving = left.member == account }
        guard now.isMember(account, of: home) || isOwnLeaving else { return }
      } else {
        guard now.owner(of: aggregate) == account else { return }
      }
      if entry.head.actor != account { (entry.head.key, entry.head.step) = (nil, 0) }
      told.append(entry)
    }
  }

  /// Histories of a hive and a household that accounts join and leave, as a seed determines.
  private func world(seed: Int) throws -> APIWorld {
    let world = try APIWorld()
    let hive = #""p_hive_id":"\#(APIWorld.key(4, 1))""#
    let household = #""household":"\#(APIWorld.key(5, 1))""#
    var number = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0..<40 {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let choice = Int(number >> 33)
      let account = [APIWorld.ada, APIWorld.bob, APIWorld.cy, APIWorld.dan][choice / 16 % 4]
      world.clock.advance(seconds: 60)
      // Many commands are refused, because accounts outside a hive cannot leave it.
      let fields = [
        ("leave_hive", hive), ("join_hive_with_code", #""p_code":"00000000000a""#),
        ("log_hive_today", hive), ("leave_household", household),
        ("create_task", #""title":"Task \#(choice)""#),
        ("create_household_task", #"\#(household),"title":"Chore \#(choice)""#),
        ("update_hive", #"\#(hive),"name":"Bees \#(choice)""#),
        (
          "add_household_member",
          #"\#(household),"member":"\#([APIWorld.bob, APIWorld.cy][choice / 64 % 2])""#
        ),
      ][choice % 8]
      _ = try world.book.record(
        line: #"{"do":"\#(fields.0)","as":"\#(account)",\#(fields.1)}"#)
    }
    for account in [APIWorld.ada, APIWorld.bob, APIWorld.cy, APIWorld.dan] {
      try world.record("create_task", #""title":"The last""#, as: account)
    }
    return world
  }

  @Test(arguments: 0..<20)
  func `the stream tells an account its own entries, its hives' and its households'`(
    seed: Int
  ) async throws {
    let world = try world(seed: seed)
    for account in [APIWorld.ada, APIWorld.bob, APIWorld.cy, APIWorld.dan] {
      let expected = try expected(world, account)
      let told = try await read(stream(world, as: account), until: expected.last?.id ?? 0)
      #expect(told == expected, "seed \(seed), \(account)")
    }
  }

  @Test func `resuming at any position continues the whole stream`() async throws {
    let world = try world(seed: 3)
    for account in [APIWorld.ada, APIWorld.cy] {
      let whole = try expected(world, account)
      let last = try #require(whole.last?.id)
      for position in 0..<last {
        let told = try await read(stream(world, as: account, after: position), until: last)
        #expect(told == whole.filter { $0.id > position }, "after \(position)")
      }
    }
  }

  @Test func `the past reads the same at every page size`() async throws {
    let world = try world(seed: 5)
    for account in [APIWorld.ada, APIWorld.bob, APIWorld.cy] {
      let whole = try expected(world, account)
      for pageCount in [1, 2, 3, 7, 50] {
        var stream = try stream(world, as: account)
        stream.feed.pageCount = pageCount
        let told = try await read(stream, until: whole.last?.id ?? 0)
        #expect(told == whole, "\(account) in pages of \(pageCount)")
      }
    }
  }

  @Test func `a removed member whose stream is behind receives nothing more (HH-26, MC-11)`()
    async throws
  {
    let world = try APIWorld()
    let household = #""household":"\#(APIWorld.key(5, 1))""#
    let words = String(repeating: "SECRET ", count: 1000)
    for number in 0..<60 {
      try world.record(
        "create_household_task", #"\#(household),"title":"\#(number)","description":"\#(words)""#)
    }
    func secrets(_ chunk: [UInt8]) -> Int {
      events(in: chunk).count { $0.data.contains("SECRET") }
    }
    let stream = try stream(world, as: APIWorld.bob)
    var chunks = stream.makeAsyncIterator()
    var before = 0
    while before == 0, let chunk = try await chunks.next() { before += secrets(chunk) }
    #expect(before > 0)
    try world.record("remove_household_member", #"\#(household),"member":"\#(APIWorld.bob)""#)
    try world.record("create_task", #""title":"Bob's last""#, as: APIWorld.bob)
    var after: [Int] = []
    while let chunk = try await chunks.next() {
      after.append(secrets(chunk))
      if events(in: chunk).contains(where: { $0.data.contains("Bob's last") }) { break }
    }
    // The waiting chunk was made before.
    #expect(after.dropFirst().allSatisfy { $0 == 0 }, "\(after)")
    #expect(before + after.reduce(0, +) < 30)
  }

  @Test func `a new entry reaches the followers who may see it, and nobody else`()
    async throws
  {
    let world = try APIWorld()
    let start = world.position
    let hive = #""p_hive_id":"\#(APIWorld.key(4, 1))""#
    async let cys = read(stream(world, as: APIWorld.cy, after: start), until: start + 8)
    async let dans = read(stream(world, as: APIWorld.dan, after: start), until: start + 9)
    try world.record("log_hive_today", hive, as: APIWorld.bob)
    try world.record("join_hive_with_code", #""p_code":"00000000000a""#, as: APIWorld.cy)
    try world.record("update_hive", #"\#(hive),"name":"Wasps""#)
    try world.record("leave_hive", hive, as: APIWorld.cy)
    try world.record("update_hive", #"\#(hive),"name":"Bees""#)
    try world.record("create_task", #""title":"Ada's""#)
    let position = world.position
    try world.record("create_task", #""title":"Cy's""#, as: APIWorld.cy)
    try world.record("create_task", #""title":"Dan's""#, as: APIWorld.dan)
    #expect(position == start + 7, "an entry each, and two for the log of the hive's last day")
    let names = ["HiveJoined", "HiveDescribed", "HiveLeft", "TaskCreated"]
    #expect(try await cys.map(\.name) == names)
    #expect(try await dans.map(\.name) == ["TaskCreated"])
  }

  @Test func `an erased account receives nothing more`() async throws {
    let world = try APIWorld()
    let stream = try stream(world, as: APIWorld.bob, after: world.position)
    var chunks = stream.makeAsyncIterator()
    #expect(try await chunks.next() == ServerSentEvent.beginning)
    try world.book.erase(world.number(APIWorld.bob))
    while let chunk = try await chunks.next() { #expect(events(in: chunk).isEmpty) }
    #expect(throws: APIRefusal.self) { try self.stream(world, as: APIWorld.bob) }
  }

  @Test func `an idle stream sends heartbeats`() async throws {
    let world = try APIWorld()
    var beats = 0
    for try await chunk in try stream(world, as: APIWorld.ada, after: world.position) {
      if chunk == ServerSentEvent.heartbeat { beats += 1 }
      if beats == 3 { break }
    }
    #expect(beats == 3)
  }

  @Test func `Last-Event-ID takes precedence over after, and an invalid position is refused`()
    throws
  {
    let world = try APIWorld()
    func position(_ after: String?, _ id: String?) throws -> Int64 {
      var headers: HTTPFields = [:]
      if let name = HTTPField.Name("last-event-id") { headers[name] = id }
      let query = WireQuery(after.map { [.init("after", $0)] } ?? [])
      let request = WireRequest(.get, ["events"], query: query, headers: headers)
      return try world.api.events(request, for: APIWorld.ada).feed.position
    }
    #expect(try [position(nil, nil), position("7", nil), position("7", "9")] == [0, 7, 9])
    for (after, id) in [("x", nil), ("-1", nil), ("7", "now"), ("9223372036854775808", nil)] {
      #expect(throws: APIRefusal.self) { try position(after, id) }
    }
  }

  @Test func `a slow reader holds one chunk and loses nothing`() async throws {
    let slot = ChunkSlot()
    let giving = Task {
      var given = 0
      while await slot.send([UInt8(given)]) { given += 1 }
      return given
    }
    for number in 0..<5 { #expect(try await slot.receive() == [UInt8(number)]) }
    slot.close()
    #expect(await giving.value == 5)
    #expect(try await slot.receive() == nil)
  }

  @Test func `cancelling a waiting reader wakes it`() async throws {
    let slot = ChunkSlot()
    let taking = Task { try await slot.receive() }
    taking.cancel()
    #expect(try await taking.value == nil)
    #expect(await !slot.send([1]))
  }
}

import Avro
import Daybook
import DaybookReplica
import DaybookStore
import Journal
import SimulatedStorage
import Synchronization
import Testing

@Suite(.tags(.unit)) struct ReplicaTests {
  static let task = FeedTests.key(1)

  /// A world in which Ada has a task, and a device that has pulled it.
  private func pulled() async throws -> (ServerWorld, Device, Replica) {
    let world = try ServerWorld()
    try world.say(#"{"do":"create_task","key":"\#(Self.task)","title":"Buy milk"}"#, by: 0)
    let device = Device(1)
    let replica = try device.open(ServerWorld.people[0])
    try await replica.sync(over: try world.transport())
    return (world, device, replica)
  }

  private func title(_ replica: Replica, _ key: Key = task) async throws -> String? {
    let state = try await replica.view().state
    return state.tasks.number(of: key).flatMap { state.tasks[$0]?.title }
  }

  private func expectSame(_ world: ServerWorld, _ replica: Replica, _ person: Int = 0) async throws
  {
    #expect(try await replica.lines() == world.lines(of: person))
    let account = try world.number(of: person)
    #expect(try await replica.digest() == world.source.digest(for: account).description)
  }

  @Test func `a command is visible at once and recorded by the server at the next sync (HH-26)`()
    async throws
  {
    let (world, _, replica) = try await pulled()
    let id = try await replica.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","title":"Buy oat milk"}"#)
    #expect(try await title(replica) == "Buy oat milk")
    #expect(try world.count(of: id) == 0)
    try await replica.sync(over: try world.transport())
    #expect(try world.count(of: id) == 1)
    #expect(await replica.pending.isEmpty)
    #expect(await replica.conflicts == [])
    try await expectSame(world, replica)
  }

  @Test func `a log that was recorded offline counts on the day on which it was lived (HH-26)`()
    async throws
  {
    let (world, device, replica) = try await pulled()
    let habit = FeedTests.key(7)
    try await replica.record(line: #"{"do":"create_habit","key":"\#(habit)","name":"Run"}"#)
    try await replica.sync(over: try world.transport())
    try await replica.record(line: #"{"do":"log_habit","habit":"\#(habit)"}"#)
    world.clock.advance(minutes: 3 * 24 * 60)
    device.clock.advance(minutes: 3 * 24 * 60)
    try await replica.sync(over: try world.transport())
    let line = try #require(try world.lines(of: 0).last)
    #expect(line.contains("HabitLogged") && line.contains(#""day":"2026-03-02""#))
    #expect(await replica.allConflicts == [])
  }

  @Test func `a thousand pending commands are all recorded, once and in order (DM-9)`() async throws
  {
    let (world, _, replica) = try await pulled()
    var ids: [Key] = []
    for index in 0..<1000 {
      ids.append(try await replica.record(line: #"{"do":"create_label","name":"label \#(index)"}"#))
    }
    #expect(await replica.pending.count == 1000)
    try await replica.sync(over: try world.transport())
    #expect(await replica.pending.isEmpty)
    let found = try world.lines(of: 0).compactMap {
      try JSON(parsing: Array($0.utf8))["id"]?.text.flatMap { Key($0) }
    }
    #expect(found == ids)
    try await expectSame(world, replica)
  }

  @Test func `two offline devices reconnect at once, and both drain (DM-9)`() async throws {
    let (world, _, first) = try await pulled()
    let second = try Device(2).open(ServerWorld.people[0])
    try await second.sync(over: try world.transport())
    for index in 0..<20 {
      try await first.record(line: #"{"do":"create_task","title":"first \#(index)"}"#)
      try await second.record(line: #"{"do":"create_task","title":"second \#(index)"}"#)
    }
    let transport = try world.transport()
    async let one = first.sync(over: transport)
    async let two = second.sync(over: transport)
    _ = try await (one, two)
    for replica in [first, second] {
      try await replica.sync(over: transport)
      #expect(await replica.pending.isEmpty)
      try await expectSame(world, replica)
      #expect(try await replica.view().state.tasks.elements.count == 41)
    }
  }

  @Test func `a command whose answer was lost is recorded once (HH-26)`() async throws {
    let (world, _, replica) = try await pulled()
    let transport = try world.transport()
    let id = try await replica.record(line: #"{"do":"create_task","title":"Once"}"#)
    let losing = TestTransport { request in
      _ = try await transport.exchange(request)
      throw ReplicaError.unreachable(reason: "the answer was lost")
    }
    for _ in 0..<3 {
      await #expect(throws: ReplicaError.self) { try await replica.sync(over: losing) }
      #expect(await replica.pending.count == 1)
    }
    try await replica.sync(over: transport)
    #expect(try world.count(of: id) == 1)
    #expect(await replica.pending.isEmpty)
    try await expectSame(world, replica)
  }

  @Test func `a refused command blocks none behind it and is in the conflict journal (DM-8)`()
    async throws
  {
    let (world, device, replica) = try await pulled()
    let refused = try await replica.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","title":"Buy tea"}"#)
    let good = try await replica.record(line: #"{"do":"create_task","title":"Behind"}"#)
    try world.say(#"{"do":"delete_task","task":"\#(Self.task)"}"#, by: 0)
    try await replica.sync(over: try world.transport())
    #expect(try world.count(of: refused) == 0)
    #expect(try world.count(of: good) == 1)
    #expect(await replica.pending.isEmpty)
    let conflict = try #require(await replica.conflicts.first)
    #expect(await replica.conflicts == [conflict])
    #expect(conflict.kind == .refused && conflict.code == "task_not_found")
    #expect(conflict.command == refused && conflict.line.contains("Buy tea"))
    #expect(conflict.meant.contains("Buy tea"))
    // It survives a restart.
    device.restart(with: device.storage.disk)
    #expect(try await device.open().conflicts == [conflict])
  }

  @Test func `a deletion after an update removes it, and the update is no conflict (DM-8)`()
    async throws
  {
    let (world, _, first) = try await pulled()
    let second = try Device(2).open(ServerWorld.people[0])
    try await second.sync(over: try world.transport())
    try await first.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","title":"Buy tea"}"#)
    try await second.record(line: #"{"do":"delete_task","task":"\#(Self.task)"}"#)
    for replica in [first, second, first] { try await replica.sync(over: try world.transport()) }
    for replica in [first, second] {
      #expect(await replica.conflicts == [])
      try await expectSame(world, replica)
    }
  }

  @Test func `disjoint edits of a task both survive without a conflict (DM-8)`() async throws {
    let (world, _, first) = try await pulled()
    let second = try Device(2).open(ServerWorld.people[0])
    try await second.sync(over: try world.transport())
    try await first.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","title":"Buy tea"}"#)
    try await second.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","description":"green"}"#)
    for replica in [first, second, first] { try await replica.sync(over: try world.transport()) }
    for replica in [first, second] {
      let state = try await replica.view().state
      let task = try #require(state.tasks.number(of: Self.task).flatMap { state.tasks[$0] })
      #expect(task.title == "Buy tea" && task.description == "green")
      #expect(await replica.conflicts == [])
    }
  }

  @Test func `the later of two edits by the server's order wins, and says what it replaced (DM-8)`()
    async throws
  {
    let (world, _, first) = try await pulled()
    // Its clock is a day ahead, which must not decide.
    let second = try Device(2, at: "2026-03-03T12:00:00Z").open(ServerWorld.people[0])
    try await second.sync(over: try world.transport())
    try await second.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","title":"Buy tea"}"#)
    try await first.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","title":"Buy coffee"}"#)
    for replica in [second, first, second] { try await replica.sync(over: try world.transport()) }
    #expect(try await title(first) == "Buy coffee")
    #expect(try await title(second) == "Buy coffee")
    let conflict = try #require(await first.conflicts.first)
    #expect(conflict.kind == .replaced)
    #expect(conflict.held.contains("Buy tea") && conflict.meant.contains("Buy coffee"))
    #expect(conflict.actors == [ServerWorld.people[0]])
    #expect(await second.conflicts == [])
  }

  @Test(arguments: ["2025-03-02T12:00:00Z", "2026-03-02T13:00:00Z", "2027-03-02T12:00:00Z"])
  func `a device whose clock is wrong is neither refused nor does its log move (DM-8)`(
    clock: String
  ) async throws {
    let world = try ServerWorld()
    let habit = FeedTests.key(7)
    try world.say(#"{"do":"create_habit","key":"\#(habit)","name":"Run"}"#, by: 0)
    let replica = try Device(3, at: clock).open(ServerWorld.people[0])
    try await replica.sync(over: try world.transport())
    try await replica.record(line: #"{"do":"log_habit","habit":"\#(habit)"}"#)
    try await replica.sync(over: try world.transport())
    let line = try #require(try world.lines(of: 0).last)
    #expect(line.contains(#""day":"2026-03-02""#))
    #expect(await replica.allConflicts == [])
  }

  @Test func `a time after the server's is set to the server's and explained (DM-8)`() async throws
  {
    let (world, device, replica) = try await pulled()
    let habit = FeedTests.key(7)
    try await replica.record(line: #"{"do":"create_habit","key":"\#(habit)","name":"Run"}"#)
    // The clock jumps after the last sync.
    device.clock.advance(minutes: 2 * 24 * 60)
    let id = try await replica.record(line: #"{"do":"log_habit","habit":"\#(habit)"}"#)
    try await replica.sync(over: try world.transport())
    #expect(try world.count(of: id) == 1)
    let line = try #require(try world.lines(of: 0).last)
    #expect(line.contains(#""day":"2026-03-02""#))
    let kinds = await replica.conflicts.map(\.kind)
    #expect(kinds.contains(.restamped))
    #expect(await replica.pending.isEmpty)
  }

  @Test func `what becomes visible comes along, and what is no longer visible goes (DM-11)`()
    async throws
  {
    let world = try ServerWorld()
    let replica = try Device(1).open(ServerWorld.people[1])
    for (person, line) in FeedTests.story {
      try world.say(line, by: person)
      try await replica.sync(over: try world.transport(1))
      try await expectSame(world, replica, 1)
    }
  }

  @Test func `a queue of one account is never sent for another (DM-11)`() async throws {
    let (world, device, replica) = try await pulled()
    let id = try await replica.record(line: #"{"do":"create_task","title":"Ada's"}"#)
    await #expect { try await replica.sync(over: try world.transport(1)) } throws: { error in
      (error as? ReplicaError)?.code == "signed_in_as_other"
    }
    #expect(try world.count(of: id) == 0)
    #expect(await replica.pending.count == 1)
    device.restart(with: device.storage.disk)
    #expect(throws: ReplicaError.self) { try device.open(ServerWorld.people[1]) }
  }

  @Test func `two processes never have one replica open (DM-9)`() async throws {
    let (_, device, replica) = try await pulled()
    #expect(throws: ReplicaError.self) { try device.open() }
    #expect(await replica.account == ServerWorld.people[0])
  }

  @Test func `a server with another book is told, and nothing is sent or lost (DM-9)`() async throws
  {
    let (world, _, replica) = try await pulled()
    try world.say(#"{"do":"create_task","title":"More"}"#, by: 0)
    try await replica.sync(over: try world.transport())
    let id = try await replica.record(line: #"{"do":"create_task","title":"Waits"}"#)
    // A server restored from an old backup: the same accounts, and less of what happened.
    let old = try ServerWorld()
    await #expect { try await replica.sync(over: try old.transport()) } throws: { error in
      (error as? ReplicaError)?.code == "diverged"
    }
    #expect(try old.count(of: id) == 0)
    #expect(await replica.pending.count == 1)
    #expect(try await replica.view().state.tasks.elements.count == 3)
    try await replica.sync(over: try old.transport(), acceptingOther: true)
    #expect(try old.count(of: id) == 1)
    try await expectSame(old, replica)
  }

  @Test func `a full disk refuses a command whole, and takes it later (MO-10)`() async throws {
    let (world, device, replica) = try await pulled()
    let before = await replica.pending
    device.storage.limitRoom(to: 10)
    await #expect(throws: ReplicaError.self) {
      try await replica.record(line: #"{"do":"create_task","title":"No room"}"#)
    }
    #expect(await replica.pending == before)
    #expect(try await replica.view().state.tasks.elements.count == 1)
    device.storage.heal()
    let id = try await replica.record(line: #"{"do":"create_task","title":"Room"}"#)
    try await replica.sync(over: try world.transport())
    #expect(try world.count(of: id) == 1)
  }

  @Test func `a pull that is cut at every byte changes nothing, or all of it (DM-6)`() async throws
  {
    let (world, _, replica) = try await pulled()
    let transport = try world.transport()
    try world.say(#"{"do":"create_task","title":"Next"}"#, by: 0)
    let before = try await replica.lines()
    let request = Mutex<[UInt8]>([])
    let answer = Mutex<[UInt8]>([])
    let recording = TestTransport { sent in
      let found = try await transport.exchange(sent)
      request.withLock { $0 = sent }
      answer.withLock { $0 = found }
      throw ReplicaError.unreachable(reason: "cut")
    }
    await #expect(throws: ReplicaError.self) { try await replica.sync(over: recording) }
    let whole = answer.withLock { $0 }
    for count in 0..<whole.count {
      let cut = TestTransport { _ in Array(whole[..<count]) }
      await #expect(throws: ReplicaError.self) { try await replica.sync(over: cut) }
    }
    #expect(try await replica.lines() == before)
    try await replica.sync(over: transport)
    try await expectSame(world, replica)
  }

  @Test func `an event that this program does not know leaves the mirror as it was (DM-9)`()
    async throws
  {
    let (world, _, replica) = try await pulled()
    let transport = try world.transport()
    try world.say(#"{"do":"create_task","title":"Next"}"#, by: 0)
    let before = try await replica.lines()
    let newer = TestTransport { sent in
      let answer = try #require(
        SyncAnswer(json: try JSON(parsing: try await transport.exchange(sent))))
      var changed = answer
      changed.lines = answer.lines.map {
        $0.replacing(#""event":"TaskCreated""#, with: #""event":"TaskDreamt""#)
      }
      var chain = try SyncRequest(json: try JSON(parsing: sent)).cursor
      for line in changed.lines { chain.add(line) }
      changed.cursor = chain
      return Array(changed.json.encoded.utf8)
    }
    await #expect { try await replica.sync(over: newer) } throws: { error in
      (error as? ReplicaError)?.code == "unusable_answer"
    }
    #expect(try await replica.lines() == before)
    try await replica.sync(over: transport)
    try await expectSame(world, replica)
  }

  @Test func `a conflict's command is recorded again once, or dismissed (DM-8)`() async throws {
    let (world, _, replica) = try await pulled()
    try await replica.record(line: #"{"do":"create_label","name":"home"}"#)
    try world.say(#"{"do":"create_label","key":"\#(FeedTests.key(8))","name":"home"}"#, by: 0)
    try await replica.sync(over: try world.transport())
    let conflict = try #require(await replica.conflicts.first)
    await #expect(throws: Rejection.self) { try await replica.retry(conflict.id) }
    try world.say(#"{"do":"delete_label","label":"\#(FeedTests.key(8))"}"#, by: 0)
    try await replica.sync(over: try world.transport())
    let id = try await replica.retry(conflict.id)
    #expect(await replica.conflicts == [])
    await #expect(throws: ReplicaError.self) { try await replica.retry(conflict.id) }
    try await replica.sync(over: try world.transport())
    #expect(try world.count(of: id) == 1)
    await #expect(throws: ReplicaError.self) { try await replica.dismiss(FeedTests.key(1)) }
  }

  @Test func `a replica tells what changed`() async throws {
    let (world, _, replica) = try await pulled()
    var changes = await replica.changes().makeAsyncIterator()
    let id = try await replica.record(line: #"{"do":"create_label","name":"home"}"#)
    #expect(await changes.next() == .recorded(id))
    try await replica.sync(over: try world.transport())
    #expect(await changes.next() == .synced)
  }

  @Test func `waits grow to a limit and differ between devices (DM-9)`() {
    var backoff = Backoff(from: .seconds(1), upTo: .seconds(60))
    var random = SystemRandomNumberGenerator()
    var waits: [Duration] = []
    for _ in 0..<12 { waits.append(backoff.next(using: &random)) }
    for (index, wait) in waits.enumerated() {
      let full = min(Duration.seconds(60), .seconds(1 << index))
      #expect(wait >= full / 2 && wait <= full)
    }
    backoff.reset()
    #expect(backoff.next(using: &random) <= .seconds(1))
  }
}

import Avro
import Daybook
import DaybookReplica
import DaybookStore
import Journal
import SimulatedStorage
import Synchronization
import Testing

/// What broke the synchronization of other programs, and how it goes here.
@Suite(.tags(.unit)) struct ScenarioTests {
  static let task = FeedTests.key(1)

  /// A device that has pulled a task of Ada's.
  private func pulled(
    from world: ServerWorld, _ number: UInt64 = 1
  ) async throws -> (Device, Replica) {
    let device = Device(number)
    let replica = try device.open(ServerWorld.people[0])
    try await replica.sync(over: try world.transport())
    return (device, replica)
  }

  private func worldWithTask(on storage: (any Storage)? = nil) throws -> ServerWorld {
    let world = try ServerWorld(on: storage)
    try world.say(#"{"do":"create_task","key":"\#(Self.task)","title":"Buy milk"}"#, by: 0)
    return world
  }

  private func expectSame(_ world: ServerWorld, _ replica: Replica, _ person: Int = 0) async throws
  {
    #expect(try await replica.lines() == world.lines(of: person))
  }

  @Test func `a failed upload is sent again with the same ids, and writes nothing new (DM-9)`()
    async throws
  {
    let world = try worldWithTask()
    let (device, replica) = try await pulled(from: world)
    let id = try await replica.record(line: #"{"do":"create_task","title":"Once"}"#)
    let sent = Mutex<[[String]]>([])
    let failing = TestTransport { request in
      let commands = try SyncRequest(json: try JSON(parsing: request)).commands
      sent.withLock { $0.append(commands.map(\.encoded)) }
      throw ReplicaError.unreachable(reason: "no network")
    }
    let before = try bytes(of: "device/queue.jsonl", on: device.storage)
    for _ in 0..<3 {
      await #expect(throws: ReplicaError.self) { try await replica.sync(over: failing) }
    }
    #expect(try bytes(of: "device/queue.jsonl", on: device.storage) == before)
    let tries = sent.withLock { $0 }
    #expect(tries.count == 3 && Set(tries).count == 1)
    #expect(tries[0][0].contains("\(id)"))
  }

  @Test func `a deletion before an update refuses the update, which is told (DM-8)`() async throws {
    let world = try worldWithTask()
    let (_, first) = try await pulled(from: world)
    let (_, second) = try await pulled(from: world, 2)
    let update = try await first.record(
      line: #"{"do":"update_task","task":"\#(Self.task)","title":"Buy tea"}"#)
    try await second.record(line: #"{"do":"delete_task","task":"\#(Self.task)"}"#)
    for replica in [second, first] { try await replica.sync(over: try world.transport()) }
    let conflict = try #require(await first.conflicts.first)
    #expect(conflict.command == update && conflict.kind == .refused)
    try await expectSame(world, first)
  }

  @Test func `what is deleted and made anew on one device is there once on the other (DM-8)`()
    async throws
  {
    let world = try worldWithTask()
    let (_, first) = try await pulled(from: world)
    let (_, second) = try await pulled(from: world, 2)
    try await first.record(line: #"{"do":"delete_task","task":"\#(Self.task)"}"#)
    try await first.record(line: #"{"do":"create_task","title":"Buy milk"}"#)
    for replica in [first, second] { try await replica.sync(over: try world.transport()) }
    for replica in [first, second] {
      let shown = try await replica.view().state.tasks.elements.filter { !$0.isDeleted }
      #expect(shown.map(\.title) == ["Buy milk"])
      #expect(await replica.conflicts == [])
    }
  }

  @Test func `a device that was away for two years gets all of it (DM-9)`() async throws {
    let world = try worldWithTask(on: MemoryStorage())
    let (device, replica) = try await pulled(from: world)
    let id = try await replica.record(line: #"{"do":"create_task","title":"Long ago"}"#)
    for day in 0..<730 {
      world.clock.advance(minutes: 24 * 60)
      device.clock.advance(minutes: 24 * 60)
      try world.say(#"{"do":"create_task","title":"day \#(day)"}"#, by: 0)
      if day % 100 == 0 { _ = try world.book.seal() }
    }
    try world.say(#"{"do":"delete_task","task":"\#(Self.task)"}"#, by: 0)
    try await replica.sync(over: try world.transport())
    #expect(try world.count(of: id) == 1)
    try await expectSame(world, replica)
  }

  @Test func `a book that is sealed meanwhile goes on where it was (DM-6)`() async throws {
    let world = try worldWithTask(on: MemoryStorage())
    let (_, replica) = try await pulled(from: world)
    for number in 0..<20 {
      try world.say(#"{"do":"create_task","title":"task \#(number)"}"#, by: 0)
      _ = try world.book.seal()
      let report = try await replica.sync(over: try world.transport())
      #expect(report.pulledCount == 1 && !report.isRescoped)
      try await expectSame(world, replica)
    }
  }

  @Test func `twenty-one new installations have the same, and add nothing (DM-9)`() async throws {
    let world = try worldWithTask()
    let before = try world.allLines()
    for number in 0..<21 {
      let (_, replica) = try await pulled(from: world, UInt64(number))
      try await expectSame(world, replica)
      #expect(await replica.pending.isEmpty)
    }
    #expect(try world.allLines() == before)
  }

  @Test func `a server that says more than this program knows is understood (DM-9)`() async throws {
    let world = try worldWithTask()
    let transport = try world.transport()
    let newer = TestTransport { request in
      let text = String(decoding: try await transport.exchange(request), as: UTF8.self)
      return Array(text.replacing(#"{"ok":{"#, with: #"{"news":1,"ok":{"hint":{"a":[]},"#).utf8)
    }
    let replica = try Device(1).open(ServerWorld.people[0])
    try await replica.sync(over: newer)
    try await expectSame(world, replica)
  }

  @Test func `another book with other memberships is told, and nothing is sent (DM-9)`()
    async throws
  {
    let world = try worldWithTask()
    try world.say(#"{"do":"create_household","key":"\#(FeedTests.key(5))","name":"Home"}"#, by: 0)
    let (_, replica) = try await pulled(from: world)
    try await replica.record(line: #"{"do":"create_label","name":"seen"}"#)
    try await replica.sync(over: try world.transport())
    let id = try await replica.record(line: #"{"do":"create_task","title":"Waits"}"#)
    // A backup from before the household: what the account sees is something else there.
    let old = try worldWithTask()
    await #expect { try await replica.sync(over: try old.transport()) } throws: { error in
      (error as? ReplicaError)?.code == "diverged"
    }
    #expect(try old.count(of: id) == 0)
    #expect(await replica.pending.count == 1)
    try await replica.sync(over: try old.transport(), acceptingOther: true)
    #expect(try old.count(of: id) == 1)
    try await expectSame(old, replica)
  }

  @Test func `lines that a crash left unnoted are those of a server that lost them (DM-9)`()
    async throws
  {
    let world = try worldWithTask()
    let (device, replica) = try await pulled(from: world)
    try world.say(#"{"do":"create_task","title":"Lost by the server"}"#, by: 0)
    // The answer reaches the mirror's book; then the power fails before the head file is written.
    let transport = try world.transport()
    let answered = Mutex(false)
    let once = TestTransport { request in
      if answered.withLock({ $0 }) { throw ReplicaError.unreachable(reason: "off") }
      var answer = try #require(
        SyncAnswer(json: try JSON(parsing: try await transport.exchange(request))))
      answered.withLock { $0 = true }
      answer.hasMore = true
      return Array(answer.json.encoded.utf8)
    }
    let head = try bytes(of: "device/replica.json", on: device.storage)
    await #expect(throws: ReplicaError.self) { try await replica.sync(over: once) }
    let storage = device.storage
    device.restart(with: storage.disk)
    try device.storage.open("device/replica.json", .readWrite).truncate(to: 0)
    try device.storage.open("device/replica.json", .readWrite).write(head, at: 0)
    let again = try device.open()
    let old = try worldWithTask()
    try old.say(#"{"do":"create_task","title":"Instead"}"#, by: 0)
    await #expect { try await again.sync(over: try old.transport()) } throws: { error in
      (error as? ReplicaError)?.code == "diverged"
    }
    try await again.sync(over: transport)
    try await expectSame(world, again)
  }

  private func bytes(of path: String, on storage: SimulatedStorage) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let file = try storage.open(path, .read)
    try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    return bytes
  }

  @Test(arguments: [false, true])
  func `a member who is erased meanwhile is erased on the device (DM-11)`(
    isOnDisk: Bool
  ) async throws {
    let world = try ServerWorld(on: isOnDisk ? MemoryStorage() : nil)
    for (person, line) in FeedTests.story.prefix(11) { try world.say(line, by: person) }
    let (_, replica) = try await pulled(from: world)
    #expect(try await replica.lines().contains { $0.contains("Bob") })
    try world.book.erase(try world.number(of: 1))
    let report = try await replica.sync(over: try world.transport())
    #expect(report.isRescoped)
    try await expectSame(world, replica)
    #expect(try await replica.lines().allSatisfy { !$0.contains("Bob") })
    let again = try await replica.sync(over: try world.transport())
    #expect(!again.isRescoped && again.pulledCount == 0)
  }

  @Test func `a device of an erased account is told, and sends nothing (DM-11)`() async throws {
    let world = try worldWithTask()
    let (_, replica) = try await pulled(from: world)
    let transport = try world.transport()
    try await replica.record(line: #"{"do":"create_task","title":"Late"}"#)
    try world.book.erase(try world.number(of: 0))
    let before = world.book.read { $0.position }
    await #expect { try await replica.sync(over: transport) } throws: { error in
      (error as? ReplicaError)?.code == "account_not_found"
    }
    #expect(await replica.pending.count == 1)
    #expect(world.book.read { $0.position } == before)
  }

  @Test func `who left a household meanwhile is told what no longer counts there (DM-8)`()
    async throws
  {
    let world = try ServerWorld()
    for (person, line) in FeedTests.story.prefix(11) { try world.say(line, by: person) }
    let (_, replica) = try await pulled(from: world)
    let chore = try await replica.record(
      line: FeedTests.chore(FeedTests.key(30), "Mop", in: FeedTests.key(5)))
    let own = try await replica.record(line: #"{"do":"create_task","title":"Own"}"#)
    try world.say(#"{"do":"leave_household","household":"\#(FeedTests.key(5))"}"#, by: 0)
    let report = try await replica.sync(over: try world.transport())
    #expect(report.isRescoped)
    #expect(try world.count(of: chore) == 0)
    #expect(try world.count(of: own) == 1)
    #expect(await replica.conflicts.map(\.command) == [chore])
    try await expectSame(world, replica)
  }

  @Test func `pushes that come twice, late and out of order are carried out once (DM-7)`()
    async throws
  {
    let world = try worldWithTask()
    let (_, replica) = try await pulled(from: world)
    let transport = try world.transport()
    let kept = Mutex<[[UInt8]]>([])
    let keeping = TestTransport { request in
      kept.withLock { $0.append(request) }
      return try await transport.exchange(request)
    }
    var ids: [Key] = []
    for number in 0..<5 {
      ids.append(try await replica.record(line: #"{"do":"create_label","name":"\#(number)"}"#))
      try await replica.sync(over: keeping)
    }
    let lines = try world.allLines()
    for request in kept.withLock({ $0.reversed() + $0 }) {
      _ = try await transport.exchange(request)
    }
    #expect(try world.allLines() == lines)
    for id in ids { #expect(try world.count(of: id) == 1) }
    try await replica.sync(over: transport)
    try await expectSame(world, replica)
  }

  @Test func `a repeating task that two devices complete has one next (DM-5)`() async throws {
    let world = try ServerWorld()
    try world.say(
      #"{"do":"create_task","key":"\#(Self.task)","title":"Water","due_at":"2026-03-02T18:00:00Z","recurrence_rule":"FREQ=DAILY"}"#,
      by: 0)
    let (_, first) = try await pulled(from: world)
    let (_, second) = try await pulled(from: world, 2)
    for replica in [first, second] {
      try await replica.record(line: #"{"do":"complete_task","task":"\#(Self.task)"}"#)
    }
    for replica in [first, second, first] { try await replica.sync(over: try world.transport()) }
    for replica in [first, second] {
      try await expectSame(world, replica)
      let tasks = try await replica.view().state.tasks.elements
      #expect(tasks.count == 1 && tasks[0].due == Instant("2026-03-03T18:00:00Z"))
      #expect(await replica.pending.isEmpty)
    }
  }

  @Test func `labels that two devices set on one task are united (DM-8)`() async throws {
    let world = try worldWithTask()
    for number in 1...2 {
      try world.say(
        #"{"do":"create_label","key":"\#(FeedTests.key(UInt64(40 + number)))","name":"l\#(number)"}"#,
        by: 0)
    }
    let (_, first) = try await pulled(from: world)
    let (_, second) = try await pulled(from: world, 2)
    for (replica, number) in [(first, UInt64(41)), (second, 42)] {
      try await replica.record(
        line:
          #"{"do":"set_task_labels","task":"\#(Self.task)","labels":["\#(FeedTests.key(number))"]}"#
      )
    }
    for replica in [first, second, first] { try await replica.sync(over: try world.transport()) }
    for replica in [first, second] {
      let state = try await replica.view().state
      let task = try #require(state.tasks.number(of: Self.task).flatMap { state.tasks[$0] })
      #expect(task.currentLabels.count == 2)
      #expect(await replica.conflicts == [])
    }
  }

  @Test func `a command that changed nothing is not decided again after a later one (DM-7)`()
    async throws
  {
    let world = try worldWithTask()
    let (_, replica) = try await pulled(from: world)
    let transport = try world.transport()
    try await replica.record(line: #"{"do":"complete_task","task":"\#(Self.task)"}"#)
    let reopening = try await replica.record(
      line: #"{"do":"reopen_task","task":"\#(Self.task)"}"#)
    try await replica.record(line: #"{"do":"create_task","title":"After"}"#)
    let losing = TestTransport { request in
      // Only the last two reach the server before the answer is lost: there is nothing to reopen.
      var sent = try SyncRequest(json: try JSON(parsing: request))
      sent.commands.removeFirst()
      _ = try await transport.exchange(Array(sent.json.encoded.utf8))
      throw ReplicaError.unreachable(reason: "the answer was lost")
    }
    await #expect(throws: ReplicaError.self) { try await replica.sync(over: losing) }
    try world.say(#"{"do":"complete_task","task":"\#(Self.task)"}"#, by: 0)
    try await replica.sync(over: transport)
    #expect(try world.count(of: reopening) == 0)
    let codes = await replica.conflicts.compactMap(\.code)
    #expect(codes == ["overtaken", "overtaken"])
    #expect(await replica.pending.isEmpty)
    try await expectSame(world, replica)
  }

  @Test func `nothing overtakes a command whose time is set to the server's (DM-8)`() async throws {
    let world = try worldWithTask()
    let habit = FeedTests.key(7)
    try world.say(#"{"do":"create_habit","key":"\#(habit)","name":"Run"}"#, by: 0)
    let (device, replica) = try await pulled(from: world)
    device.clock.advance(minutes: 2 * 24 * 60)
    let log = try await replica.record(line: #"{"do":"log_habit","habit":"\#(habit)"}"#)
    let after = try await replica.record(line: #"{"do":"create_task","title":"After"}"#)
    try await replica.sync(over: try world.transport())
    let ids = try world.lines(of: 0).compactMap {
      try JSON(parsing: Array($0.utf8))["id"]?.text.flatMap { Key($0) }
    }
    #expect(ids == [log, after])
    #expect(await replica.pending.isEmpty)
  }
}

/// Devices whose disks fail or lose power in the middle.
@Suite(.tags(.damage)) struct InterruptionTests {
  @Test func `a disk that fails at any call of a sync loses nothing (DM-9)`() async throws {
    try await interrupt { storage, calls in storage.plan(.inputOutput, after: calls) }
  }

  @Test func `a disk that is full at any call of a sync loses nothing (MO-10)`() async throws {
    try await interrupt { storage, calls in storage.limitRoom(to: calls * 200) }
  }

  /// Interrupts a sync at another moment each time, loses power, and syncs again with what the disk kept for certain, with
  /// everything, and with something in between.
  private func interrupt(
    _ plan: (SimulatedStorage, Int) -> Void
  ) async throws {
    var (calls, isInterrupted) = (0, true)
    while isInterrupted {
      let world = try ServerWorld()
      try world.say(#"{"do":"create_task","key":"\#(FeedTests.key(1))","title":"A"}"#, by: 0)
      let device = Device(1)
      var replica: Replica? = try device.open(ServerWorld.people[0])
      try await replica?.sync(over: try world.transport())
      var ids: [Key] = []
      for title in ["B", "C"] {
        if let id = try await replica?.record(line: #"{"do":"create_task","title":"\#(title)"}"#) {
          ids.append(id)
        }
      }
      try world.say(#"{"do":"delete_task","task":"\#(FeedTests.key(1))"}"#, by: 0)
      plan(device.storage, calls)
      do {
        try await replica?.sync(over: try world.transport())
        isInterrupted = !device.storage.hits.isEmpty
      } catch is ReplicaError {}
      device.storage.heal()
      replica = nil
      let disk = device.storage.disk
      var random = SystemRandomNumberGenerator()
      for kept in [
        disk, disk.crashState(using: &random).disk, disk.crashState(using: &random).disk,
      ] {
        device.restart(with: kept)
        let again = try device.open()
        try await again.sync(over: try world.transport())
        for id in ids { #expect(try world.count(of: id) == 1, "after \(calls) calls") }
        #expect(try await again.lines() == world.lines(of: 0), "after \(calls) calls")
        #expect(await again.pending.isEmpty)
      }
      calls += 7
    }
    #expect(calls > 3)
  }
}

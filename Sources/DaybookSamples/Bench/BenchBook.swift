import Avro
package import Daybook
import DaybookStore
package import Journal

/// Makes a large book of made-up logs for measurements; the same numbers give the same book.
package enum BenchBook {
  /// How a book's entries are grouped into commits.
  package enum Grouping: Sendable {
    /// Thousands of entries per commit, as in an import.
    case bulk
    /// One entry per commit, as a person records them.
    case single
  }

  /// Makes a book with a number of logs and five habits per account, for example 10 000 accounts
  /// and 50 000 habits for ten million logs.
  ///
  /// - Parameters:
  ///   - path: The directory, which must not hold a book.
  ///   - logs: How many `HabitLogged` entries.
  ///   - accounts: How many accounts; each has five habits.
  ///   - grouping: How entries are grouped into commits.
  ///   - hasHives: Whether every five accounts share a hive and log its days along with their first
  ///     habit's; this adds about a fifth more entries.
  ///   - storage: The storage.
  /// - Returns: The last entry's time.
  /// - Throws: ``JournalError`` when the disk refuses.
  package static func make(
    at path: String, logs: Int, accounts: Int, grouping: Grouping, hasHives: Bool = false,
    storage: any Storage = FileStorage()
  ) throws -> Instant {
    var maker = try Maker(at: path, storage, commitCount: grouping == .bulk ? 16_384 : 1)
    try maker.makeAccounts(accounts)
    if hasHives { try maker.makeHives() }
    try maker.makeLogs(logs)
    try maker.commit()
    return maker.at
  }

  /// Makes a book of hives of five members each, with a number of logs. Each member is done on
  /// about nine days of ten; a day on which all five are done advances the hive.
  ///
  /// - Parameters:
  ///   - path: The directory, which must not hold a book.
  ///   - logs: How many `HiveDayLogged` entries.
  ///   - hives: How many hives.
  ///   - storage: The storage.
  /// - Returns: The last entry's time.
  /// - Throws: ``JournalError`` when the disk refuses.
  package static func makeHives(
    at path: String, logs: Int, hives: Int, storage: any Storage = FileStorage()
  ) throws -> Instant {
    var maker = try Maker(at: path, storage, commitCount: 16_384)
    try maker.makeHives(hives)
    try maker.makeHiveLogs(logs)
    try maker.commit()
    return maker.at
  }

  private struct Maker {
    let writer: JournalWriter
    let commitCount: Int
    var bytes = BinaryWriter()
    var count = 0
    var at = BenchLogs.start
    var habits: [(habit: Habit.ID, owner: Account.ID)] = []
    /// The hives of a book of hives.
    var shared: [(hive: Hive.ID, members: [Account.ID])] = []
    var hives: [BenchHive] = []
    var state = BookState()

    init(at path: String, _ storage: any Storage, commitCount: Int) throws(JournalError) {
      let journal = Journal(directory: path, storage: storage)
      try journal.create(
        book: "be9c4b00-0000-4000-8000-000000000000", schemaText: BookReader.schemaText)
      let lock = try JournalWriter.takeLock(of: journal)
      let end = try journal.readBlocks { _, _ in true }
      writer = try JournalWriter(
        journal, after: end, lock: lock, schemaText: BookReader.schemaText)
      self.commitCount = commitCount
    }

    mutating func put(
      _ event: Event, _ actor: Account.ID?, step: Int32 = 1
    ) throws(JournalError) {
      let head = EntryHead(position: 0, at: at, actor: actor, key: nil, step: step)
      Entry(head, event).write(to: &bytes)
      count += 1
      if count == commitCount { try commit() }
    }

    mutating func commit() throws(JournalError) {
      guard count > 0 else { return }
      try writer.append(count: count, entries: bytes.bytes)
      bytes.removeAll()
      count = 0
    }

    mutating func record<C: Command>(_ command: C, _ actor: Account.ID?) throws -> C.Answer {
      let context = Context(
        actor: actor, at: at, freshKey: Key(high: 0, low: 0), zones: SystemTimeZones.shared)
      let decision = try command.decide(state, context)
      for (index, event) in decision.events.enumerated() {
        try put(event, actor, step: Int32(clamping: index + 1))
        state.apply(Entry(EntryHead(position: 0, at: at, actor: actor, key: nil), event))
      }
      return decision.answer
    }

    mutating func makeAccounts(_ accounts: Int) throws {
      for account in BenchLogs.accounts(accounts) {
        let owner = try record(account, nil)
        for habit in BenchLogs.habits(after: habits.count) {
          habits.append((try record(habit, owner), owner))
        }
      }
    }

    /// Makes a hive for every five accounts, from the first one's first habit.
    mutating func makeHives() throws {
      for first in stride(from: 0, to: habits.count, by: 25) {
        let owner = habits[first].owner
        let hive = try record(
          CreateHiveFromHabit(
            habits[first].habit, key: Key(high: 3, low: UInt64(hives.count)),
            name: "Hive \(hives.count)"), owner)
        let code = GrowthBook.code(hives.count)
        _ = try record(CreateHiveInvite(hive, code: code), owner)
        var memberCount = 1
        for place in stride(from: first + 5, to: min(first + 25, habits.count), by: 5) {
          _ = try record(JoinHive(code), habits[place].owner)
          memberCount += 1
        }
        hives.append(BenchHive(hive: hive, memberCount: memberCount))
      }
    }

    mutating func makeLogs(_ count: Int) throws(JournalError) {
      var logs = BenchLogs(habitCount: habits.count)
      for _ in 0..<count {
        let log = logs.next()
        at = log.at
        let (habit, owner) = habits[log.index]
        try put(.habitLogged(HabitLogged(habit: habit, day: log.day, value: log.value)), owner)
        guard log.index % 5 == 0, hives.indices.contains(log.index / 25) else { continue }
        for event in hives[log.index / 25].log(log.day, by: owner) { try put(event, owner) }
      }
    }

    mutating func makeHives(_ count: Int) throws {
      for index in 0..<count {
        var members: [Account.ID] = []
        for account in BenchLogs.accounts(5, after: index * 5) {
          members.append(try record(account, nil))
        }
        let name = CreateHive(key: Key(high: 4, low: UInt64(index)), name: "Hive \(index)")
        let hive = try record(name, members[0])
        let code = GrowthBook.code(index)
        _ = try record(CreateHiveInvite(hive, code: code), members[0])
        for member in members.dropFirst() { _ = try record(JoinHive(code), member) }
        shared.append((hive, members))
      }
    }

    mutating func makeHiveLogs(_ count: Int) throws(JournalError) {
      var logs = BenchLogs(habitCount: shared.count * 5)
      var done: (day: Day, counts: [UInt8]) = (.first, [])
      var streaks = [Int32](repeating: 0, count: shared.count)
      for _ in 0..<count {
        let log = logs.next()
        at = log.at
        if log.day != done.day {
          for (hive, count) in done.counts.enumerated() where count < 5 { streaks[hive] = 0 }
          done = (log.day, [UInt8](repeating: 0, count: shared.count))
        }
        let index = log.index / 5
        let (hive, members) = shared[index]
        let member = members[log.index % 5]
        var logged = HiveDayLogged.placeholder
        (logged.hive, logged.member, logged.day, logged.value) = (hive, member, log.day, .one)
        try put(.hiveDayLogged(logged), member)
        done.counts[index] += 1
        guard done.counts[index] == 5 else { continue }
        streaks[index] += 1
        var advanced = HiveAdvanced.placeholder
        (advanced.hive, advanced.day, advanced.streak) = (hive, log.day, streaks[index])
        (advanced.completeCount, advanced.requiredCount) = (5, 5)
        try put(.hiveAdvanced(advanced), member)
      }
    }
  }
}

/// A hive over the course of its days.
private struct BenchHive {
  let hive: Hive.ID
  let memberCount: Int
  private var day = Day.first
  private var doneCount = 0
  private var streak = 0

  init(hive: Hive.ID, memberCount: Int) {
    self.hive = hive
    self.memberCount = memberCount
  }

  /// The events of a member's log. It advances the day when everybody is done; a day that did not
  /// advance breaks the streak when the next one begins.
  mutating func log(_ day: Day, by member: Account.ID) -> [Event] {
    var events: [Event] = []
    if day != self.day {
      if doneCount < memberCount, streak > 0 {
        var broken = HiveBroken.placeholder
        (broken.hive, broken.day, broken.streak) = (hive, self.day, Int32(clamping: streak))
        (broken.completeCount, broken.requiredCount) = (Int32(doneCount), Int32(memberCount))
        events.append(.hiveBroken(broken))
        streak = 0
      }
      (self.day, doneCount) = (day, 0)
    }
    var logged = HiveDayLogged.placeholder
    (logged.hive, logged.member, logged.day, logged.value) = (hive, member, day, .one)
    events.append(.hiveDayLogged(logged))
    doneCount += 1
    if doneCount == memberCount, memberCount > 1 {
      streak += 1
      var advanced = HiveAdvanced.placeholder
      (advanced.hive, advanced.day, advanced.streak) = (hive, day, Int32(clamping: streak))
      (advanced.completeCount, advanced.requiredCount) = (Int32(doneCount), Int32(memberCount))
      events.append(.hiveAdvanced(advanced))
    }
    return events
  }
}

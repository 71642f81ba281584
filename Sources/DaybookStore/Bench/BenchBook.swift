import Avro
public import Daybook
public import Journal

/// Makes a large book of made-up logs for measurements: the same number makes the same book.
public enum BenchBook {
  /// How a book's entries are grouped into commits.
  public enum Grouping: Sendable {
    /// Thousands of entries a commit, as an import makes them.
    case bulk
    /// One entry a commit, as a person makes them.
    case single
  }

  /// Makes a book with a number of logs; five habits an account, as 10 000 accounts and 50 000 habits
  /// for ten million.
  ///
  /// - Parameters:
  ///   - path: The directory, which must not hold a book.
  ///   - logs: How many `HabitLogged` entries.
  ///   - accounts: How many accounts; each has five habits.
  ///   - grouping: How entries are grouped into commits.
  ///   - storage: The disk.
  /// - Returns: The last entry's time.
  /// - Throws: ``JournalError`` when the disk refuses.
  public static func make(
    at path: String, logs: Int, accounts: Int, grouping: Grouping,
    storage: any Storage = FileStorage()
  ) throws -> Instant {
    try Journal(directory: path, storage: storage).create(
      book: "be9c4b00-0000-4000-8000-000000000000", schemaText: BookReader.schemaText)
    let journal = Journal(directory: path, storage: storage)
    let lock = try JournalWriter.takeLock(of: journal)
    let end = try journal.readBlocks { _, _ in true }
    let writer = try JournalWriter(
      journal, after: end, lock: lock, schemaText: BookReader.schemaText)
    var maker = Maker(writer: writer, commitCount: grouping == .bulk ? 16_384 : 1)
    try maker.makeAccounts(accounts)
    try maker.makeLogs(logs)
    try maker.commit()
    return maker.at
  }

  private struct Maker {
    let writer: JournalWriter
    let commitCount: Int
    var bytes = BinaryWriter()
    var count = 0
    var at = Instant(clamping: 1_704_067_200_000)
    var habits: [(habit: Habit.ID, owner: Account.ID)] = []
    var random: UInt64 = 0x5EED
    var state = State()

    let firstDay = Day(clamping: 19_723)

    mutating func next(_ bound: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % bound
    }

    mutating func put(_ event: Event, _ actor: Account.ID?) throws(JournalError) {
      Entry(EntryHead(position: 0, at: at, actor: actor, key: nil), event).write(to: &bytes)
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
      for event in decision.events {
        try put(event, actor)
        state.apply(Entry(EntryHead(position: 0, at: at, actor: actor, key: nil), event))
      }
      return decision.answer
    }

    mutating func makeAccounts(_ accounts: Int) throws {
      let zones = ["Europe/London", "America/New_York", "Asia/Tokyo", "UTC"]
      for index in 0..<accounts {
        let owner = try record(
          CreateAccount(
            key: Key(high: 1, low: UInt64(index)), displayName: "Bee \(index)",
            timeZone: zones[index % zones.count]), nil)
        for number in 0..<5 {
          let target = number == 4 ? Amount(8) : .one
          let habit = try record(
            CreateHabit(
              key: Key(high: 2, low: UInt64(habits.count)), name: "Habit \(number)",
              type: number == 4 ? .counter : .checkbox, target: Target(target ?? .one)), owner)
          habits.append((habit, owner))
        }
      }
    }

    /// Day by day, each habit is logged on about nine days of ten, at a time of day of its own.
    mutating func makeLogs(_ logs: Int) throws(JournalError) {
      var made = 0
      var day = firstDay
      while made < logs {
        let start = Instant(clamping: Int64(day.number) * 86_400_000 + 18_000_000)
        for index in habits.indices where made < logs {
          guard next(10) > 0 else { continue }
          let (habit, owner) = habits[index]
          at = max(at, start.advanced(byMilliseconds: Int64(index * 60_000_000 / habits.count)))
          let value = index % 5 == 4 ? Amount(Int(next(8)) + 1) : .one
          try put(
            .habitLogged(
              HabitLogged(habit: habit, day: day, value: value ?? .one, source: .manual, note: nil)),
            owner)
          made += 1
        }
        day = day.advanced(by: 1)
      }
    }
  }
}

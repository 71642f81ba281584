import ArgumentParser
import Daybook
import DaybookSamples
import DaybookStore
import Journal

extension Bench {
  /// Measures durable commits of one entry each, alternating with raw writes and syncs of the same bytes.
  func append(_ path: String) throws -> [Figure] {
    let book = try Book(at: path + "/book")
    let account = try book.record(CreateAccount())
    let habit = try book.record(CreateHabit(name: "Read"), by: account)
    let rawPath = path + "/raw"
    let storage = FileStorage()
    let raw = try storage.open(rawPath, .create)
    var rawOffset = 0
    let block = [UInt8](repeating: 0x5A, count: 61)
    var commits: [Double] = []
    var writes: [Double] = []
    for _ in 0..<entries {
      commits.append(try Self.seconds { try book.record(LogHabit(habit), by: account) })
      writes.append(
        try Self.seconds {
          try raw.write(block, at: rawOffset)
          try raw.synchronize()
        })
      rawOffset += block.count
    }
    let commit = Self.median(commits)
    let write = Self.median(writes)
    return [
      ("commits", Double(entries)), ("commit_milliseconds", commit * 1000),
      ("raw_write_and_sync_milliseconds", write * 1000), ("ratio", commit / write),
      ("commits_per_second", Double(entries) / commits.reduce(0, +)),
    ]
  }

  /// Measures durable commits of many logs each.
  func append(_ path: String, batch: Int) throws -> [Figure] {
    guard (1...1_000_000).contains(batch) else {
      throw ValidationError("--batch: \(batch) is not from 1 to 1000000")
    }
    let book = try Book(at: path + "/book")
    let account = try book.record(CreateAccount())
    let habits = try (0..<batch).map {
      try book.record(CreateHabit(name: "Habit \($0)"), by: account)
    }
    let time = try Self.seconds {
      for _ in 0..<entries {
        try book.transaction { batch in
          for habit in habits { try batch.record(LogHabit(habit), by: account) }
        }
      }
    }
    return [
      ("commits", Double(entries)), ("logs_in_each", Double(batch)),
      ("commits_per_second", Double(entries) / time),
      ("logs_per_second", Double(entries * batch) / time),
    ]
  }

  /// Measures commits per second in three alternating ways: a thread that records logs in a loop, a task that
  /// does, and many tasks.
  func append(_ path: String, writers: Int) async throws -> [Figure] {
    guard (2...10_000).contains(writers) else {
      throw ValidationError("--writers: \(writers) is not from 2 to 10000")
    }
    let storage = CountingStorage()
    let (book, account, habits) = try writersBook(path, storage, writers)
    let each = max(1, entries / writers)
    var (blocking, one, many, syncs) = ([0.0], [0.0], [0.0], [0.0])
    for _ in 0..<5 {
      blocking.append(
        Double(each) / (try Self.seconds { try record(each, habits[0], account, in: book) }))
      one.append(Double(each) / (try await recordTogether(each, [habits[0]], account, in: book)))
      let before = storage.syncCount
      let count = Double(each * writers)
      many.append(count / (try await recordTogether(each, habits, account, in: book)))
      syncs.append(count / Double(storage.syncCount - before))
    }
    let medians = [blocking, one, many, syncs].map { Self.median(Array($0.dropFirst())) }
    return [
      ("writers", Double(writers)), ("blocking_writer_commits_per_second", medians[0]),
      ("one_writer_commits_per_second", medians[1]),
      ("all_writers_commits_per_second", medians[2]), ("ratio", medians[2] / medians[1]),
      ("commits_per_sync", medians[3]),
    ]
  }

  private func writersBook(
    _ path: String, _ storage: any Storage, _ writers: Int
  ) throws -> (Book, Account.ID, [Habit.ID]) {
    let book = try Book(at: path + "/book", storage: storage)
    let account = try book.record(CreateAccount())
    let habits = try (0..<writers).map {
      try book.record(CreateHabit(name: "Habit \($0)"), by: account)
    }
    return (book, account, habits)
  }

  private func record(
    _ count: Int, _ habit: Habit.ID, _ account: Account.ID, in book: Book
  ) throws {
    for _ in 0..<count { try book.record(LogHabit(habit), by: account) }
  }

  /// Starts a task for each habit that records `count` logs one after another; returns the seconds taken.
  private func recordTogether(
    _ count: Int, _ habits: [Habit.ID], _ account: Account.ID, in book: Book
  ) async throws -> Double {
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for habit in habits {
          group.addTask {
            for _ in 0..<count { try await book.record(LogHabit(habit), by: account) }
          }
        }
        try await group.waitForAll()
      }
    }
    return time / .seconds(1)
  }

  /// Measures deciding and recording the commands of a generated history in bulk.
  func importing(_ path: String) throws -> [Figure] {
    let storage = CountingStorage()
    let book = try Book(at: path + "/book", storage: storage)
    var habits: [(habit: Habit.ID, owner: Account.ID)] = []
    try book.importing { importer in
      for account in BenchLogs.accounts(max(1, entries / 1000)) {
        let owner = try importer.record(account, at: BenchLogs.start)
        for habit in BenchLogs.habits(after: habits.count) {
          habits.append((try importer.record(habit, by: owner, at: BenchLogs.start), owner))
        }
      }
    }
    var logs = BenchLogs(habitCount: habits.count)
    let before = (storage.syncCount, storage.writtenByteCount)
    let time = try Self.seconds {
      try book.importing { importer in
        for _ in 0..<entries {
          let log = logs.next()
          let (habit, owner) = habits[log.index]
          // The previous day has come in every zone.
          let day = DayChoice.day(log.day.advanced(by: -1))
          try importer.record(LogHabit(habit, value: log.value, day: day), by: owner, at: log.at)
        }
      }
    }
    let syncs = Double(storage.syncCount - before.0)
    let mebibytes = Double(storage.writtenByteCount - before.1) / 1_048_576
    return [
      ("entries", Double(entries)), ("seconds", time),
      ("million_entries_per_second", Double(entries) / time / 1e6), ("mebibytes", mebibytes),
      ("syncs", syncs), ("mebibytes_per_sync", mebibytes / syncs),
      ("bytes_per_entry", mebibytes * 1_048_576 / Double(entries)),
    ]
  }
}

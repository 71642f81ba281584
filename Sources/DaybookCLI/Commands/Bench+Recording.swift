import ArgumentParser
import Daybook
import DaybookStore
import Dispatch
import Foundation
import Journal
import Synchronization

extension Bench {
  /// Durable commits of one entry each, beside the raw write and sync of the same bytes, in turns.
  func append(_ path: String) throws -> [Figure] {
    if let writers { return try append(path, writers: writers) }
    if let batch { return try append(path, batch: batch) }
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

  /// Durable commits of many logs each.
  private func append(_ path: String, batch: Int) throws -> [Figure] {
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
        try book.commit { batch in
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

  /// One task that records logs in a loop, and many, in turns: how many commits a second each way makes.
  private func append(_ path: String, writers: Int) throws -> [Figure] {
    guard (2...10_000).contains(writers) else {
      throw ValidationError("--writers: \(writers) is not from 2 to 10000")
    }
    let storage = CountingStorage()
    let book = try Book(at: path + "/book", storage: storage)
    let account = try book.record(CreateAccount())
    let habits = try (0..<writers).map {
      try book.record(CreateHabit(name: "Habit \($0)"), by: account)
    }
    var blocking: [Double] = []
    var one: [Double] = []
    var many: [Double] = []
    var syncs: [Double] = []
    for _ in 0..<5 {
      let few = max(1, entries / writers / 2)
      blocking.append(
        Double(few) / (try Self.seconds { try record(few, [habits[0]], account, in: book) }))
      one.append(
        Double(few)
          / (try Self.seconds { try recordTogether(few, [habits[0]], account, in: book) }))
      let each = max(1, entries / writers)
      let before = storage.syncCount
      many.append(
        Double(each * writers)
          / (try Self.seconds { try recordTogether(each, habits, account, in: book) }))
      syncs.append(Double(each * writers) / Double(storage.syncCount - before))
    }
    let (first, all) = (Self.median(one), Self.median(many))
    return [
      ("writers", Double(writers)), ("blocking_writer_commits_per_second", Self.median(blocking)),
      ("one_writer_commits_per_second", first), ("all_writers_commits_per_second", all),
      ("ratio", all / first), ("commits_per_sync", Self.median(syncs)),
    ]
  }

  private func record(
    _ count: Int, _ habits: [Habit.ID], _ account: Account.ID, in book: Book
  ) throws {
    for habit in habits {
      for _ in 0..<count { try book.record(LogHabit(habit), by: account) }
    }
  }

  /// A task for each habit records so many logs, one after another.
  private func recordTogether(
    _ count: Int, _ habits: [Habit.ID], _ account: Account.ID, in book: Book
  ) throws {
    try Blocking.run {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for habit in habits {
          group.addTask {
            for _ in 0..<count { try await book.record(LogHabit(habit), by: account) }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

/// Runs a task from a thread that waits for it: only the program's own.
enum Blocking {
  static func run<Answer: Sendable>(
    _ body: @escaping @Sendable () async throws -> Answer
  ) throws -> Answer {
    let done = DispatchSemaphore(value: 0)
    let answer = Mutex<Result<Answer, any Error>?>(nil)
    let box = Box(answer)
    Task {
      do {
        let value = try await body()
        box.answer.withLock { $0 = .success(value) }
      } catch {
        box.answer.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    guard let answer = box.answer.withLock({ $0 }) else { fatalError("no answer") }
    return try answer.get()
  }

  private final class Box<Answer: Sendable>: Sendable {
    let answer: Mutex<Result<Answer, any Error>?>
    init(_ answer: consuming Mutex<Result<Answer, any Error>?>) { self.answer = answer }
  }
}

extension Bench {
  /// Commands of made-up history, decided and recorded in bulk.
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
          // The day before: a day that has come in every zone.
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

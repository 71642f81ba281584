import Daybook
import Foundation
import Journal
import PropertyTesting
import Synchronization
import Testing

@testable import DaybookStore

/// Many writers at once, refusals, repeated keys, and a disk that fails now and then; afterwards the journal is
/// compared with the answers to each writer.
@Suite(.tags(.damage), .timeLimit(.minutes(60))) struct WriterStressTests {
  /// A writer's request, and its answer.
  struct Told: Sendable {
    var writer: Int
    var command: Wish
    var actor: Account.ID
    var id: Key?
    var outcome: Outcome

    enum Outcome: Sendable, Equatable {
      case recorded(position: Int64, count: Int, isRepeated: Bool)
      case refused(String)
      case failed
    }
  }

  /// A command of the stress test, kept so that it can be decided again.
  enum Wish: Sendable {
    case log(LogHabit)
    case skip(SkipDay)
    case clear(ClearLog)
    case create(CreateHabit)
    case archive(ArchiveHabit)
    case restore(RestoreHabit)
  }

  @Test(arguments: 1...UInt64(try scaled(2)))
  func `every acknowledged command is recorded once, in each writer's order (ES-1, ES-6)`(
    seed: UInt64
  ) async throws {
    let storage = GatedStorage()
    let clock = HandClock(try #require(Instant(WriterFixture.now)))
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    var told: [Told] = []
    for round in 0..<4 {
      // Each round ends with the book closed, as after a disk failure.
      let book = try await Self.open(storage, clock)
      while book.read({ $0.accounts.elements.count }) < 3 {
        try await book.record(CreateAccount(timeZone: "UTC"))
      }
      let random = SeededRandom(state: seed &* 1000 &+ UInt64(round))
      switch round {
      case 1: storage.failWrites(after: 20, isFull: true)
      case 2: storage.failSyncs(after: 15)
      default: break
      }
      told += try await work(on: book, storage, clock, random, round: round)
      storage.heal()
      let live = book.read { $0 }
      let replayed = try book.reader.state()
      #expect(replayed.isSame(as: live), "seed \(seed), round \(round)")
      #expect(replayed.digest == live.digest)
    }
    try judge(
      told, BookReader(at: "book", storage: storage, zones: StateLedger.zones), "seed \(seed)")
  }

  /// Opens the book once its former threads are gone; they end after they have answered.
  private static func open(_ storage: GatedStorage, _ clock: HandClock) async throws -> Book {
    while true {
      do { return try WriterFixture.open(storage, clock, 4 << 10) } catch JournalError.locked {
        await Task.yield()
      }
    }
  }

  /// Eight tasks and two threads record at random; a full disk gets room again after the first failure.
  private func work(
    on book: Book, _ storage: GatedStorage, _ clock: HandClock, _ random: SeededRandom, round: Int
  ) async throws -> [Told] {
    try await withThrowingTaskGroup(of: [Told].self) { group in
      for writer in 0..<10 {
        var random = random
        random.state &+= UInt64(writer) &* 7919
        let start = random
        group.addTask {
          var random = start
          var told: [Told] = []
          for _ in 0..<25 {
            let (wish, actor, id) = Self.wish(book, clock, &random)
            let outcome = await Self.outcome(wish, actor, id, on: book, blocking: writer >= 8)
            if outcome == .failed { storage.heal() }
            told.append(Told(writer: writer, command: wish, actor: actor, id: id, outcome: outcome))
          }
          return told
        }
      }
      var all: [Told] = []
      for try await told in group { all += told }
      return all
    }
  }

  private static func wish(
    _ book: Book, _ clock: HandClock, _ random: inout SeededRandom
  ) -> (Wish, Account.ID, Key?) {
    let actor = Account.ID(Int.random(in: 1...3, using: &random)) ?? .first
    let habits = book.read { $0.habits.elements.count }
    let habit = Habit.ID(Int.random(in: 1...max(1, habits), using: &random)) ?? .first
    // Some days are in the future, and some habits belong to others; such logs are refused.
    let day = DayChoice.day(clock.today.advanced(by: Int.random(in: -20...2, using: &random)))
    let id =
      Int.random(in: 0..<3, using: &random) == 0
      ? Menu.key(7, Int.random(in: 0..<12, using: &random)) : nil
    let wish: Wish =
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        .create(CreateHabit(key: Menu.key(2, Int.random(in: 0..<9, using: &random)), name: "Read"))
      case 1: .archive(ArchiveHabit(habit))
      case 2: .restore(RestoreHabit(habit))
      case 3: .skip(SkipDay(habit, day: day))
      case 4: .clear(ClearLog(habit, day: day))
      default: .log(LogHabit(habit, day: day))
      }
    return (wish, actor, id)
  }

  private static func outcome(
    _ wish: Wish, _ actor: Account.ID, _ id: Key?, on book: Book, blocking: Bool
  ) async -> Told.Outcome {
    func ask<C: Command>(_ command: C) async -> Told.Outcome {
      do {
        let receipt =
          if blocking {
            try await onThread { try book.recordWithReceipt(command, by: actor, id: id) }
          } else {
            try await book.recordWithReceipt(command, by: actor, id: id)
          }
        return .recorded(
          position: receipt.position, count: receipt.count, isRepeated: receipt.isRepeated)
      } catch let rejection as Rejection {
        return .refused(rejection.code)
      } catch {
        return .failed
      }
    }
    return switch wish {
    case .log(let command): await ask(command)
    case .skip(let command): await ask(command)
    case .clear(let command): await ask(command)
    case .create(let command): await ask(command)
    case .archive(let command): await ask(command)
    case .restore(let command): await ask(command)
    }
  }

  // MARK: The judge

  private func judge(_ told: [Told], _ reader: BookReader, _ comment: Comment) throws {
    var every = EveryEntryAndState()
    try reader.replay(into: &every)
    let recorded = told.compactMap { told -> (Told, Int64, Int)? in
      guard case .recorded(let position, let count, false) = told.outcome, count > 0 else {
        return nil
      }
      return (told, position, count)
    }.sorted { $0.1 < $1.1 }
    var owned: Set<Int64> = []
    for (told, position, count) in recorded {
      let entries = every.entries[Int(position - 1)..<Int(position - 1) + count]
      #expect(owned.isDisjoint(with: entries.map(\.head.position)), comment)
      owned.formUnion(entries.map(\.head.position))
      // It equals the command's decision in the state before it.
      let expected = try told.decide(every.states[Int(position - 1)])
      #expect(entries.map(\.event) == expected, comment)
      #expect(entries.first?.head.key == told.id, comment)
      #expect(entries.allSatisfy { $0.head.actor == told.actor }, comment)
    }
    // Entries without an answer: the accounts, and commands that failed and were recorded nevertheless.
    for entry in every.entries where !owned.contains(entry.head.position) {
      if case .accountCreated = entry.event { continue }
      Issue.record("entry \(entry.head.position) was acknowledged to nobody; \(comment)")
    }
    for writer in 0..<10 {
      let positions = told.filter { $0.writer == writer }.compactMap(\.newPosition)
      #expect(positions == positions.sorted(), "writer \(writer), \(comment)")
    }
    // A repeated command was answered with the position of the first one.
    for told in told {
      guard case .recorded(let position, _, true) = told.outcome else { continue }
      #expect(every.entries[Int(position - 1)].head.key == told.id, comment)
    }
    let keys = every.entries.compactMap(\.head.key)
    #expect(Set(keys).count == keys.count, comment)
    #expect(recorded.count > 60, comment)
    #expect(told.contains { $0.outcome == .failed }, comment)
    #expect(
      told.contains { if case .refused = $0.outcome { true } else { false } }, comment)
  }

  private struct EveryEntryAndState: Projection {
    var entries: [Entry] = []
    /// The state before each entry.
    var states: [BookState] = []
    private var state = BookState()

    mutating func apply(_ entry: Entry) {
      entries.append(entry)
      states.append(state)
      state.apply(entry)
    }
  }
}

extension WriterStressTests.Told {
  /// The position of a newly recorded command.
  fileprivate var newPosition: Int64? {
    guard case .recorded(let position, let count, false) = outcome, count > 0 else { return nil }
    return position
  }

  /// The events that the command decides.
  fileprivate func decide(_ state: BookState) throws -> [Event] {
    let context = Context(
      actor: actor, at: try #require(Instant(WriterFixture.now)), freshKey: Menu.key(9, 0),
      zones: StateLedger.zones)
    return switch command {
    case .log(let command): try command.decide(state, context).events
    case .skip(let command): try command.decide(state, context).events
    case .clear(let command): try command.decide(state, context).events
    case .create(let command): try command.decide(state, context).events
    case .archive(let command): try command.decide(state, context).events
    case .restore(let command): try command.decide(state, context).events
    }
  }
}

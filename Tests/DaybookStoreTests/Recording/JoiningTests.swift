import Daybook
import Journal
import Testing

@testable import DaybookStore

/// Writers that arrive while a commit is decided, and join it.
@Suite(.tags(.unit), .timeLimit(.minutes(60))) struct JoiningTests {
  let fixture: WriterFixture

  init() throws { fixture = try WriterFixture() }

  private func pending<C: Command>(_ command: C, id: Key? = nil) -> PendingCommand {
    PendingCommand(
      CommandEnvelope(by: fixture.ada, id: id) { try command.decide($0, $1).events })
  }

  /// Makes the book carry out writes like the holder of the turn, while others join in rounds; returns how many were
  /// carried out, and how often the book asked for joining writers.
  private func carryOut(
    _ writes: inout ArraySlice<any GroupedWrite>, expecting expected: Int = 64,
    joined rounds: [[any GroupedWrite]], on book: Book
  ) -> (count: Int, askedCount: Int) {
    var askedCount = 0
    book.queue.takeTurn()
    defer { book.queue.passTurn(of: book) }
    let (count, failure, _) = book.commit(&writes, expecting: expected) { _ in
      defer { askedCount += 1 }
      return askedCount < rounds.count ? rounds[askedCount] : []
    }
    for write in writes.prefix(count) { write.settle(after: failure) }
    return (count, askedCount)
  }

  private func position(_ write: PendingCommand) throws -> Int64? {
    try write.ticket.answer?.get().position
  }

  @Test func `a command that arrives while a commit is decided shares it (ES-1)`() throws {
    let before = try fixture.commits().count
    let pendings = (1...5).map { pending(fixture.log($0)) }
    var writes: ArraySlice<any GroupedWrite> = [pendings[0], pendings[1]]
    let found = carryOut(
      &writes, joined: [[pendings[2]], [pendings[3], pendings[4]]], on: fixture.book)
    #expect(found == (5, 3))
    #expect(try pendings.map { try position($0) } == [3, 4, 5, 6, 7])
    #expect(try fixture.commits().dropFirst(before) == [5])
    try fixture.expectSameWhenReopened()
  }

  @Test func `a joining command is decided in the state that the earlier ones leave (HH-26)`()
    throws
  {
    let habit = try #require(Habit.ID(2))
    let day = DayChoice.day(fixture.clock.today)
    let key = Menu.key(7, 1)
    let first = pending(CreateHabit(key: Menu.key(2, 1), name: "Swim"))
    let joined = [
      pending(LogHabit(habit, day: day), id: key), pending(fixture.future()),
      pending(LogHabit(habit, day: day), id: key),
    ]
    var writes: ArraySlice<any GroupedWrite> = [first]
    let found = carryOut(&writes, joined: joined.map { [$0] }, on: fixture.book)
    #expect(found == (4, 4))
    #expect(try position(joined[0]) == 4)
    #expect(throws: Rejection.self) { try position(joined[1]) }
    #expect(try joined[2].ticket.answer?.get().isRepeated == true)
    #expect(try position(joined[2]) == 4)
    #expect(fixture.book.read { $0.position } == 4)
    try fixture.expectSameWhenReopened()
  }

  @Test func `a joining command with a used key gets its receipt (ES-6)`() throws {
    let key = Menu.key(7, 1)
    let first = try fixture.book.recordWithReceipt(fixture.log(1), by: fixture.ada, id: key)
    let joined = pending(fixture.log(1), id: key)
    var writes: ArraySlice<any GroupedWrite> = [pending(fixture.log(2))]
    #expect(carryOut(&writes, joined: [[joined]], on: fixture.book) == (2, 2))
    let second = try #require(try joined.ticket.answer?.get())
    #expect(second.isRepeated && second.position == first.position)
    #expect(fixture.book.read { $0.position } == 4)
  }

  @Test func `a command that does not fit waits for the next commit, and so do later ones`() throws
  {
    let before = try fixture.commits().count
    let long = String(repeating: "x", count: 700 << 10)
    let pendings = (1...3).map { _ in pending(fixture.log(note: long)) }
    var writes: ArraySlice<any GroupedWrite> = [pendings[0]]
    let found = carryOut(&writes, joined: [[pendings[1]], [pendings[2]]], on: fixture.book)
    #expect(found == (1, 1))
    #expect(writes.count == 2)
    #expect(pendings[1].ticket.answer == nil)
    writes = writes.dropFirst()
    #expect(carryOut(&writes, joined: [], on: fixture.book) == (1, 1))
    #expect(try pendings.map { try position($0) } == [3, 4, nil])
    #expect(try fixture.commits().dropFirst(before) == [1, 1])
    try fixture.expectSameWhenReopened()
  }

  @Test func `a commit of few entries accepts no joining command`() {
    var writes: ArraySlice<any GroupedWrite> = [pending(fixture.log(1))]
    let expected = Book.copyingCount - 1
    let found = carryOut(
      &writes, expecting: expected, joined: [[pending(fixture.log(2))]], on: fixture.book)
    #expect(found == (1, 0))
    #expect(fixture.book.read { $0.position } == 3)
  }

  @Test func `joined commands are decided again when another book was faster`() throws {
    let log = RacingLog()
    let here = try Book(on: log, clock: fixture.clock.bookClock)
    let there = try Book(on: log, clock: fixture.clock.bookClock)
    let ada = try here.record(CreateAccount(timeZone: "UTC"))
    let habit = try here.record(CreateHabit(name: "Read"), by: ada)
    let pendings = (1...3).map { number in
      pending(LogHabit(habit, day: .day(fixture.clock.today.advanced(by: -number))))
    }
    log.race { try there.record(ArchiveHabit(habit), by: ada) }
    var writes: ArraySlice<any GroupedWrite> = [pendings[0]]
    let found = carryOut(&writes, joined: [[pendings[1]], [], [pendings[2]]], on: here)
    #expect(found == (3, 4))
    for pending in pendings {
      #expect(throws: Rejection.habitArchived("Read")) { try position(pending) }
    }
    #expect(try log.head() == Position(3))
  }

  @Test func `tasks that come back repeatedly are each answered once`() async throws {
    let fixture = fixture
    let (taskCount, turns) = (Book.copyingCount * 2, 20)
    let positions = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for task in 0..<taskCount {
        group.addTask {
          var positions: [Int64] = []
          for turn in 0..<turns {
            let command = fixture.log(task * turns + turn)
            positions.append(
              try await fixture.book.recordWithReceipt(command, by: fixture.ada).position)
          }
          return positions
        }
      }
      return try await group.reduce(into: [[Int64]]()) { $0.append($1) }
    }
    #expect(positions.allSatisfy { $0 == $0.sorted() })
    #expect(positions.flatMap(\.self).sorted() == Array(3...Int64(2 + taskCount * turns)))
    #expect(Set(try fixture.loggedDays()).count == taskCount * turns)
    try fixture.expectSameWhenReopened()
  }
}

import Daybook
import Journal
import Testing

@testable import DaybookStore

/// Writers that wait together share a commit.
@Suite(.tags(.unit), .timeLimit(.minutes(60))) struct GroupCommitTests {
  let fixture = try? WriterFixture()

  @Test func `commands that wait at the same time share a commit (ES-1)`() async throws {
    let fixture = try #require(fixture)
    let before = try fixture.commits().count
    let (first, others) = try await fixture.hold(waiting: 20) { number in
      try await fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada)
    }
    #expect(first.position == 3)
    #expect(others.map(\.position).sorted() == Array(4...23))
    #expect(others.allSatisfy { $0.count == 1 && !$0.isRepeated })
    #expect(try fixture.commits().dropFirst(before) == [1, 20])
    try fixture.expectSameWhenReopened()
  }

  @Test func `readers never see unsynced entries, and never wait`() async throws {
    let fixture = try #require(fixture)
    fixture.storage.close()
    let commit = Task { try await fixture.book.record(fixture.log(1), by: fixture.ada) }
    while fixture.storage.heldCount == 0 { await Task.yield() }
    #expect(fixture.book.read { $0.position } == 2)
    #expect(fixture.book.read { $0.habits[fixture.habit]?.days.records.count } == 0)
    fixture.storage.open()
    _ = try await commit.value
    #expect(fixture.book.read { $0.position } == 3)
  }

  @Test func `a repeated command does not wait for writers (HH-26)`() async throws {
    let fixture = try #require(fixture)
    let id = Menu.key(7, 1)
    let command = fixture.log(1)
    func commit() throws -> Receipt<Day> {
      try fixture.book.recordWithReceipt(command, by: fixture.ada, id: id)
    }
    let first = try commit()
    fixture.storage.close()
    let writing = Task { try await fixture.book.record(fixture.log(2), by: fixture.ada) }
    while fixture.storage.heldCount == 0 { await Task.yield() }
    // The writer has the turn, and waits for the disk.
    let again = try commit()
    #expect(again.isRepeated && again.position == first.position)
    let later = try await fixture.book.recordWithReceipt(command, by: fixture.ada, id: id)
    #expect(later.isRepeated && later.position == first.position)
    fixture.storage.open()
    _ = try await writing.value
  }

  @Test func `a refusal goes to its own caller, and affects no other command (HH-26)`() async throws
  {
    let fixture = try #require(fixture)
    let (_, others) = try await fixture.hold(waiting: 9) { number -> String in
      do {
        let command = number % 3 == 0 ? fixture.future() : fixture.log(number)
        return "\(try await fixture.book.recordWithReceipt(command, by: fixture.ada).count)"
      } catch let rejection as Rejection {
        return rejection.code
      }
    }
    #expect(
      others.sorted() == ["1", "1", "1", "1", "1", "1"] + Array(repeating: "future_day", count: 3))
    #expect(fixture.book.read { $0.position } == 2 + 1 + 6)
    try fixture.expectSameWhenReopened()
  }

  @Test func `each command is decided in the state that the earlier ones leave`() async throws {
    let fixture = try #require(fixture)
    let key = Menu.key(2, 77)
    // Two accounts create a habit with one key: the second to be decided is refused.
    let eve = try await fixture.book.record(CreateAccount(timeZone: "UTC"))
    let (_, others) = try await fixture.hold(waiting: 2) { number -> String in
      do {
        let actor = number == 1 ? fixture.ada : eve
        return
          "\(try await fixture.book.recordWithReceipt(CreateHabit(key: key, name: "Swim"), by: actor).count)"
      } catch let rejection as Rejection {
        return rejection.code
      }
    }
    #expect(others.sorted() == ["1", "key_taken"])
  }

  @Test func `a key used twice in one group is recorded once, and answered twice (ES-6)`()
    async throws
  {
    let fixture = try #require(fixture)
    let id = Menu.key(7, 1)
    let (_, others) = try await fixture.hold(waiting: 5) { _ in
      try await fixture.book.recordWithReceipt(fixture.log(4), by: fixture.ada, id: id)
    }
    #expect(Set(others.map(\.position)) == [4])
    #expect(others.filter { !$0.isRepeated }.count == 1)
    #expect(Set(others.map(\.answer)).count == 1)
    #expect(fixture.book.read { $0.position } == 4)
    let again = try await fixture.book.recordWithReceipt(fixture.log(4), by: fixture.ada, id: id)
    #expect(again.isRepeated && again.position == 4)
  }

  @Test func `one key for two different commands of a group is refused for the second`()
    async throws
  {
    let fixture = try #require(fixture)
    let id = Menu.key(7, 1)
    let (_, others) = try await fixture.hold(waiting: 2) { number -> String in
      do {
        return
          "\(try await fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada, id: id).count)"
      } catch let rejection as Rejection {
        return rejection.code
      }
    }
    #expect(others.sorted() == ["1", "key_reused"])
    try fixture.expectSameWhenReopened()
  }

  @Test(arguments: [true, false])
  func `a failing disk fails the group's commands, and the state stays as before`(
    isFull: Bool
  ) async throws {
    let fixture = try #require(fixture)
    let (_, others) = try await fixture.hold(waiting: 8) { number -> String in
      // The first commit is held at its sync; the group behind it is refused.
      fixture.storage.failWrites(after: 0, isFull: isFull)
      do {
        let command = number == 3 ? fixture.future() : fixture.log(number)
        return "\(try await fixture.book.recordWithReceipt(command, by: fixture.ada).count)"
      } catch let error as JournalError {
        return "\(error)".contains("injected") ? "disk" : "\(error)"
      } catch let rejection as Rejection {
        return rejection.code
      }
    }
    // The refusal of the third depends on what was not written, unless it was decided first.
    #expect(others.filter { $0 == "disk" }.count >= 7)
    #expect(others.allSatisfy { $0 == "disk" || $0 == "future_day" })
    #expect(fixture.book.read { $0.position } == 3)
    fixture.storage.heal()
    if isFull {
      #expect(
        try await fixture.book.recordWithReceipt(fixture.log(2), by: fixture.ada).position == 4)
    } else {
      await #expect(throws: JournalError.self) {
        try await fixture.book.recordWithReceipt(fixture.log(2), by: fixture.ada)
      }
    }
    try fixture.expectSameWhenReopened()
  }

  @Test func `a task cancelled while it waits records nothing`() async throws {
    let fixture = try #require(fixture)
    fixture.storage.close()
    let first = Task { try await fixture.book.recordWithReceipt(fixture.log(1), by: fixture.ada) }
    while fixture.storage.heldCount == 0 { await Task.yield() }
    let taken = Task { try await fixture.book.recordWithReceipt(fixture.log(2), by: fixture.ada) }
    let waiting = Task { try await fixture.book.recordWithReceipt(fixture.log(3), by: fixture.ada) }
    while fixture.book.queue.waitingCount < 2 { await Task.yield() }
    // The first one was taken already, so it is carried out.
    first.cancel()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    fixture.storage.open()
    #expect(try await first.value.position == 3)
    #expect(try await taken.value.position == 4)
    #expect(fixture.book.read { $0.position } == 4)
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await fixture.book.recordWithReceipt(fixture.log(3), by: fixture.ada)
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(fixture.book.read { $0.position } == 4)
  }

  @Test func `cancelled commands are removed from the queue while others wait`() async throws {
    let fixture = try #require(fixture)
    fixture.storage.close()
    let first = Task { try await fixture.book.recordWithReceipt(fixture.log(1), by: fixture.ada) }
    while fixture.storage.heldCount == 0 { await Task.yield() }
    for _ in 0..<500 {
      let task = Task { try await fixture.book.recordWithReceipt(fixture.log(2), by: fixture.ada) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(fixture.book.queue.waitingCount < 70)
    fixture.storage.open()
    _ = try await first.value
    #expect(try await fixture.book.recordWithReceipt(fixture.log(3), by: fixture.ada).position == 4)
  }

  @Test func `a group has a maximum of commands, and of bytes`() async throws {
    let fixture = try #require(fixture)
    let before = try fixture.commits().count
    let long = String(repeating: "x", count: 400 << 10)
    let (_, others) = try await fixture.hold(waiting: CommitQueue.groupCount + 100) { number in
      let note = number > CommitQueue.groupCount + 90 ? long : nil
      return try await fixture.book.recordWithReceipt(fixture.log(note: note), by: fixture.ada)
        .position
    }
    #expect(others.sorted() == Array(4...Int64(CommitQueue.groupCount + 103)))
    let groups = try fixture.commits().dropFirst(before)
    #expect(groups.first == 1 && groups.dropFirst().allSatisfy { $0 <= CommitQueue.groupCount })
    #expect(groups.count >= 6, "ten notes of 400 KiB take five groups or more")
    try fixture.expectSameWhenReopened()
  }

  @Test func `a command too large for a journal fails alone`() async throws {
    let fixture = try #require(fixture)
    let huge = String(repeating: String(repeating: "x", count: 1 << 20), count: 129)
    let (_, others) = try await fixture.hold(waiting: 6) { number -> String in
      do {
        let note = number == 3 ? huge : nil
        return
          "\(try await fixture.book.recordWithReceipt(fixture.log(note: note), by: fixture.ada).count)"
      } catch JournalError.commitTooLarge {
        return "too large"
      }
    }
    #expect(others.sorted() == ["1", "1", "1", "1", "1", "too large"])
  }

  @Test func `a command may state the expected last position`() async throws {
    let fixture = try #require(fixture)
    let id = Menu.key(7, 3)
    let conflict = await #expect(throws: PositionConflict.self) {
      try await fixture.book.recordWithReceipt(
        fixture.log(1), by: fixture.ada, expecting: Position(1))
    }
    #expect(conflict?.description.contains("last entry is 2, not 1") == true)
    let first = try await fixture.book.recordWithReceipt(
      fixture.log(1), by: fixture.ada, id: id, expecting: Position(2))
    #expect(first.position == 3)
    // Repeating it shows that it was recorded.
    let second = try await fixture.book.recordWithReceipt(
      fixture.log(1), by: fixture.ada, id: id, expecting: Position(2))
    #expect(second.isRepeated && second.position == 3)
    let (_, others) = try await fixture.hold(waiting: 3) { number -> String in
      do {
        return
          "\(try await fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada, expecting: Position(4)).position)"
      } catch let error as PositionConflict {
        return error.code
      }
    }
    #expect(others.sorted() == ["5", "conflict", "conflict"])
  }
}

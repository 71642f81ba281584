import Avro
import Daybook
import Foundation
import Journal
import Testing

@testable import DaybookStore

/// Batches of tasks that wait at the same time share a commit.
@Suite(.tags(.unit), .timeLimit(.minutes(60))) struct GroupedBatchTests {
  private let fixture = try? WriterFixture()

  @Test func `batches and commands that wait at the same time share a commit (ES-1)`() async throws
  {
    let fixture = try #require(fixture)
    let before = try fixture.commits().count
    let (_, others) = try await fixture.hold(waiting: 20) { number -> Int in
      guard number % 4 != 0 else {
        return try await fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada).count
      }
      return try await fixture.book.transaction { batch in
        try batch.record(fixture.log(number), by: fixture.ada)
        try batch.record(fixture.log(number + 1), by: fixture.ada)
        return 2
      }
    }
    #expect(others.reduce(0, +) == 35)
    #expect(try fixture.commits().dropFirst(before) == [1, 35])
    try fixture.expectSameWhenReopened()
  }

  @Test func `a long batch has a commit of its own`() async throws {
    let fixture = try #require(fixture)
    let before = try fixture.commits().count
    _ = try await fixture.hold(waiting: 7) { number -> Int in
      guard number % 4 == 0 || number == 7 else {
        return try await fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada).count
      }
      return try await fixture.book.transaction(isLong: true) { batch in
        for log in 0..<8 { try batch.record(fixture.log(8 * number + log), by: fixture.ada) }
        return 8
      }
    }
    let commits = try fixture.commits().dropFirst(before)
    #expect(commits.first == 1 && commits.reduce(0, +) == 1 + 5 + 2 * 8)
    #expect(commits.filter { $0 == 8 }.count == 2, "\(commits)")
    try fixture.expectSameWhenReopened()
  }

  @Test func `readers do not wait while a batch is decided`() async throws {
    let fixture = try #require(fixture)
    let (book, log, ada) = (fixture.book, fixture.log(1), fixture.ada)
    let (begun, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let position = book.read { $0.position }
    let reader = Thread {
      begun.wait()
      _ = book.read { $0.position }
      read.signal()
    }
    reader.start()
    let wasRead = try await book.transaction { batch in
      try batch.record(log, by: ada)
      begun.signal()
      // However slow the machine is; a reader that waits for the batch would never arrive.
      return read.wait(timeout: .now() + 60) == .success
    }
    #expect(wasRead)
    #expect(book.read { $0.position } == position + 1)
  }

  @Test func `a refused batch leaves nothing, and affects no other`() async throws {
    let fixture = try #require(fixture)
    let (_, others) = try await fixture.hold(waiting: 9) { number -> String in
      do {
        return try await fixture.book.transaction { batch in
          try batch.record(fixture.log(number), by: fixture.ada)
          if number % 3 == 0 { try batch.record(fixture.future(), by: fixture.ada) }
          return "done"
        }
      } catch let rejection as Rejection {
        return rejection.code
      }
    }
    #expect(others.filter { $0 == "done" }.count == 6)
    #expect(others.filter { $0 == "future_day" }.count == 3)
    #expect(fixture.book.read { $0.position } == 2 + 1 + 6)
    try fixture.expectSameWhenReopened()
  }

  @Test func `entities of refused batches do not exist, and others exist once`()
    async throws
  {
    let fixture = try #require(fixture)
    let (_, others) = try await fixture.hold(waiting: 12) { number -> String in
      do {
        return try await fixture.book.transaction { batch in
          try batch.record(CreateHabit(name: "Habit \(number)"), by: fixture.ada)
          if number % 3 == 0 { try batch.record(fixture.future(), by: fixture.ada) }
          return "done"
        }
      } catch let rejection as Rejection {
        return rejection.code
      }
    }
    #expect(others.filter { $0 == "done" }.count == 8)
    #expect(fixture.book.read { $0.habits.count } == 1 + 8)
    try fixture.expectSameWhenReopened()
  }

  @Test func `a batch that does not fit a commit is recorded once, in the next one`()
    async throws
  {
    let fixture = try #require(fixture)
    let before = try fixture.commits().count
    let note = String(repeating: "x", count: CommitGroup.byteCount * 2 / 5)
    let (_, others) = try await fixture.hold(waiting: 5) { number in
      try await fixture.book.transaction { batch in
        try batch.record(CreateHabit(name: "Habit \(number)"), by: fixture.ada)
        try batch.record(fixture.log(note: note), by: fixture.ada)
        return batch.state.habits.count
      }
    }
    #expect(others.sorted() == [2, 3, 4, 5, 6])
    #expect(try fixture.commits().dropFirst(before) == [1, 4, 4, 2])
    try fixture.expectSameWhenReopened()
  }

  @Test func `each batch is decided in the state that the earlier ones leave`() async throws {
    let fixture = try #require(fixture)
    let (_, others) = try await fixture.hold(waiting: 40) { number -> Int64 in
      try await fixture.book.transaction { batch in
        let before = batch.state.position
        try batch.record(fixture.log(number), by: fixture.ada)
        return before
      }
    }
    #expect(others.sorted() == Array(3..<43))
  }

  @Test func `a key repeated within one commit is found after that commit`() async throws {
    let fixture = try #require(fixture)
    let id = Menu.key(7, 1)
    let (_, others) = try await fixture.hold(waiting: 4) { _ in
      try await fixture.book.transaction { batch in
        try batch.record(fixture.log(4), by: fixture.ada, id: id)
      }
    }
    #expect(Set(others).count == 1)
    #expect(fixture.book.read { $0.position } == 4, "it is recorded once")
    try fixture.expectSameWhenReopened()
  }

  @Test func `lines repeated within one commit are answered alike, whatever they leave`()
    async throws
  {
    let fixture = try #require(fixture)
    let (book, caller) = (fixture.book, Caller.account(fixture.ada))
    try await book.record(CreateHousehold(name: "Home"), by: fixture.ada)
    let leave = [try JSON(parsing: #"{"do":"leave_household"}"#)]
    let (_, others) = try await fixture.hold(waiting: 4) { _ in
      try await book.record(together: leave, from: caller, id: Menu.key(7, 3)).map(\.text)
    }
    #expect(Set(others).count == 1)
    try fixture.expectSameWhenReopened()
  }

  @Test func `a command with the key of a batch in the same commit is answered from disk`()
    async throws
  {
    let fixture = try #require(fixture)
    let id = Menu.key(7, 2)
    let day = try await fixture.book.record(fixture.log(4), by: fixture.ada)
    let last = fixture.book.read { $0.position }
    // After the clear there is nothing to clear: the state after it does not answer the repeated command.
    let clear = ClearLog(fixture.habit, day: .day(day))
    let (_, others) = try await fixture.hold(waiting: 6) { number -> Int64 in
      if number % 2 == 0 {
        return try await fixture.book.recordWithReceipt(clear, by: fixture.ada, id: id).position
      }
      return try await fixture.book.transaction { batch in
        try batch.record(clear, by: fixture.ada, id: id)
        return batch.state.position
      }
    }
    #expect(others.count == 6)
    #expect(
      fixture.book.read { $0.position } == last + 2, "it is recorded once, beside what was held")
    try fixture.expectSameWhenReopened()
  }

  @Test func `a failing disk fails the group's batches, and the state stays as before`()
    async throws
  {
    let fixture = try #require(fixture)
    let (_, others) = try await fixture.hold(waiting: 5) { number -> String in
      fixture.storage.failWrites(after: 0, isFull: true)
      do {
        return try await fixture.book.transaction { batch in
          try batch.record(fixture.log(number), by: fixture.ada)
          return "done"
        }
      } catch is JournalError {
        return "disk"
      }
    }
    #expect(others == Array(repeating: "disk", count: 5))
    #expect(fixture.book.read { $0.position } == 3)
    fixture.storage.heal()
    let position = try await fixture.book.transaction { batch in
      try batch.record(fixture.log(2), by: fixture.ada)
      return batch.state.position
    }
    #expect(position == 4)
    try fixture.expectSameWhenReopened()
  }
}

import Daybook
import DaybookStore

import Synchronization
import Testing

/// A custom log, as in a program that keeps blocks in a database.
@Suite(.tags(.unit)) struct OwnLogTests {
  @Test func `a book runs on a log that keeps its blocks in an array`() throws {
    let log = ArrayLog()
    let book = try Book(on: log)
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    try Book(on: log).record(CreateHabit(name: "Read"), by: ada)
    try book.record(CreateHabit(name: "Swim"), by: ada)
    #expect(try BookReader(on: log).state().digest == book.read { $0.digest })
    #expect(log.head() == Position(3))
    #expect(throws: JournalError.self) { try book.erase(ada) }
  }
}

/// Commits in an array, with the schema that they were written with.
private final class ArrayLog: EventLog {
  private struct Commit {
    var first: Position
    var count: Int
    var entries: [UInt8]
    var schema: String
  }

  private let commits = Mutex<[Commit]>([])

  var signal: CommitSignal? { nil }

  func head() -> Position { commits.withLock { Self.head($0) } }

  func append(count: Int, entries: [UInt8], expecting last: Position) throws(AppendError) {
    let actual = commits.withLock { commits in
      let head = Self.head(commits)
      if head == last {
        commits.append(
          Commit(
            first: head.next, count: count, entries: entries, schema: BookReader.schemaText))
      }
      return head
    }
    guard actual == last else {
      throw .conflict(PositionConflict(expected: last, actual: actual))
    }
  }

  func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd {
    let all = commits.withLock { $0 }
    for commit in all where start < commit.first.advanced(by: commit.count) {
      let entries = commit.entries
      let block = Block(
        first: commit.first, count: commit.count, bytes: entries.span.bytes, of: "an array")
      guard try body(commit.schema, block) else { break }
    }
    return LogEnd(head: Self.head(all))
  }

  private static func head(_ commits: [Commit]) -> Position {
    commits.last.map { $0.first.advanced(by: $0.count - 1) } ?? .start
  }
}

import Daybook
import DaybookStore
import Journal

/// A book in memory that checks itself: after a refused or repeated command its state must be the one before.
struct BookLedger: Ledger {
  let storage = MemoryStorage()
  let clock: HandClock
  private let snapshots: SnapshotSpacing
  private(set) var book: Book
  /// The state after each commit.
  private(set) var states: [BookState] = []
  /// The commands with a key that appended something, each with its first receipt.
  private(set) var keyed: [Repeat] = []
  /// Violations found.
  private(set) var complaints: [String] = []
  /// The number of refused commands.
  private(set) var refusals = 0

  var state: BookState { book.read { $0 } }

  init(_ clock: HandClock, snapshots: SnapshotSpacing = .standard) throws {
    self.clock = clock
    self.snapshots = snapshots
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    book = try Self.open(storage, clock, snapshots)
  }

  private static func open(
    _ storage: MemoryStorage, _ clock: HandClock, _ snapshots: SnapshotSpacing
  ) throws -> Book {
    try Book(
      opening: BookReader(at: "book", storage: storage, zones: StateLedger.zones),
      clock: clock.bookClock,
      // Small, so that a history needs several segments.
      segmentByteCount: Book.segmentByteCount(holding: 300), sealing: .atOnce,
      snapshots: snapshots)
  }

  /// A command with a key, and its first receipt.
  struct Repeat {
    let first: Told
    /// Sends the command to a book again.
    let again: (Book) throws -> Told

    /// A receipt without the type of its answer.
    struct Told: Equatable {
      var answer: String
      var position: Int64
      var count: Int
    }
  }

  /// The files of the journal, byte for byte.
  struct Files: Equatable {
    private(set) var contents: [String: [UInt8]] = [:]

    init(_ storage: MemoryStorage) throws {
      for name in try storage.names(in: "book/journal") ?? [] {
        let file = try storage.open("book/journal/\(name)", .read)
        var bytes: [UInt8] = []
        try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
        contents[name] = bytes
      }
    }
  }

  /// Undoes its last entry, if that is possible.
  mutating func undoLast() throws {
    let position = state.position
    guard let past = try book.reader.commandHistory(at: position, knowing: state) else { return }
    do {
      try record(Undo(position, past), by: past.entries.first?.head.actor, at: nil, id: nil)
    } catch is Rejection {}
  }

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws {
    try watched { ledger in
      let receipt = try ledger.book.recordWithReceipt(command, by: actor, at: at, id: id)
      if id != nil, receipt.count > 0, !receipt.isRepeated {
        let repeated = Repeat(first: Repeat.Told(receipt)) { book in
          // A repeated command is sent later, and perhaps with the old time.
          let second = try book.recordWithReceipt(command, by: actor, at: at, id: id)
          guard second.isRepeated else { return Repeat.Told(answer: "anew", position: 0, count: 0) }
          return Repeat.Told(second)
        }
        ledger.keyed.append(repeated)
      }
      return receipt.isRepeated ? 0 : receipt.count
    }
  }

  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws {
    try watched { ledger in
      try ledger.book.transaction { batch in
        for command in commands { try batch.record(command, by: actor, at: at) }
      }
      return commands.count
    }
  }

  /// Carries out a commit that returns how many entries it appended; if there are none, nothing may change.
  private mutating func watched(_ commit: (inout BookLedger) throws -> Int) throws {
    let before = (state, try Files(storage))
    var count = 0
    defer {
      if count > 0 { states.append(state) }
    }
    do {
      count = try commit(&self)
    } catch let rejection as Rejection {
      refusals += 1
      try compare(before, "after \(rejection.code)")
      throw rejection
    }
    if count == 0 { try compare(before, "after a command without events") }
  }

  private mutating func compare(_ before: (BookState, Files), _ when: String) throws {
    if !state.isSame(as: before.0) { complaints.append("the state changed \(when)") }
    if try Files(storage) != before.1 { complaints.append("the journal changed \(when)") }
  }

  /// Sends every command with a key again.
  mutating func repeatAll(_ when: String) throws {
    let before = (state, try Files(storage))
    for command in keyed {
      let second = try command.again(book)
      if second != command.first {
        complaints.append("\(when): first \(command.first), then \(second)")
      }
    }
    try compare(before, "after repeated commands \(when)")
  }

  /// Closes the book and opens it again.
  mutating func reopen() throws {
    // The lock is released when nothing holds the book any more, so another book takes its place first.
    let clock = HandClock(clock.instant)
    book = try Book(at: "none", storage: MemoryStorage(), clock: clock.bookClock)
    book = try Self.open(storage, self.clock, snapshots)
  }
}

extension BookLedger.Repeat.Told {
  init<Answer>(_ receipt: Receipt<Answer>) {
    self.init(
      answer: "\(receipt.answer)", position: receipt.position, count: receipt.count)
  }
}

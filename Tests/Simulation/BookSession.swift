import Avro
import Daybook
import DaybookStore
import Journal
import PropertyTesting
import SimulatedStorage

/// A program that keeps a whole book: commands, sealing, indexes and snapshots, with a clock that jumps.
struct BookSession {
  enum Operation: String, CaseIterable {
    /// Logs today.
    case log
    /// Changes a habit in two ways, as two entries of one commit.
    case change
    /// Logs a few days in bulk.
    case importing
    /// Seals, indexes, takes snapshots.
    case seal
    /// Closes the book and opens it again.
    case reopen
  }

  /// The entries that the book must hold, and how many may follow.
  struct Promise: Hashable {
    var isMade = false
    /// A fingerprint of each entry that was acknowledged, or read by a program that opened the book for writing.
    var kept: [UInt64] = []
    var followingCount = 0

    mutating func take(_ entries: [UInt64]) {
      self = Promise(isMade: true, kept: entries)
    }

    func judge(_ entries: [UInt64]) throws(Flaw) {
      try Flaw.require(
        entries.starts(with: kept), "\(kept.count) entries were kept, others are there")
      let count = entries.count - kept.count
      try Flaw.require(
        count <= followingCount, "\(count) entries more than were kept, \(followingCount) submitted"
      )
    }
  }

  let storage: SimulatedStorage
  let segmentByteCount: Int
  private let clock: JumpingClock
  private var book: Book?
  private var promise: Promise
  private var promises: [(changes: Int, promise: Promise)]
  private var count: Int64 = 0

  private static let habit = Habit.ID(1)

  private mutating func note() { promises.append((storage.changes, promise)) }

  static func reader(on storage: SimulatedStorage) -> BookReader {
    BookReader(at: "book", storage: storage)
  }

  /// The fingerprints of all entries, read from the first on.
  static func entries(of reader: BookReader) throws -> [UInt64] {
    var entries = Fingerprints()
    try reader.replay(into: &entries)
    try Flaw.require(!entries.ranBackwards, "the clock ran backwards")
    return entries.all
  }

  /// The fingerprints of a block's entries.
  static func fingerprints(in block: borrowing Block) throws -> [UInt64] {
    var reader = BinaryReader(block.bytes)
    var position = block.first.number
    return try (0..<block.count).map { _ in
      var entry = try Entry(from: &reader)
      entry.head.position = position
      position += 1
      return fingerprint(of: entry)
    }
  }

  private static func fingerprint(of entry: Entry) -> UInt64 {
    var writer = BinaryWriter()
    entry.write(to: &writer)
    var hash = Fingerprint(UInt64(entry.head.position))
    hash.combine(writer.bytes)
    return hash.value
  }

  private struct Fingerprints: Projection {
    var all: [UInt64] = []
    var ranBackwards = false
    private var last = Instant.first

    mutating func apply(_ entry: Entry) {
      all.append(BookSession.fingerprint(of: entry))
      if entry.head.at < last { ranBackwards = true }
      last = entry.head.at
    }
  }
}

extension BookSession: Program {
  static var nothing: Promise { Promise() }
  static var segmentByteCounts: [Int] { [1, Book.segmentByteCount(holding: 500), 1 << 20] }
  static var operations: Generator<Operation> {
    .frequency(
      (6, .constant(.log)), (2, .constant(.change)), (1, .constant(.importing)),
      (2, .constant(.seal)), (1, .constant(.reopen)))
  }

  init(
    _ disk: SimulatedDisk, _ promise: Promise, segmentByteCount: Int,
    _ behaviour: SimulatedStorage.Behaviour
  ) {
    var behaviour = behaviour
    behaviour.keepsHistory = true
    storage = SimulatedStorage(disk, behaviour)
    self.promise = promise
    promises = [(0, promise)]
    self.segmentByteCount = segmentByteCount
    clock = JumpingClock(seed: UInt64(promise.kept.count))
  }

  func promise(after changes: Int) -> Promise {
    promises.last { $0.changes <= changes }?.promise ?? promise
  }

  mutating func begin() throws(Flaw) {
    book = nil
    let reader = Self.reader(on: storage)
    guard let exists = try attempt({ try reader.journal.exists() }) else { return }
    if !exists {
      try Flaw.require(!promise.isMade, "the book is gone")
      let clock = clock.bookClock
      let storage = storage
      let made: Void? = try attempt {
        try Book.create(at: "book", storage: storage, clock: clock)
      }
      guard made != nil else { return }
      promise.take([])
      note()
    }
    try open(reader)
    if book != nil, promise.kept.isEmpty {
      try record(3) { book in
        try book.transaction { batch in
          let ada = try batch.record(CreateAccount(timeZone: "UTC"))
          _ = try batch.record(CreateHabit(name: "Read"), by: ada)
        }
      }
    }
  }

  private mutating func open(_ reader: BookReader) throws(Flaw) {
    let (clock, segmentByteCount) = (clock.bookClock, segmentByteCount)
    let opened = try attempt {
      try Book(
        opening: reader, clock: clock, segmentByteCount: segmentByteCount, sealing: .atOnce,
        snapshots: SnapshotSpacing(smallestGap: 3, share: 4))
    }
    guard let opened, let entries = try attempt({ try Self.entries(of: reader) }) else { return }
    try Flaw.during("opened for writing") { () throws(Flaw) in try promise.judge(entries) }
    book = opened
    count = Int64(entries.count)
    promise.take(entries)
    note()
  }

  mutating func perform(_ operation: Operation) throws(Flaw) {
    if book == nil { try begin() }
    guard let book, let habit = Self.habit, let owner = Account.ID(1) else { return }
    switch operation {
    case .log:
      let amount = Amount(Int(count % 5) + 1) ?? .one
      try record(1) { try $0.record(LogHabit(habit, value: amount), by: owner) }
    case .change:
      let number = Int(count)
      try record(2) { book in
        let change = UpdateHabit(habit) {
          $0.name = "Read \(number)"
          $0.target.amount = Amount(number % 7 + 1) ?? .one
        }
        try book.record(change, by: owner)
      }
    case .importing:
      let number = Int(count)
      try record(3) { book in
        try book.importing { importer in
          for offset in 1...3 {
            let value = Amount(number % 6 + offset) ?? .one
            try importer.record(LogHabit(habit, value: value), by: owner)
          }
        }
      }
    case .seal: _ = try attempt { try book.seal() }
    case .reopen: try begin()
    }
  }

  /// Records at most this many entries.
  private mutating func record(
    _ maximumCount: Int, _ body: (Book) throws -> Void
  ) throws(Flaw) {
    guard let current = book else { return }
    promise.followingCount += maximumCount
    note()
    let done: Void? = try attempt { try body(current) }
    let reader = Self.reader(on: storage)
    if done != nil {
      guard let entries = try attempt({ try Self.entries(of: reader) }) else { return }
      try promise.judge(entries)
      count = Int64(entries.count)
      promise.take(entries)
      note()
    } else {
      // A program that was refused opens the book again.
      book = nil
    }
  }

  /// Runs something that the disk or the book may refuse.
  private func attempt<Result>(_ body: () throws -> Result) throws(Flaw) -> Result? {
    do { return try body() } catch let flaw as Flaw { throw flaw } catch let error as JournalError {
      if case .corrupt = error { throw Flaw("\(error)") }
      return nil
    } catch { return nil }
  }

  func checkOpenings() throws(Flaw) {
    try Flaw.require(
      storage.writtenThoughReadOnly.isEmpty, "written: \(storage.writtenThoughReadOnly)")
  }

  func inspect(
    _ crashState: CrashState, _ promise: Promise, isDeep: Bool, _ verdicts: Verdicts,
    _ tally: inout Tally
  ) throws(Flaw) -> Bool {
    let storage = SimulatedStorage(crashState.disk)
    let reader = Self.reader(on: storage)
    return try Flaw.unlessDone("looking at the book") {
      guard try reader.journal.exists() else {
        try Flaw.require(!promise.isMade, "the book is gone")
        return true
      }
      let entries: [UInt64]
      do { entries = try Self.entries(of: reader) } catch let error as JournalError {
        if crashState.isCorrupted, case .corrupt = error { return false }
        throw error
      }
      try promise.judge(entries)
      try checkAnswers(of: reader, count: entries.count)
      var next = BookSession(
        crashState.disk, promise, segmentByteCount: segmentByteCount, .init())
      try next.begin()
      try next.perform(.log)
      try Flaw.require(
        next.promise.kept.starts(with: entries) && next.promise.kept.count > entries.count,
        "it does not go on after \(entries.count) entries")
      return true
    }
  }

  /// Indexes and snapshots must agree with the entries, and so must a verification.
  private func checkAnswers(of reader: BookReader, count: Int) throws {
    let verification = try reader.verify()
    try Flaw.require(verification.isWhole, "verified: \(verification.damages)")
    try Flaw.require(
      verification.entryCount == count, "verified \(verification.entryCount) entries")
    let complaints = try reader.verifyDeeply()
    try Flaw.require(complaints.isEmpty, "\(complaints)")
    guard let storage = reader.journal.storage as? SimulatedStorage else { return }
    let bare = SimulatedStorage(storage.disk)
    for (path, _) in storage.disk.contents
    where path.hasSuffix(".index") || path.hasSuffix(".keys") || path.contains("/snapshots/") {
      try bare.remove(path)
    }
    let audits = try [reader, Self.reader(on: bare)].map(Self.evidence)
    try Flaw.require(audits[0] == audits[1], "an index or a snapshot says otherwise")
  }

  /// A fingerprint of the entries behind each day of the habit; `nil` without a habit.
  private static func evidence(_ reader: BookReader) throws -> UInt64? {
    let state = try reader.state()
    guard let habit, state.habits[habit] != nil else { return nil }
    var hash = Fingerprint()
    for day in try reader.view(asOf: state.at).audit(of: habit).days {
      hash.combine(UInt64(bitPattern: Int64(day.judged.day.number)))
      hash.combine(day.judged.mark.rawValue.utf8)
      for item in day.evidence { hash.combine(UInt64(item.position)) }
    }
    return hash.value
  }
}

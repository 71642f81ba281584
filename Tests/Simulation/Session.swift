import Journal
import SimulatedStorage

/// A program that works on a book, and the ledgers of its promises, by the number of changes to the disk.
struct Session {
  let storage: SimulatedStorage
  let journal: Journal
  let segmentByteCount: Int
  private(set) var ledger: Ledger
  private var ledgers: [(changes: Int, ledger: Ledger)]
  private var writer: JournalWriter?
  private var nextNumber: Int
  /// The number of entries in the last commit: damage may make it look torn.
  private(set) var lastCommitCount = 0
  /// The errors that the program met.
  private(set) var failures: [String] = []

  init(
    _ disk: SimulatedDisk = SimulatedDisk(), _ ledger: Ledger = Ledger(), segmentByteCount: Int,
    _ behaviour: SimulatedStorage.Behaviour = .init()
  ) {
    var behaviour = behaviour
    behaviour.keepsHistory = true
    storage = SimulatedStorage(disk, behaviour)
    journal = .simulated(on: storage)
    self.segmentByteCount = segmentByteCount
    self.ledger = ledger
    ledgers = [(0, ledger)]
    nextNumber = 2 * (1 + (ledger.possible.joined().max() ?? ledger.kept.max() ?? 0) / 2)
  }

  /// The promises after this many changes.
  func ledger(after changes: Int) -> Ledger {
    ledgers.last { $0.changes <= changes }?.ledger ?? ledger
  }

  private mutating func note() { ledgers.append((storage.changes, ledger)) }

  // MARK: Operations

  /// Creates the book if there is none, and opens it.
  mutating func begin() throws(Flaw) {
    guard let exists = attempt({ journal throws(JournalError) in try journal.exists() }) else {
      return
    }
    if !exists {
      if ledger.isMade { throw Flaw("the book is gone") }
      guard attempt({ journal throws(JournalError) in try journal.create() }) != nil else { return }
      ledger.take([])
      note()
    }
    try open()
  }

  mutating func perform(_ operation: Script.Operation) throws(Flaw) {
    switch operation {
    case .one: try append(1, isLong: false)
    case .two: try append(2, isLong: false)
    case .long: try append(1, isLong: true)
    case .batch: try publish()
    case .close: try close()
    case .seal: try seal()
    case .reopen: try reopen()
    }
  }

  mutating func reopen() throws(Flaw) {
    writer = nil
    try begin()
  }

  /// Opens the book for writing; its entries must be kept from now on.
  private mutating func open() throws(Flaw) {
    let segmentByteCount = segmentByteCount
    let opened = attempt { journal throws(JournalError) in
      try journal.open(segmentByteCount: segmentByteCount)
    }
    guard let opened else { return }
    try Flaw.during("opened for writing") { () throws(Flaw) in
      try ledger.judge(.entries(opened.numbers))
    }
    writer = opened.writer
    ledger.take(opened.numbers)
    note()
  }

  private mutating func append(_ count: Int, isLong: Bool) throws(Flaw) {
    if writer == nil { try begin() }
    guard let writer else { return }
    let numbers = (0..<count).map { nextNumber + 2 * $0 + (isLong ? 1 : 0) }
    nextNumber += 2 * count
    ledger.possible.append(numbers)
    note()
    let done: Void? = attempt { _ throws(JournalError) in try writer.append(numbers) }
    if done != nil {
      ledger.take(ledger.kept + numbers)
      lastCommitCount = count
      note()
    } else if failures.last == "poisoned" {
      // Nothing was submitted; a program opens the book again.
      ledger.possible.removeLast()
      note()
      try reopen()
    }
  }

  private mutating func publish() throws(Flaw) {
    if writer == nil { try begin() }
    guard let writer else { return }
    let commits = [[nextNumber], [nextNumber + 2, nextNumber + 4]]
    nextNumber += 6
    // Where every segment is full at once, the first may be published before the second.
    ledger.possible += [commits[0], Array(commits.joined())]
    note()
    let done: Void? = attempt { _ throws(JournalError) in
      for commit in commits { try writer.write(commit) }
      try writer.publish()
    }
    if done != nil {
      ledger.take(ledger.kept + commits.joined())
      lastCommitCount = 2
      note()
    } else if failures.last == "poisoned" {
      try reopen()
    } else if writer.head.number > ledger.kept.count {
      // The first was published before the second was refused, which may nevertheless exist.
      ledger.take(ledger.kept + commits[0])
      ledger.possible = [commits[1]]
      note()
    }
  }

  private mutating func close() throws(Flaw) {
    if writer == nil { try begin() }
    guard let writer else { return }
    _ = attempt { _ throws(JournalError) in try writer.closeSegment() }
    if failures.last == "poisoned" { try reopen() }
  }

  private mutating func seal() throws(Flaw) {
    if writer == nil { try begin() }
    guard let writer else { return }
    _ = attempt { journal throws(JournalError) in
      try journal.seal(before: writer.segment, lock: writer.lock)
    }
  }

  private mutating func attempt<Result>(
    _ body: (Journal) throws(JournalError) -> Result
  ) -> Result? {
    do throws(JournalError) { return try body(journal) } catch {
      if case .poisoned = error { failures.append("poisoned") } else { failures.append("\(error)") }
      return nil
    }
  }

  // MARK: Invariants

  /// Checks that no finished file was opened for writing.
  func checkOpenings() throws(Flaw) {
    for opening in storage.openings {
      let file = opening.path.split(separator: "/").last.map(String.init) ?? ""
      guard let name = SegmentName(fileName: file) else { continue }
      let later = opening.siblings.compactMap(SegmentName.init(fileName:)).contains { $0 > name }
      try Flaw.require(!later, "\(opening.path) was opened for writing, and is not the last")
    }
    try Flaw.require(
      storage.writtenThoughReadOnly.isEmpty, "written: \(storage.writtenThoughReadOnly)")
  }

  /// Nothing failed: for disks without faults.
  func checkHealthy() throws(Flaw) {
    try Flaw.require(failures.isEmpty, "\(failures)")
    try checkOpenings()
  }
}

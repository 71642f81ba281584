import PropertyTesting
import SimulatedStorage

/// A program that works on a disk and receives promises: the subject of a random walk.
protocol Program: SendableMetatype {
  associatedtype Operation: Sendable
  /// The entries that the disk must hold, and those that it may hold.
  associatedtype Promise

  /// Starts on a disk left by an earlier program, with that program's promises.
  init(
    _ disk: SimulatedDisk, _ promise: Promise, segmentByteCount: Int,
    _ behaviour: SimulatedStorage.Behaviour)

  /// The promises to the first program: none.
  static var nothing: Promise { get }
  /// The program's operations; one that is listed more often is likelier.
  static var operations: Generator<Operation> { get }
  /// Segment lengths that lead to different behaviour.
  static var segmentByteCounts: [Int] { get }

  var storage: SimulatedStorage { get }
  /// The promises after this many changes of the disk.
  func promise(after changes: Int) -> Promise

  /// Opens the book, and creates it first if there is none.
  mutating func begin() throws(Flaw)
  mutating func perform(_ operation: Operation) throws(Flaw)
  /// Checks that no finished file was opened for writing.
  func checkOpenings() throws(Flaw)

  /// Examines a disk found after a crash; returns whether the program can continue on it, since a corrupted one may
  /// be refused.
  func inspect(
    _ crashState: CrashState, _ promise: Promise, isDeep: Bool, _ verdicts: Verdicts,
    _ tally: inout Tally
  ) throws(Flaw) -> Bool
}

extension Session: Program {
  static var nothing: Ledger { Ledger() }
  static var segmentByteCounts: [Int] { [1, Script.fewCommits, Script.fewCommits + 100, 1 << 20] }
  static var operations: Generator<Script.Operation> {
    .frequency(
      (4, .constant(.one)), (3, .constant(.two)), (2, .constant(.long)), (1, .constant(.close)),
      (1, .constant(.batch)), (2, .constant(.seal)), (2, .constant(.reopen)))
  }

  func promise(after changes: Int) -> Ledger { ledger(after: changes) }

  func inspect(
    _ crashState: CrashState, _ promise: Ledger, isDeep: Bool, _ verdicts: Verdicts,
    _ tally: inout Tally
  ) throws(Flaw) -> Bool {
    let inspection = Inspection(segmentByteCount: segmentByteCount, verdicts: verdicts)
    let found = try inspection.find(on: crashState.disk, isDeep: isDeep, &tally)
    if crashState.isCorrupted, case .damaged = found { return false }
    try promise.judge(found)
    return true
  }
}

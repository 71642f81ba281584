import PropertyTesting
import SimulatedStorage

/// A program that works on a disk and is promised things: what a random walk is about.
protocol Program: SendableMetatype {
  associatedtype Operation: Sendable
  /// What the disk must hold, and what it may hold.
  associatedtype Promise

  /// Begins on a disk that an earlier program left, with what that one was promised.
  init(
    _ disk: SimulatedDisk, _ promise: Promise, segmentByteCount: Int,
    _ behaviour: SimulatedStorage.Behaviour)

  /// What a program is promised that nobody was before.
  static var nothing: Promise { get }
  /// What a program does, each the likelier the more often.
  static var operations: Generator<Operation> { get }
  /// The lengths of segments that make different things happen.
  static var segmentByteCounts: [Int] { get }

  var storage: SimulatedStorage { get }
  /// What was promised when the disk had been changed so many times.
  func promise(after changes: Int) -> Promise

  /// Opens the book, and makes it before if there is none.
  mutating func begin() throws(Flaw)
  mutating func perform(_ operation: Operation) throws(Flaw)
  /// No file that is finished was opened for writing.
  func checkOpenings() throws(Flaw)

  /// Looks at a disk that was found after a crash; says whether it can be gone on with, for it was perhaps
  /// corrupted and is refused.
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

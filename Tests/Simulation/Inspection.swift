import Journal
import SimulatedStorage

/// Examines a disk found after a crash, all of it on disk.
///
/// These requirements hold whatever was promised: a reader agrees with the writer that recovers; recovery depends on
/// nothing held only in memory; opening again changes nothing; appending works. The ledger judges what was promised.
struct Inspection {
  let segmentByteCount: Int
  let verdicts: Verdicts

  /// Examines the disk; in depth, also with a second power failure at every change of the recovery and the operations
  /// after it.
  func find(
    on disk: SimulatedDisk, isDeep: Bool, _ tally: inout Tally
  ) throws(Flaw) -> Finding {
    var key = Fingerprint(disk.fingerprint)
    key.combine(UInt64(segmentByteCount))
    if let known = verdicts[key.value], known.isDeep || !isDeep { return known.finding }
    tally.disks += verdicts[key.value] == nil ? 1 : 0
    let finding = try look(at: disk, isDeep: isDeep, &tally)
    verdicts[key.value] = Verdicts.Verdict(finding: finding, isDeep: isDeep)
    return finding
  }

  private func look(
    at disk: SimulatedDisk, isDeep: Bool, _ tally: inout Tally
  ) throws(Flaw) -> Finding {
    var behaviour = SimulatedStorage.Behaviour()
    behaviour.keepsHistory = true
    let storage = SimulatedStorage(disk, behaviour)
    let journal = Journal.simulated(on: storage)
    let finding = read(journal)
    try checkVerification(of: journal, finding)
    try Flaw.require(storage.changes == 0, "reading changed the disk")
    switch finding {
    case .damaged:
      let isRefused = (try? journal.open(segmentByteCount: segmentByteCount)) == nil
      try Flaw.require(isRefused, "refused for reading, and opened for writing")
      try Flaw.require(
        storage.disk.fingerprint == disk.fingerprint || storage.disk.isSame(as: disk, but: "LOCK"),
        "a damaged book was changed")
      return finding
    case .noBook:
      try Flaw.unlessDone("making the book again") { try journal.create() }
    case .entries: break
    }
    let numbers = if case .entries(let numbers) = finding { numbers } else { [Int]() }
    let recovery = storage.changes
    try open(journal, finding: numbers)
    let opened = storage.changes
    try agree(Journal.simulated(on: SimulatedStorage(storage.disk.withoutMemory)), numbers, "kept")
    let before = storage.disk.fingerprint
    try open(journal, finding: numbers, isClean: true)
    try Flaw.require(storage.disk.fingerprint == before, "opening again changed the disk")
    let appending = storage.changes
    let after = numbers + [Self.number]
    try Flaw.unlessDone("appending after recovery") {
      try journal.open(segmentByteCount: segmentByteCount).writer.append([Self.number])
    }
    let appended = storage.changes
    try agree(journal, after, "after an append")
    try agree(Journal.simulated(on: SimulatedStorage(storage.disk.withoutMemory)), after, "kept")
    guard isDeep else { return finding }
    try seal(journal, holding: after)
    let history = storage.history
    for index in recovery + 1..<history.count where index <= opened || index > appending {
      try Flaw.during("second crash after \(index) changes") { () throws(Flaw) in
        for crashState in history[index].crashStates(.coarse) {
          tally.count(.secondCrash)
          let found = try find(on: crashState.disk, isDeep: false, &tally)
          if crashState.isCorrupted, case .damaged = found { continue }
          // A book whose creation was not acknowledged may exist or not.
          if finding == .noBook, index <= opened, found == .noBook { continue }
          let isBefore = index < appended && found == .entries(numbers)
          let isAfter = index > appending && found == .entries(after)
          try Flaw.require(isBefore || isAfter, "\(numbers) was kept, \(found) is left")
        }
      }
    }
    return finding
  }

  /// The number of the entry appended as a test.
  private static let number = 1 << 40

  /// The result of reading.
  func read(_ journal: Journal) -> Finding {
    do throws(JournalError) {
      return .entries(try journal.read().numbers)
    } catch {
      switch error {
      case .noBook, .notABook: return .noBook
      default: return .damaged("\(error)")
      }
    }
  }

  private func agree(_ journal: Journal, _ numbers: [Int], _ when: String) throws(Flaw) {
    let found = read(journal)
    try Flaw.require(found == .entries(numbers), "\(when): read \(found), not \(numbers)")
  }

  /// A verification agrees with a reader; its head is contained in the book forever.
  private func checkVerification(of journal: Journal, _ finding: Finding) throws(Flaw) {
    guard finding != .noBook else { return }
    try Flaw.unlessDone("verifying") {
      let verification = try journal.verify()
      guard case .entries(let numbers) = finding else {
        // A last block with a wrong count is reported as torn.
        return try Flaw.require(
          !verification.isWhole || verification.torn != nil, "refused, and verified as whole")
      }
      try Flaw.require(verification.isWhole, "verified: \(verification.damages)")
      let head = verification.head
      try Flaw.require(
        verification.entryCount == numbers.count
          && head?.position.number == Int64(numbers.count),
        "read \(numbers.count) entries, verified \(verification.entryCount), head \(head, default: "-")"
      )
    }
  }

  /// Seals everything, twice; the same entries always give the same files.
  private func seal(_ journal: Journal, holding numbers: [Int]) throws(Flaw) {
    try Flaw.unlessDone("sealing") {
      let writer = try journal.open(segmentByteCount: segmentByteCount).writer
      try journal.checkChain()
      let head = try journal.verify().head
      try writer.closeSegment()
      try journal.seal(before: writer.segment, lock: writer.lock)
      try Flaw.require(
        journal.seal(before: writer.segment, lock: writer.lock).isEmpty, "sealed twice")
      try journal.checkChain()
      try agree(journal, numbers, "sealed")
      let verification = try journal.verify(expecting: head)
      try Flaw.require(
        verification.isWhole && verification.proof == .contained && verification.head == head,
        "sealed, and verified: \(verification)")
      var key = Fingerprint()
      let segments = try journal.segments()
      for segment in segments { key.combine(UInt64(segment.first.number)) }
      for number in numbers { key.combine(UInt64(number)) }
      let digest = try journal.fileDigest(of: segments[segments.count - 2])
      try Flaw.require(
        verdicts.isFirst(digest, for: key.value), "the same entries were sealed to other bytes")
    }
  }

  /// Opens for writing, and expects the reader's result.
  private func open(
    _ journal: Journal, finding numbers: [Int], isClean: Bool = false
  ) throws(Flaw) {
    let opened = try Flaw.unlessDone("opening for writing") {
      try journal.open(segmentByteCount: segmentByteCount)
    }
    try Flaw.require(opened.numbers == numbers, "read \(numbers), opened \(opened.numbers)")
    try Flaw.require(opened.writer.recovered == opened.torn, "another torn tail was cut than read")
    try Flaw.require(!isClean || opened.torn == nil, "a torn tail was found twice")
    try agree(journal, numbers, "while it is open")
  }
}

extension SimulatedDisk {
  /// Whether two disks are equal, except for an empty file.
  func isSame(as other: SimulatedDisk, but name: String) -> Bool {
    func files(_ disk: SimulatedDisk) -> [String: [UInt8]] {
      Dictionary(uniqueKeysWithValues: disk.contents.filter { !$0.path.hasSuffix(name) })
    }
    return files(self) == files(other)
  }
}

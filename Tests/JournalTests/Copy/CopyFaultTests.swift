import PropertyTesting
import SimulatedStorage
import Testing

@testable import Journal

/// Every call to the disk fails, and the power fails after every call, while a book is copied.
@Suite(.tags(.damage)) struct CopyFaultTests {
  /// The content: sealed and open segments, and a torn tail.
  static let commits: [Commit] = (1...8).map { [Note(at: Int64($0), "note \($0)")] }

  enum Work: String, CaseIterable {
    case backup, update, restore

    func run(_ journal: Journal) throws(JournalError) {
      switch self {
      case .backup, .update: try journal.backup(to: "copy")
      case .restore: try journal.restore(to: "copy", until: 5)
      }
    }

    /// The content of the copy.
    var notes: [Note] {
      CopyFaultTests.commits.flatMap(\.self).filter { $0.at <= (self == .restore ? 5 : 8) }
    }
  }

  /// A book of two sealed segments, a closed one, and an active one; for an update, with a backup of its state at
  /// half of that.
  static func prepare(_ storage: any Storage, for work: Work) throws -> Journal {
    let journal = Journal(directory: "book", storage: storage)
    try journal.create()
    for half in [commits[..<4], commits[4...]] {
      let writer = try journal.open().writer
      for (index, commit) in half.enumerated() {
        if index == 2 || half.startIndex > 0 && index == 0 { try writer.closeSegment() }
        try writer.append(commit)
      }
      var sealer = SegmentSealer(journal, lock: writer.lock)
      try sealer.sealNext()
      if work == .update, half.startIndex == 0 { try journal.backup(to: "copy", linking: false) }
    }
    #expect(try journal.segments().count == 4)
    #expect(try journal.unsealed().count == 2)
    return journal
  }

  @Test(arguments: Work.allCases, DiskFault.allCases)
  func `a disk failure leaves the book unchanged, and no partial copy that looks whole`(
    work: Work, fault: DiskFault
  ) throws {
    let start = SimulatedStorage()
    _ = try Self.prepare(start, for: work)
    var call = 0
    var operations: Set<String> = []
    let step = try scaledStep(5)
    while true {
      let storage = SimulatedStorage(start.disk)
      let journal = Journal(directory: "book", storage: storage)
      let before = try BackupTests.files(journal)
      let copy = Journal(directory: "copy", storage: storage)
      let earlier = work == .update ? try copy.entries() : nil
      let callsBefore = storage.calls
      storage.plan(fault, after: call)
      var failed = false
      do throws(JournalError) { try work.run(journal) } catch {
        failed = true
        // A failing disk is reported as such, never as damage.
        if case .corrupt = error { Issue.record("call \(call): \(error)") }
      }
      let calls = storage.calls - callsBefore
      let hit = storage.hits.first
      storage.heal()
      let comment: Comment = "call \(call): \(hit ?? "-")"
      #expect(try BackupTests.files(journal) == before, comment)
      if let earlier {
        // A backup is the old one or the new one, and nothing between.
        #expect(try copy.verify().damages == [], comment)
        #expect(try [earlier, work.notes].contains(copy.entries()), comment)
      } else if copy.isBook {
        #expect(try copy.verify().damages == [], comment)
        #expect(try copy.entries() == work.notes, comment)
      } else {
        #expect(failed, comment)
      }
      if let hit { operations.insert(hit) }
      // Repeated, it succeeds; a book that exists already was finished.
      if failed, work != .restore || !copy.isBook { try work.run(journal) }
      #expect(try copy.entries() == work.notes, comment)
      #expect(try copy.verify().damages == [], comment)
      let names = try storage.names(in: "copy/journal") ?? []
      #expect(names.allSatisfy { $0.hasSuffix(".avro") }, comment)
      if call >= calls { break }
      call += step
    }
    #expect(call > 20)
    #expect(
      step > 1 || operations.isSuperset(of: ["open", "rename", "sync directory"]), "\(operations)")
  }

  @Test(arguments: Work.allCases)
  func `after a power loss the copy is whole, absent or unchanged`(work: Work) throws {
    let start = SimulatedStorage()
    _ = try Self.prepare(start, for: work)
    var behaviour = SimulatedStorage.Behaviour()
    behaviour.keepsHistory = true
    // Earlier changes are on disk.
    let storage = SimulatedStorage(start.disk.settled, behaviour)
    try work.run(Journal(directory: "book", storage: storage))
    var disks = 0
    var outcomes: [String: Int] = [:]
    let history = storage.history
    for (calls, found) in history.enumerated() {
      let isDone = calls == history.count - 1
      for crashState in found.crashStates(.coarse) where !crashState.isCorrupted {
        disks += 1
        let after = SimulatedStorage(crashState.disk)
        let comment: Comment = "after \(calls) calls"
        let journal = Journal(directory: "book", storage: after)
        let copy = Journal(directory: "copy", storage: after)
        #expect(try journal.verify().damages == [], comment)
        let isBook = copy.isBook
        if isBook {
          let notes = try copy.entries()
          #expect(try copy.verify().damages == [], comment)
          #expect(notes == work.notes || work == .update && notes.count == 4, comment)
          outcomes[notes.count == work.notes.count ? "whole" : "earlier", default: 0] += 1
        } else {
          #expect(!isDone && work != .update, comment)
          outcomes["no book", default: 0] += 1
        }
        if isDone { #expect(try copy.entries() == work.notes, comment) }
        if work != .restore || !isBook { try work.run(journal) }
        #expect(try copy.entries() == work.notes, comment)
      }
    }
    #expect(disks > 50)
    #expect(outcomes["whole", default: 0] > 0)
    #expect(outcomes[work == .update ? "earlier" : "no book", default: 0] > 0)
  }
}

extension Journal {
  /// Whether there is a book; half a copy is none.
  fileprivate var isBook: Bool { (try? exists()) ?? false }
}

import Journal
import PropertyTesting
import SimulatedStorage

/// A long life of a book, with everything that can happen to it in any order.
struct Walk {
  /// One operation, and what goes wrong meanwhile and after it.
  struct Step: CustomStringConvertible {
    var operation: Script.Operation
    var trouble: Trouble
    var ending: Ending

    var description: String { "\(operation)\(trouble)\(ending)" }
  }

  /// What a disk does while a program works.
  enum Trouble: CustomStringConvertible {
    case none
    /// A call fails.
    case fault(DiskFault, call: Int)
    /// There is room for so many bytes more.
    case quota(Int)

    var description: String {
      switch self {
      case .none: ""
      case .fault(let fault, let call): ", call \(call) fails (\(fault))"
      case .quota(let byteCount): ", room for \(byteCount) bytes"
      }
    }
  }

  /// How an operation ends, and the disk under the program that comes next.
  enum Ending: CustomStringConvertible {
    case well
    /// The power goes after some change of the operation.
    case powerLoss(change: Int, seed: UInt64, Trouble)
    /// The program is killed after some change of the operation, or midway in it.
    case kill(change: Int, midway: Int, Trouble)

    var description: String {
      switch self {
      case .well: ""
      case .powerLoss(let change, let seed, let trouble):
        "; the power goes after \(change) changes (\(seed)), then begins\(trouble)"
      case .kill(let change, let midway, let trouble):
        "; killed after \(change) changes (\(midway)), then begins\(trouble)"
      }
    }
  }

  var steps: [Step]
  var segmentByteCount: Int
  /// Whether a failed sync forgets what it was to put on disk.
  var failedSyncForgets: Bool

  static let walks = Generator { source in
    let fault = Generator.zip(.anyCase(), .integer(in: 0...20)).map { Trouble.fault($0, call: $1) }
    let trouble = Generator<Trouble>.frequency(
      (5, .constant(.none)), (3, fault), (1, Generator.integer(in: 0...700).map { .quota($0) }))
    let change = Generator<Int>.integer(in: 0...12)
    let ending = Generator<Ending>.frequency(
      (5, .constant(.well)),
      (
        3,
        Generator.zip(change, .bits(), trouble)
          .map { .powerLoss(change: $0, seed: $1 >> 32, $2) }
      ),
      (
        2,
        Generator.zip(change, .integer(in: 0...9), trouble)
          .map { .kill(change: $0, midway: $1, $2) }
      ))
    let operation = Generator<Script.Operation>.frequency(
      (4, .constant(.one)), (3, .constant(.two)), (2, .constant(.long)), (1, .constant(.close)),
      (2, .constant(.seal)), (2, .constant(.reopen)))
    let step = Generator.zip(operation, trouble, ending)
      .map { Step(operation: $0, trouble: $1, ending: $2) }
    return Walk(
      steps: try source.draw(step.array(count: 1...24)),
      segmentByteCount: try source.draw(.element(of: [1, 400, 500, 1 << 20])),
      failedSyncForgets: try source.draw(.bool()))
  }
}

extension Walk {
  /// Lives the walk of a seed, and makes it simpler when something was lost.
  static func relive(_ seed: UInt64) -> Simulation.Outcome {
    var tally = Tally()
    let report = check("nothing is lost", walks, cases: 1, seed: seed, shrinkLimit: 5000) {
      try $0.live(&tally, Verdicts())
    }
    return Simulation.Outcome(tally: tally, flaw: report.passed ? nil : "\(report)")
  }

  /// Lives it; throws a ``Flaw`` when something was lost.
  func live(_ tally: inout Tally, _ verdicts: Verdicts) throws(Flaw) {
    let inspection = Inspection(segmentByteCount: segmentByteCount, verdicts: verdicts)
    var behaviour = SimulatedStorage.Behaviour()
    behaviour.failedSyncForgets = failedSyncForgets
    tally.walks += 1
    var session = Session(segmentByteCount: segmentByteCount, behaviour)
    try session.begin()
    for (index, step) in steps.enumerated() {
      try Flaw.during("step \(index + 1), \(step)") { () throws(Flaw) in
        let before = session.storage.changes
        let hits = session.storage.hits.count
        session.meet(step.trouble)
        try session.perform(step.operation)
        try session.checkOpenings()
        tally.faults += session.storage.hits.count - hits
        try sample(session, from: before, seed: UInt64(index), inspection, &tally)
        let history = session.storage.history
        switch step.ending {
        case .well: break
        case .powerLoss(let change, let seed, let trouble):
          let last = min(history.count - 1, before + change)
          let ledger = session.ledger(after: last)
          let disk = try survive(history[last], ledger, seed: seed, inspection, &tally)
          session = Session(disk, ledger: ledger, segmentByteCount: segmentByteCount, behaviour)
          session.meet(trouble)
          try session.begin()
        case .kill(let change, let midway, let trouble):
          let last = min(history.count - 1, before + change)
          var (disk, ledger) = (history[last], session.ledger(after: last))
          let midways = last > 0 ? disk.midway(from: history[last - 1]) : []
          if midway < midways.count {
            (disk, ledger) = (midways[midway], session.ledger(after: last - 1))
          }
          session = Session(disk, ledger: ledger, segmentByteCount: segmentByteCount, behaviour)
          session.meet(trouble)
          try session.begin()
        }
        session.storage.heal()
      }
    }
    try Flaw.during("at the end") { () throws(Flaw) in
      try session.reopen()
      let found = try inspection.find(on: session.storage.disk.settled, isDeep: true, &tally)
      try session.ledger.judge(found)
    }
  }

  /// The power goes; returns a disk that is then found, on which all is as it must be.
  private func survive(
    _ disk: SimulatedDisk, _ ledger: Ledger, seed: UInt64, _ inspection: Inspection,
    _ tally: inout Tally
  ) throws(Flaw) -> SimulatedDisk {
    var random = SplitMix64(seed: seed)
    let remains = disk.remains(using: &random)
    tally.count(.walk)
    return try Flaw.during("the power went, leaving \(remains.disk)") { () throws(Flaw) in
      let found = try inspection.find(on: remains.disk, isDeep: false, &tally)
      // Found out by who reads the entries; a walk ends with a book that can be opened.
      if remains.isCorrupted, case .damaged = found { return disk.withoutMemory }
      try ledger.judge(found)
      return remains.disk
    }
  }

  /// Looks at a few disks of those that a power loss would have left after each change of a step.
  private func sample(
    _ session: Session, from before: Int, seed: UInt64, _ inspection: Inspection,
    _ tally: inout Tally
  ) throws(Flaw) {
    let history = session.storage.history
    for index in before..<history.count {
      for draw in 0..<2 {
        let seed = seed << 32 | UInt64(index << 4 | draw)
        _ = try survive(
          history[index], session.ledger(after: index), seed: seed, inspection, &tally)
      }
    }
  }
}

extension Session {
  fileprivate func meet(_ trouble: Walk.Trouble) {
    switch trouble {
    case .none: break
    case .fault(let fault, let call): storage.plan(fault, after: call)
    case .quota(let byteCount): storage.limitRoom(to: byteCount)
    }
  }
}

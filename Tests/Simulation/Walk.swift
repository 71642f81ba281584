import PropertyTesting
import SimulatedStorage

/// A long random life of a book, with all faults in any order.
struct Walk<P: Program> {
  /// One operation, and the faults during it and after it.
  struct Step: CustomStringConvertible {
    var operation: P.Operation
    var trouble: Trouble
    var ending: Ending

    var description: String { "\(operation)\(trouble)\(ending)" }
  }

  var steps: [Step]
  var segmentByteCount: Int
  /// Whether a failed sync forgets the data it should have written.
  var failedSyncForgets: Bool

  static var walks: Generator<Walk> {
    Generator { source in
      let step = Generator.zip(P.operations, Trouble.troubles, Ending.endings)
        .map { Step(operation: $0, trouble: $1, ending: $2) }
      return Walk(
        steps: try source.draw(step.array(count: 1...24)),
        segmentByteCount: try source.draw(.element(of: P.segmentByteCounts)),
        failedSyncForgets: try source.draw(.bool()))
    }
  }
}

/// The disk's fault while a program works.
enum Trouble: Sendable, CustomStringConvertible {
  case none
  /// A call fails.
  case fault(DiskFault, call: Int)
  /// There is room for only this many bytes more.
  case quota(Int)

  static var troubles: Generator<Trouble> {
    .frequency(
      (5, .constant(.none)),
      (
        3,
        Generator.zip(Generator<DiskFault>.anyCase(), Generator<Int>.integer(in: 0...20))
          .map { Trouble.fault($0, call: $1) }
      ),
      (1, Generator.integer(in: 0...700).map { .quota($0) }))
  }

  var description: String {
    switch self {
    case .none: ""
    case .fault(let fault, let call): ", call \(call) fails (\(fault))"
    case .quota(let byteCount): ", room for \(byteCount) bytes"
    }
  }

  func plan(on storage: SimulatedStorage) {
    switch self {
    case .none: break
    case .fault(let fault, let call): storage.plan(fault, after: call)
    case .quota(let byteCount): storage.limitRoom(to: byteCount)
    }
  }
}

/// The end of an operation, and the disk for the next program.
enum Ending: Sendable, CustomStringConvertible {
  case well
  /// The power fails after one of the operation's changes.
  case powerLoss(change: Int, seed: UInt64, Trouble)
  /// The program is killed after one of the operation's changes, or midway in one.
  case kill(change: Int, midway: Int, Trouble)

  static var endings: Generator<Ending> {
    let change = Generator<Int>.integer(in: 0...12)
    let troubles = Trouble.troubles
    return .frequency(
      (5, .constant(.well)),
      (
        3,
        Generator.zip(change, Generator<UInt64>.bits(), troubles)
          .map { Ending.powerLoss(change: $0, seed: $1 >> 32, $2) }
      ),
      (
        2,
        Generator.zip(change, Generator<Int>.integer(in: 0...9), troubles)
          .map { Ending.kill(change: $0, midway: $1, $2) }
      ))
  }

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

extension Walk {
  /// Runs the walk of a seed, and simplifies it after a violation.
  static func relive(_ seed: UInt64) -> Simulation.Outcome {
    var tally = Tally()
    let report = check("nothing is lost", walks, cases: 1, seed: seed, shrinkLimit: 5000) {
      try $0.live(&tally, Verdicts())
    }
    return Simulation.Outcome(tally: tally, flaw: report.passed ? nil : "\(report)")
  }

  /// Runs it; throws a ``Flaw`` on a violation.
  func live(_ tally: inout Tally, _ verdicts: Verdicts) throws(Flaw) {
    var behaviour = SimulatedStorage.Behaviour()
    behaviour.failedSyncForgets = failedSyncForgets
    tally.walks += 1
    func next(_ disk: SimulatedDisk, _ promise: P.Promise) -> P {
      P(disk, promise, segmentByteCount: segmentByteCount, behaviour)
    }
    var program = next(SimulatedDisk(), P.nothing)
    try program.begin()
    for (index, step) in steps.enumerated() {
      try Flaw.during("step \(index + 1), \(step)") { () throws(Flaw) in
        let storage = program.storage
        let (before, hits) = (storage.changes, storage.hits.count)
        step.trouble.plan(on: storage)
        try program.perform(step.operation)
        try program.checkOpenings()
        tally.faults += storage.hits.count - hits
        try sample(program, from: before, seed: UInt64(index), verdicts, &tally)
        let history = storage.history
        switch step.ending {
        case .well: break
        case .powerLoss(let change, let seed, let trouble):
          let last = min(history.count - 1, before + change)
          let promise = program.promise(after: last)
          let disk = try losePower(history[last], promise, seed: seed, program, verdicts, &tally)
          program = next(disk, promise)
          trouble.plan(on: program.storage)
          try program.begin()
        case .kill(let change, let midway, let trouble):
          let last = min(history.count - 1, before + change)
          var (disk, promise) = (history[last], program.promise(after: last))
          let midways = last > 0 ? disk.midway(from: history[last - 1]) : []
          if midway < midways.count {
            (disk, promise) = (midways[midway], program.promise(after: last - 1))
          }
          program = next(disk, promise)
          trouble.plan(on: program.storage)
          try program.begin()
        }
        program.storage.heal()
      }
    }
    try Flaw.during("at the end") { () throws(Flaw) in
      let storage = program.storage
      let crashState = CrashState(disk: storage.disk.settled, isCorrupted: false)
      _ = try program.inspect(
        crashState, program.promise(after: storage.changes), isDeep: true, verdicts, &tally)
    }
  }

  /// The power fails; returns a disk found afterwards, which meets all requirements.
  private func losePower(
    _ disk: SimulatedDisk, _ promise: P.Promise, seed: UInt64, _ program: P, _ verdicts: Verdicts,
    _ tally: inout Tally
  ) throws(Flaw) -> SimulatedDisk {
    var random = SplitMix64(seed: seed)
    let crashState = disk.crashState(using: &random)
    tally.count(.walk)
    return try Flaw.during("the power went, leaving \(crashState.disk)") { () throws(Flaw) in
      let isGood = try program.inspect(crashState, promise, isDeep: false, verdicts, &tally)
      // A walk continues with a book that can be opened.
      return isGood ? crashState.disk : disk.withoutMemory
    }
  }

  /// Examines a few of the disks that a power failure could have left after each change of a step.
  private func sample(
    _ program: P, from before: Int, seed: UInt64, _ verdicts: Verdicts, _ tally: inout Tally
  ) throws(Flaw) {
    let history = program.storage.history
    for index in before..<history.count {
      for draw in 0..<2 {
        let seed = seed << 32 | UInt64(index << 4 | draw)
        let promise = program.promise(after: index)
        _ = try losePower(history[index], promise, seed: seed, program, verdicts, &tally)
      }
    }
  }
}

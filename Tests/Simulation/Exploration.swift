import Journal
import SimulatedStorage

/// Explores everything that may happen to a book while a script runs.
///
/// A script is explored from its last operation on, because the scripts that it starts with cover the earlier ones.
struct Exploration {
  /// How thoroughly to explore.
  enum Detail: Sendable {
    /// Some writes are torn, and the power fails only once: for a quick test.
    case brief
    /// Short scripts in full detail, long ones in less.
    case usual
    /// Every script in full detail.
    case thorough

    /// Whether a script of this many operations counts as short.
    func covers(_ script: Script, upTo count: Int) -> Bool {
      switch self {
      case .brief: false
      case .usual: script.operations.count <= count
      case .thorough: true
      }
    }
  }

  let script: Script
  let detail: Detail
  let verdicts: Verdicts
  var tally = Tally()

  init(_ script: Script, _ detail: Detail = .usual, verdicts: Verdicts = Verdicts()) {
    self.script = script
    self.detail = detail
    self.verdicts = verdicts
    tally.scripts = 1
  }

  private var inspection: Inspection {
    Inspection(segmentByteCount: script.segmentByteCount, verdicts: verdicts)
  }

  mutating func explore() throws(Flaw) {
    try losePower()
    try kill()
    guard detail == .brief || detail.covers(script, upTo: 3) else { return }
    try fail()
    try read()
    try damage()
  }

  /// Runs the script; returns the session and how many changes came before its last operation.
  private func run(
    _ behaviour: SimulatedStorage.Behaviour = .init()
  ) throws(Flaw) -> (session: Session, before: Int) {
    var session = Session(segmentByteCount: script.segmentByteCount, behaviour)
    var before = 0
    try session.begin()
    session.storage.makeRoom()
    for operation in script.operations {
      before = session.storage.changes
      try session.perform(operation)
      session.storage.makeRoom()
    }
    return (session, before)
  }

  private func runHealthy() throws(Flaw) -> (session: Session, before: Int) {
    let run = try run()
    try run.session.checkHealthy()
    return run
  }

  /// The power fails after every change. Every disk that may then be found is examined, and crashed again while it
  /// recovers.
  mutating func losePower() throws(Flaw) {
    let (session, before) = try runHealthy()
    let history = session.storage.history
    let isShort = detail.covers(script, upTo: 1)
    for index in before..<history.count {
      let ledger = session.ledger(after: index)
      let when = "the power went after change \(index)"
      if !isShort {
        let isDeep = detail != .brief
        try judge(history[index].crashStates(.coarse), by: ledger, .powerLoss, isDeep: isDeep, when)
      }
      guard detail != .brief else { continue }
      try judge(
        history[index].crashStates(.everyByte), by: ledger, .powerLoss, isDeep: isShort, when)
    }
  }

  private mutating func judge(
    _ all: [CrashState], by ledger: Ledger, _ kind: Tally.Kind, isDeep: Bool = false,
    _ when: @autoclosure () -> String
  ) throws(Flaw) {
    for crashState in all {
      tally.count(kind)
      try Flaw.during("\(when()), leaving \(crashState.disk)") { () throws(Flaw) in
        let found = try inspection.find(on: crashState.disk, isDeep: isDeep, &tally)
        // A flipped bit in the count, which no checksum covers, is detected when the entries are decoded.
        if crashState.isCorrupted, case .damaged = found { return }
        try ledger.judge(found)
      }
    }
  }

  /// The program is killed after every change, and midway in every write; its writes are still in memory when the
  /// next one recovers and appends. Then the power fails.
  mutating func kill() throws(Flaw) {
    let (session, before) = try runHealthy()
    let history = session.storage.history
    for index in before + 1..<max(before + 1, history.count) {
      try succeed(history[index], session.ledger(after: index), "killed after change \(index)")
      for midway in history[index].midway(from: history[index - 1]) {
        try succeed(midway, session.ledger(after: index - 1), "killed midway in change \(index)")
      }
    }
  }

  private mutating func succeed(
    _ disk: SimulatedDisk, _ ledger: Ledger, _ when: String
  ) throws(Flaw) {
    try Flaw.during(when) { () throws(Flaw) in
      let calls = try goOn(disk, ledger, .init())
      guard detail.covers(script, upTo: 2) else { return }
      for call in 0..<calls {
        var behaviour = SimulatedStorage.Behaviour()
        behaviour.faults = [call: .inputOutput]
        try Flaw.during("call \(call) of the next program failed") { () throws(Flaw) in
          _ = try goOn(disk, ledger, behaviour)
        }
      }
    }
  }

  /// The next program opens the book and appends, after a failure a second time, and the power fails; returns the
  /// number of its calls to the disk.
  private mutating func goOn(
    _ disk: SimulatedDisk, _ ledger: Ledger, _ behaviour: SimulatedStorage.Behaviour
  ) throws(Flaw) -> Int {
    var next = Session(
      disk, ledger, segmentByteCount: script.segmentByteCount, behaviour)
    try next.begin()
    try next.perform(.one)
    if behaviour.faults.isEmpty { try next.checkHealthy() } else { tally.faults += 1 }
    for (index, disk) in next.storage.history.enumerated() {
      try judge(
        disk.crashStates(.coarse), by: next.ledger(after: index), .kill,
        "the power went after change \(index) of the next program")
    }
    return next.storage.calls
  }

  /// Every call fails once in every way; the script continues, and the power fails.
  mutating func fail() throws(Flaw) {
    let calls = try runHealthy().session.storage.calls
    for call in 0..<calls {
      for fault in DiskFault.allCases {
        var behaviour = SimulatedStorage.Behaviour()
        behaviour.faults = [call: fault]
        try Flaw.during("call \(call) failed (\(fault))") { () throws(Flaw) in
          let (session, before) = try run(behaviour)
          guard let hit = session.storage.hits.first else { return }
          tally.faults += 1
          try Flaw.during("it was to \(hit)") { () throws(Flaw) in
            try session.checkOpenings()
            let history = session.storage.history
            try session.ledger.judge(
              inspection.find(on: session.storage.disk.settled, isDeep: false, &tally))
            for index in before..<history.count {
              try judge(
                history[index].crashStates(.coarse), by: session.ledger(after: index), .fault,
                "the power went after change \(index)")
            }
          }
        }
      }
    }
  }

  /// Another program reads while the book is written: it sees one state of the disk until one of its calls, and a
  /// later state from then on.
  mutating func read() throws(Flaw) {
    let (session, before) = try runHealthy()
    let history = session.storage.history
    let all = Self.withMidways(history)
    for (late, disk) in all where late > before {
      for (early, earlier) in all where early <= late {
        var call = 1
        while true {
          var behaviour = SimulatedStorage.Behaviour()
          behaviour.scenes = [call: disk]
          let storage = SimulatedStorage(earlier, behaviour)
          let found = inspection.read(.simulated(on: storage))
          tally.readings += 1
          let allowed = (early...late).map { session.ledger(after: $0) }
          try Flaw.require(
            allowed.contains { (try? $0.judge(found)) != nil },
            "read while it was written, change \(early) until call \(call) and then change \(late):"
              + " \(found), not between \(allowed[0].kept) and \(allowed[allowed.count - 1])")
          call += 1
          if call > storage.calls { break }
        }
      }
    }
  }

  /// The states of a disk by the number of changes before them, with those in the middle of a write.
  private static func withMidways(
    _ history: [SimulatedDisk]
  ) -> [(changes: Int, disk: SimulatedDisk)] {
    history.indices.flatMap { index -> [(changes: Int, disk: SimulatedDisk)] in
      let midway = index == 0 ? [] : history[index].midway(from: history[index - 1])
      return midway.map { (index, $0) } + [(index, history[index])]
    }
  }

  /// A byte on disk is wrong, or the end of a file is missing: the book is refused, or the last commit is taken for
  /// torn; nothing wrong is read, and nothing whole is cut off.
  mutating func damage() throws(Flaw) {
    let session = try runHealthy().session
    let disk = session.storage.disk.settled
    let kept = session.ledger.kept
    let segments = disk.contents.filter { $0.path.hasSuffix(".avro") }
    for (path, bytes) in segments {
      let isLast = path == segments.last?.path
      let step = detail == .brief ? 13 : 1
      for index in stride(from: bytes.count - 1, through: 0, by: -step)
      where index % 16 == 0 || index >= bytes.count - 160 {
        for isCut in [true, false] {
          let what =
            "\(path) \(isCut ? "was cut to \(index) bytes" : "has another byte at \(index)")"
          let damaged = disk.damaging(path, at: index, isCut: isCut)
          tally.count(.damage)
          try Flaw.during(what) { () throws(Flaw) in
            let found = try inspection.find(on: damaged, isDeep: false, &tally)
            switch found {
            case .noBook: throw Flaw("the book is gone")
            case .damaged: return
            case .entries(let numbers):
              if numbers == kept { return }
              let isPrefix = isLast && kept.starts(with: numbers)
              // A missing whole commit cannot be detected; one with a wrong byte is the last one.
              let isNear = isCut || session.lastCommitCount == kept.count - numbers.count
              try Flaw.require(isPrefix && isNear, "\(kept) was kept, \(numbers) was read")
            }
          }
        }
      }
    }
  }
}

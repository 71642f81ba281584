import PropertyTesting
import Synchronization

/// Explores scripts, and then runs random walks until the time is over, on several threads.
struct Simulation: Sendable {
  var scripts: [Script]
  /// How long new walks are started, from the beginning.
  var duration: Duration
  /// Determines the walks.
  var seed: UInt64
  var detail = Exploration.Detail.usual
  var jobs = 1

  /// The result.
  struct Outcome: Sendable {
    var tally = Tally()
    /// The violation, and how to reproduce it.
    var flaw: String?
  }

  /// The shared state of the threads.
  private final class Shared: Sendable {
    let verdicts = Verdicts()
    private let scripts: Mutex<ArraySlice<Script>>
    private let outcome = Mutex(Outcome())

    init(_ scripts: [Script]) { self.scripts = Mutex(scripts[...]) }

    func nextScript() -> Script? { scripts.withLock { $0.popFirst() } }
    var isOver: Bool { outcome.withLock { $0.flaw != nil } }
    var result: Outcome { outcome.withLock { $0 } }

    func add(_ tally: Tally, flaw: String? = nil) {
      outcome.withLock { outcome in
        outcome.tally.add(tally)
        outcome.flaw = outcome.flaw ?? flaw
      }
      if flaw != nil { scripts.withLock { $0 = [] } }
    }
  }

  func run() async -> Outcome {
    let start = ContinuousClock.now
    let shared = Shared(scripts)
    var seeds = SplitMix64(seed: seed)
    await withTaskGroup { group in
      for job in 0..<jobs {
        // The seed itself determines the first walk.
        let first = job == 0 ? seed : seeds.next()
        group.addTask { @concurrent in
          explore(shared)
          walk(shared, until: start + duration, seed: first)
        }
      }
    }
    return shared.result
  }

  private func explore(_ shared: Shared) {
    while !shared.isOver, let script = shared.nextScript() {
      var exploration = Exploration(script, detail, verdicts: shared.verdicts)
      do throws(Flaw) {
        try exploration.explore()
        shared.add(exploration.tally)
      } catch {
        let again = "again: CrashSimulation --script '\(script)'"
        shared.add(exploration.tally, flaw: "\(error.during("script \(script)"))\n\(again)")
      }
    }
  }

  private func walk(_ shared: Shared, until end: ContinuousClock.Instant, seed: UInt64) {
    var seeds = SplitMix64(seed: seed)
    var seed = seed
    while !shared.isOver, ContinuousClock.now < end {
      live(Walk<Session>.self, .journal, shared, until: end, seed: seed)
      live(Walk<BookSession>.self, .book, shared, until: end, seed: seed)
      seed = seeds.next()
    }
  }

  private func live<P>(
    _ walk: Walk<P>.Type, _ kind: WalkKind, _ shared: Shared,
    until end: ContinuousClock.Instant, seed: UInt64
  ) {
    var tally = Tally()
    let report = check(
      "nothing is lost", walk.walks, cases: kind.count, seed: seed, shrinkLimit: 500
    ) { walk in
      guard ContinuousClock.now < end else { return }
      try walk.live(&tally, shared.verdicts)
    }
    let again = report.counterExample?.seed.map {
      "\nagain: CrashSimulation --walk \(kind) --seed 0x\(String($0, radix: 16))"
    }
    shared.add(tally, flaw: report.passed ? nil : "\(report)\(again ?? "")")
  }
}

/// The subject of a random walk.
enum WalkKind: String, CaseIterable, Sendable {
  /// A journal alone: quick.
  case journal
  /// A whole book.
  case book

  /// How many walks of each kind run in turn.
  var count: Int { self == .journal ? 20 : 2 }

  /// Runs the walk of a seed.
  func relive(_ seed: UInt64) -> Simulation.Outcome {
    switch self {
    case .journal: Walk<Session>.relive(seed)
    case .book: Walk<BookSession>.relive(seed)
    }
  }
}

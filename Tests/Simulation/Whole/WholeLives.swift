import PropertyTesting
import Synchronization

/// Whole lives of books, one after another, on several threads; the seed itself determines the first.
struct WholeLives: Sendable {
  let seed: UInt64
  /// How long new lives are started.
  var duration: Duration
  var jobs = 1

  /// The result.
  struct Outcome: Sendable, CustomStringConvertible {
    var lives = 0
    var steps = 0
    var nested = 0
    var crashes = 0
    /// The violation, and how to reproduce it.
    var flaw: String?

    var description: String {
      "\(lives) lives of \(steps) steps, \(nested) of them in the midst of others, and \(crashes) crashes"
    }
  }

  /// The shared state of the threads.
  private final class Shared: Sendable {
    private let seeds: Mutex<SplitMix64>
    private let outcome = Mutex(Outcome())

    init(_ seed: UInt64) { seeds = Mutex(SplitMix64(seed: seed)) }

    var nextSeed: UInt64 { seeds.withLock { $0.next() } }
    var result: Outcome { outcome.withLock { $0 } }

    func add(_ lived: Outcome) {
      outcome.withLock { outcome in
        outcome.lives += lived.lives
        outcome.steps += lived.steps
        outcome.nested += lived.nested
        outcome.crashes += lived.crashes
        outcome.flaw = outcome.flaw ?? lived.flaw
      }
    }
  }

  func run() async -> Outcome {
    let end = ContinuousClock.now + duration
    let shared = Shared(seed)
    await withTaskGroup { group in
      for job in 0..<jobs {
        let first = job == 0 ? seed : shared.nextSeed
        group.addTask { @concurrent in
          var next = first
          repeat {
            shared.add(Self.live(next))
            next = shared.nextSeed
          } while ContinuousClock.now < end && shared.result.flaw == nil
        }
      }
    }
    return shared.result
  }

  /// Runs the life of a seed.
  static func live(_ seed: UInt64) -> Outcome {
    let life = WholeLife(seed: seed)
    var outcome = Outcome(lives: 1)
    do throws(Flaw) { try life.live() } catch {
      outcome.flaw = "\(error)\nagain: CrashSimulation --whole --seed 0x\(String(seed, radix: 16))"
    }
    outcome.steps = life.counts.values.reduce(0, +)
    outcome.nested = life.nestedCount
    outcome.crashes = life.counts[.crash, default: 0]
    return outcome
  }
}

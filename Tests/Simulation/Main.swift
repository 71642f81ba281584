import ArgumentParser
import Foundation
import SimulatedStorage
import Synchronization

/// Simulates crashes and faults of every kind under a book, until something is lost or the time is over.
@main struct CrashSimulation: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash-simulation",
    abstract: "Crashes books on simulated disks, and exits 1 with the script when one loses anything.")

  @Option(help: "How long to go on with random walks, in seconds from the start.")
  var seconds = 60.0
  @Option(help: "Up to how many operations all scripts are gone through.")
  var operations = 4
  @Option(help: "How many threads work.")
  var jobs = 2
  @Option(help: "A script to go through alone: a segment's length, then operations.")
  var script: String?
  @Option(help: "How many states there must have been at the end.")
  var atLeast = 0

  func run() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let verdicts = Verdicts()
    var scripts = Script.all(upTo: operations)
    if let script {
      guard let only = Script(script) else { throw ValidationError("That is no script.") }
      scripts = [only]
    }
    let queue = Mutex(scripts[...])
    let outcome = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<jobs {
        group.addTask { @concurrent in
          var tally = Tally()
          while let script = queue.withLock({ $0.popFirst() }) {
            var exploration = Exploration(script, verdicts: verdicts)
            do throws(Flaw) { try exploration.explore() } catch {
              queue.withLock { $0 = [] }
              return Outcome(tally: tally, flaw: "\(error.during("script \(script)"))")
            }
            tally.add(exploration.tally)
          }
          return Outcome(tally: tally)
        }
      }
      return await group.reduce(Outcome()) { $0.adding($1) }
    }
    print(outcome.tally.scripts, "scripts", outcome.tally.stateCount, "states", outcome.tally.disks, "disks", outcome.tally.faults, "faults", outcome.tally.readings, "readings", clock.now - start)
    print(outcome.tally.states)
    if let flaw = outcome.flaw {
      print(flaw)
      throw ExitCode.failure
    }
  }
}

struct Outcome: Sendable {
  var tally = Tally()
  var flaw: String?

  func adding(_ other: Outcome) -> Outcome {
    var outcome = self
    outcome.tally.add(other.tally)
    outcome.flaw = flaw ?? other.flaw
    return outcome
  }
}

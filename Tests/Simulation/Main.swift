import ArgumentParser

extension WalkKind: ExpressibleByArgument {}

/// Crashes books on simulated disks: exhaustively for small scripts, and at random for long ones.
@main struct CrashSimulation: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Crashes books on simulated disks; exits 1 with the script or seed when one loses anything.",
    discussion: """
      First come all scripts of a few operations, each with a crash after every change to the disk and every \
      disk that may then be found; then random walks, until the time is over.
      """)

  @Option(help: "How long random walks are begun, in seconds from the start.")
  var seconds = 60.0
  @Option(help: "Of how many operations scripts have at most.")
  var operations = 4
  @Flag(
    help: "Tear every write at every byte, in every script, and crash each such disk again: hours.")
  var exhaustive = false
  @Option(help: "Decides the random walks; another one each time unless given.", transform: seed)
  var seed: UInt64?
  @Option(help: "How many threads work.")
  var jobs = 2
  @Option(help: "Fails when fewer states than these were gone through.")
  var atLeast = 0
  @Option(help: "Goes through one script alone: the segments' length, then operations.")
  var script: String?
  @Option(help: "Lives the one random walk of the seed alone, in a journal or a book.")
  var walk: WalkKind?
  @Flag(
    help:
      "Lives whole lives of books instead, everything that uses one interleaved; with --seed that life alone."
  )
  var whole = false

  func validate() throws {
    guard jobs > 0, operations >= 0 else { throw ValidationError("Give at least one job.") }
  }

  func run() async throws {
    var simulation = Simulation(
      scripts: Script.all(upTo: operations), duration: .seconds(seconds),
      seed: seed ?? UInt64.random(in: .min ... .max), detail: exhaustive ? .thorough : .usual,
      jobs: jobs)
    if whole { return try await runWhole() }
    if let script {
      guard let script = Script(script) else {
        throw ValidationError("That is not a script; '400 one two seal' is one.")
      }
      simulation.scripts = [script]
      simulation.duration = .zero
    }
    let clock = ContinuousClock()
    let start = clock.now
    let outcome =
      if let walk { walk.relive(simulation.seed) } else { await simulation.run() }
    print(outcome.tally)
    print(
      "in \(clock.now - start); seed of the walks 0x\(String(simulation.seed, radix: 16))")
    if let flaw = outcome.flaw {
      print("A book lost something, or broke another promise:\n\(flaw)")
      throw ExitCode.failure
    }
    guard outcome.tally.stateCount >= atLeast else {
      print("These are fewer than the \(atLeast) states that were asked for.")
      throw ExitCode.failure
    }
    print("Nothing was lost.")
  }

  private func runWhole() async throws {
    let start = ContinuousClock.now
    let lives = WholeLives(
      seed: seed ?? UInt64.random(in: .min ... .max), duration: .seconds(seed == nil ? seconds : 0),
      jobs: seed == nil ? jobs : 1)
    let outcome = await lives.run()
    print("\(outcome) in \(ContinuousClock.now - start); seed 0x\(String(lives.seed, radix: 16))")
    if let flaw = outcome.flaw {
      print("A promise was broken:\n\(flaw)")
      throw ExitCode.failure
    }
    print("Every promise was kept.")
  }

  private static func seed(_ text: String) throws -> UInt64 {
    let isHexadecimal = text.lowercased().hasPrefix("0x")
    guard let seed = UInt64(text.dropFirst(isHexadecimal ? 2 : 0), radix: isHexadecimal ? 16 : 10)
    else { throw ValidationError("\(text) is not a seed; give a number.") }
    return seed
  }
}

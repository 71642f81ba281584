import PropertyTesting
import Testing

@testable import CrashSimulation

/// A part of what the program `CrashSimulation` explores at length.
@Suite(.tags(.damage)) struct ExplorationTests {
  @Test func `acknowledged commits survive any crash or failure of a small script (ES-1)`()
    async throws
  {
    let simulation = Simulation(
      scripts: try sample(Script.all(upTo: 1), every: 3), duration: .zero, seed: 1, detail: .brief)
    let outcome = await simulation.run()
    #expect(outcome.flaw == nil)
    #expect(outcome.tally.scripts == simulation.scripts.count)
    #expect(outcome.tally.stateCount > 1_500)
  }

  /// A short life, and in long runs the longest of all.
  @Test(arguments: ([0x10, 0x40, 0x7F] as [UInt64]).prefix(try scaled(1)))
  func `acknowledged commits survive a long life of crashes and failures (ES-1)`(
    seed: UInt64
  ) {
    for kind in WalkKind.allCases { #expect(kind.relive(seed).flaw == nil, "\(kind)") }
  }

  @Test func `a script reads back from its text`() {
    for script in Script.all(upTo: 2) { #expect(Script("\(script)") == script) }
    #expect(Script("") == nil)
    #expect(Script("one two") == nil)
    #expect(Script("400 three") == nil)
  }
}

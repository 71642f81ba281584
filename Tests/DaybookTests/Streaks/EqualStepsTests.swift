import PropertyTesting
import Testing

@testable import Streaks

/// The steps of a score give the same bits, in whatever portions they are taken.
@Suite(.tags(.law)) struct EqualStepsTests {
  @Test func `joined steps have the same end as single ones`() throws {
    for seed in 0..<(try scaled(300)) {
      var chance = Chance(seed: seed)
      let all = (0..<chance.pick(0...40)).map { _ in Self.steps(&chance) }
      guard EqualSteps.ends(of: all.map(\.steps)) == all.map(\.end) else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  @Test func `steps without effect cost little, however many there are`() {
    // A score to which nothing is added for three thousand years, and one that is full for as long.
    let years = [0.0, 0.5].map { gain in
      var steps = EqualSteps(from: 1)
      steps.append(1_000_000, keep: 0.5, gain: gain)
      return steps
    }
    let ends = EqualSteps.ends(of: Array(repeating: years, count: 8).flatMap(\.self))
    #expect(ends == Array(repeating: [0, 1], count: 8).flatMap(\.self))
    #expect(years.map(\.end) == [0, 1])
  }

  /// Steps added in portions, and the score from taking them one by one.
  private static func steps(_ chance: inout Chance) -> (steps: EqualSteps, end: Double) {
    var score = Double(chance.pick(0...1000)) / 1000
    var steps = EqualSteps(from: score)
    for _ in 0..<chance.pick(0...4) {
      let keep = chance.pick([0.9, 0.948_07, 1.0 / 3])
      let gain = chance.happens(60) ? 0 : Double(chance.pick(0...4)) / 4 * (1 - keep)
      let count = chance.happens(20) ? chance.pick(1000...3000) : chance.pick(0...20)
      steps.append(count, keep: keep, gain: gain)
      if chance.happens(30) { steps.settle() }
      for _ in 0..<count { score = score * keep + gain }
    }
    return (steps, score)
  }
}

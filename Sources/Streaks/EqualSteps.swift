/// The trailing, identical steps of a strength score, computed only when the score is read.
///
/// Each step keeps a fraction of the score and adds a gain. A step depends on the one before it, and most
/// habits in an old journal end in hundreds of days without activity. When many scores are wanted,
/// ``ends(of:)`` therefore computes the steps of several habits side by side. Either way the operations run
/// in the same order, so the results agree to the bit.
package struct EqualSteps: Sendable {
  private var score: Double
  private var keep = 1.0
  private var gain = 0.0
  private var count = 0

  /// No steps yet.
  package init(from score: Double) { self.score = score }

  /// Adds steps. Earlier steps of another kind are computed now.
  @inline(__always)
  mutating func append(_ more: Int, keep: Double, gain: Double) {
    if keep != self.keep || gain != self.gain {
      settle()
      (self.keep, self.gain) = (keep, gain)
    }
    count += more
  }

  /// Computes the pending steps, so that a caller who reads the score every day does not repeat them.
  mutating func settle() { (score, count) = (end, 0) }

  /// The score after all steps.
  package var end: Double {
    var score = score
    // Without activity nothing is added, so a step need not wait for a sum.
    if gain == 0 {
      for _ in 0..<count {
        let next = score * keep
        // Once a step leaves the score unchanged, so do all later ones.
        if next == score { break }
        score = next
      }
      return score
    }
    for _ in 0..<count {
      let next = score * keep + gain
      if next == score { break }
      score = next
    }
    return score
  }

  /// The scores after the steps of each element, in order.
  package static func ends(of all: [EqualSteps]) -> [Double] {
    var ends = [Double](repeating: 0, count: all.count)
    // Sorting groups elements with about the same number of steps.
    let order = all.indices.sorted { all[$0].count < all[$1].count }
    var start = 0
    while start + Lanes.scalarCount <= order.count {
      let lanes = order[start..<start + Lanes.scalarCount]
      var scores = Lanes()
      var (keep, gain) = (Lanes(), Lanes())
      for (lane, index) in lanes.enumerated() {
        scores[lane] = all[index].score
        (keep[lane], gain[lane]) = (all[index].keep, all[index].gain)
      }
      let count = all[order[start]].count
      made(count, &scores, keep, gain)
      for (lane, index) in lanes.enumerated() {
        var rest = all[index]
        rest.score = scores[lane]
        rest.count -= count
        ends[index] = rest.end
      }
      start += Lanes.scalarCount
    }
    for index in order[start...] { ends[index] = all[index].end }
    return ends
  }

  private typealias Lanes = SIMD8<Double>

  /// Computes `count` steps in every lane.
  private static func made(_ count: Int, _ scores: inout Lanes, _ keep: Lanes, _ gain: Lanes) {
    var left = count
    while left > 0 {
      // Checks only now and then whether a step still changes anything.
      let stretch = min(left, 1024)
      if gain == Lanes() {
        for _ in 0..<stretch { scores *= keep }
      } else {
        for _ in 0..<stretch { scores = scores * keep + gain }
      }
      left -= stretch
      if scores * keep + gain == scores { return }
    }
  }
}

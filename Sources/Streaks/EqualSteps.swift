/// The last steps of a strength's score, all alike, that are made when somebody asks what they come to.
///
/// Each step keeps a part of the score and adds a gain. One waits for the one before it, and most habits that a book has
/// ever had end in hundreds of days on which nothing was done: where many scores are wanted, ``ends(of:)`` makes the steps
/// of several side by side. Whoever makes them, the same operations come in the same order: to the same bits.
package struct EqualSteps: Sendable {
  private var score: Double
  private var keep = 1.0
  private var gain = 0.0
  private var count = 0

  /// No steps yet.
  package init(from score: Double) { self.score = score }

  /// Adds steps. What came before unlike them is made now.
  @inline(__always)
  mutating func append(_ more: Int, keep: Double, gain: Double) {
    if keep != self.keep || gain != self.gain {
      settle()
      (self.keep, self.gain) = (keep, gain)
    }
    count += more
  }

  /// Makes the steps: who asks for the score after each day does not make them all each time.
  mutating func settle() { (score, count) = (end, 0) }

  /// The score after all steps.
  package var end: Double {
    var score = score
    // Nothing is added where nothing was done: a step need not wait for a sum then.
    if gain == 0 {
      for _ in 0..<count {
        let next = score * keep
        // Where a step changes nothing any more, none does.
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

  /// The scores after the steps of many, in their order.
  package static func ends(of all: [EqualSteps]) -> [Double] {
    var ends = [Double](repeating: 0, count: all.count)
    // Those that go side by side are about as many.
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

  /// Makes so many steps of each lane.
  private static func made(_ count: Int, _ scores: inout Lanes, _ keep: Lanes, _ gain: Lanes) {
    var left = count
    while left > 0 {
      // Looked at now and then: whether a step changes anything yet.
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

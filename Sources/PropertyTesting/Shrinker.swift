/// The choices of one case and the spans they were made in.
struct Recording {
  var values: [UInt64]
  var bounds: [UInt64]
  var spans: [Source.Span]

  init(_ source: Source) {
    values = source.choices.map(\.value)
    bounds = source.choices.map(\.bound)
    // Outer spans before inner ones, in the order of their starts.
    spans = source.spans.sorted { ($0.start, $1.end) < ($1.start, $0.end) }
  }

  /// Fewer choices are simpler; of as many choices, those that are smaller where they first differ.
  func isSimpler(than other: Recording) -> Bool {
    isSimple(values, than: other.values)
  }
}

/// The order that shrinking descends: first by count, then by the first difference.
func isSimple(_ values: [UInt64], than others: [UInt64]) -> Bool {
  values.count == others.count
    ? values.lexicographicallyPrecedes(others) : values.count < others.count
}

/// Finds the simplest choices that still fail, by edits that can only make them simpler.
///
/// The passes run in turn until none of them gets further. The way is that of MacIver and
/// Donaldson, "Test-case reduction via test-case generation" (ECOOP 2020). Every step depends on
/// the choices alone, never on time, so that a replay ends at the same value.
struct Shrinker {
  /// Replays choices; gives the record if it is simpler than the one given and fails as it does.
  typealias Attempt = ([UInt64], Recording) -> Recording?

  private(set) var best: Recording
  private(set) var shrinks = 0
  private var attemptsLeft: Int
  /// Hashes of the candidates tried: of long ones, a thousand would fill the memory.
  private var tried: Set<Fingerprint> = []

  /// Whether the attempts ran out before the passes did: a simpler counter-example may be there.
  var isCutShort: Bool { attemptsLeft == 0 }

  init(best: Recording, limit: Int) {
    self.best = best
    attemptsLeft = limit
  }

  /// Shrinks until nothing simpler is found or the limit of attempts is reached.
  mutating func run(_ attempt: Attempt) {
    var before = -1
    while shrinks != before, attemptsLeft > 0 {
      before = shrinks
      deleteSiblings(attempt)
      replaceByInnerSpans(attempt)
      let isOfItsLength = shrinks == before
      lowerChoices(attempt)
      lowerEqualChoices(attempt)
      swapSiblings(attempt)
      // Not only when lowering is at its end: where a difference must stay, that creeps along in single steps
      // until the attempts are used up.
      if isOfItsLength { shiftBetweenChoices(attempt) }
      if shrinks == before { lowerAndDelete(attempt) }
      if shrinks == before { deleteChoices(attempt) }
    }
  }

  /// Tries one candidate; true if it is the best from now on.
  mutating func consider(_ values: [UInt64], _ attempt: Attempt) -> Bool {
    guard attemptsLeft > 0, isSimple(values, than: best.values),
      tried.insert(Fingerprint(of: values)).inserted
    else { return false }
    attemptsLeft -= 1
    guard let recording = attempt(values, best) else { return false }
    best = recording
    shrinks += 1
    return true
  }

  /// Lowers what `candidate` makes of a number as far as it goes: to zero, or by bisection, or, as
  /// not every rule is monotonic, to one of the smallest numbers.
  ///
  /// - Parameters:
  ///   - start: The number as it is.
  ///   - attempt: Replays a candidate.
  ///   - candidate: The choices with the number lowered; `nil` if they no longer have a place for it.
  mutating func minimise(
    from start: UInt64, _ attempt: Attempt, _ candidate: (UInt64, Recording) -> [UInt64]?
  ) {
    guard start > 0 else { return }
    func isLowered(to number: UInt64, by shrinker: inout Shrinker) -> Bool {
      guard let values = candidate(number, shrinker.best) else { return false }
      return shrinker.consider(values, attempt)
    }
    if isLowered(to: 0, by: &self) { return }
    var (low, high) = (UInt64(0), start)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if isLowered(to: middle, by: &self) { high = middle } else { low = middle }
    }
    for number in 1..<max(1, min(high, 8)) where isLowered(to: number, by: &self) { return }
  }
}

/// 128 bits that stand for a list of choices. They depend on the choices alone, so that a run takes the same way
/// on every platform; a clash, of one in 2⁶⁴ candidates, would merely pass over one of them.
private struct Fingerprint: Hashable {
  var high: UInt64
  var low: UInt64

  init(of values: [UInt64]) {
    var (high, low) = (UInt64(values.count), ~UInt64(values.count))
    for value in values {
      high = SplitMix64.mix(high ^ value)
      low = SplitMix64.mix(low &+ value)
    }
    (self.high, self.low) = (high, low)
  }
}

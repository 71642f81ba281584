/// The choices of one case, and the spans in which they were made.
struct RecordedChoices {
  let values: [UInt64]
  let bounds: [UInt64]
  /// The spans: outer before inner ones, in the order of their starts; none is empty.
  let spans: [Source.Span]

  init(_ source: Source) {
    values = source.choices.map(\.value)
    bounds = source.choices.map(\.bound)
    spans = source.spans.filter { $0.start < $0.end }
  }
}

extension Source {
  /// Whether the choices are simpler than recorded ones: fewer, or as many and smaller at the first
  /// difference.
  func isSimpler(than other: RecordedChoices) -> Bool {
    choices.count == other.values.count
      ? zip(choices, other.values).first { $0.value != $1 }.map { $0.value < $1 } ?? false
      : choices.count < other.values.count
  }
}

/// The order that shrinking descends: by count, then by the first difference.
func isSimple(_ values: [UInt64], than others: [UInt64]) -> Bool {
  values.count == others.count
    ? values.lexicographicallyPrecedes(others) : values.count < others.count
}

/// Finds the simplest choices that still fail, with edits that can only make them simpler.
///
/// The passes run in turn until none of them makes progress. The method is that of MacIver and Donaldson,
/// "Test-case reduction via test-case generation" (ECOOP 2020). Every step depends on the choices alone,
/// never on time, so a replay ends at the same value.
struct Shrinker {
  /// Replays choices; returns the record if it is simpler than the given one and fails in the same way.
  typealias Attempt = ([UInt64], RecordedChoices) -> RecordedChoices?

  /// An attempt with more choices counts as several: drawing a list of ten thousand elements takes as long as
  /// drawing a thousand lists of ten.
  private static let choicesPerAttempt = 4_096

  private(set) var best: RecordedChoices
  private(set) var shrinks = 0
  private var attemptsLeft: Int
  /// Hashes of the candidates tried, because a thousand long candidates would fill the memory.
  private var tried: Set<ChoicesFingerprint> = []

  /// Whether the attempts ran out before the passes finished, so that a simpler counterexample may exist.
  var isCutShort: Bool { attemptsLeft == 0 }

  init(best: RecordedChoices, limit: Int) {
    self.best = best
    attemptsLeft = limit
  }

  /// Shrinks until no simpler case is found, or the attempts run out.
  mutating func run(_ attempt: Attempt) {
    var before = -1
    while shrinks != before, attemptsLeft > 0 {
      before = shrinks
      // This comes first because identical elements can then be deleted in few attempts.
      zeroBlocks(downToShare: 8, attempt)
      let length = best.values.count
      deleteSiblings(attempt)
      replaceByInnerSpans(attempt)
      let isOfItsLength = best.values.count == length
      zeroBlocks(downToShare: .max, attempt)
      lowerChoices(attempt)
      lowerEqualChoices(attempt)
      swapSiblings(attempt)
      // Not only after lowering has finished: if a difference must stay the same, lowering creeps along in
      // single steps until the attempts run out.
      if isOfItsLength { shiftBetweenChoices(attempt) }
      if shrinks == before { deleteLongSpans(attempt) }
      if shrinks == before { deleteAndRenumber(attempt) }
      if shrinks == before { lowerAndDelete(attempt) }
      if shrinks == before { deleteChoices(attempt) }
    }
  }

  /// Tries one candidate; returns whether it is now the best.
  mutating func consider(_ values: [UInt64], _ attempt: Attempt) -> Bool {
    guard attemptsLeft > 0, isSimple(values, than: best.values),
      tried.insert(ChoicesFingerprint(of: values)).inserted
    else { return false }
    attemptsLeft = max(0, attemptsLeft - 1 - values.count / Self.choicesPerAttempt)
    guard let recording = attempt(values, best) else { return false }
    best = recording
    shrinks += 1
    return true
  }

  /// Lowers a number as far as possible: to zero, by bisection, or, since not every property is monotonic, to
  /// one of the smallest numbers.
  ///
  /// - Parameters:
  ///   - start: The current number.
  ///   - attempt: Replays a candidate.
  ///   - candidate: The choices with the number lowered; `nil` if they no longer have a place for it.
  mutating func minimise(
    from start: UInt64, _ attempt: Attempt, _ candidate: (UInt64, RecordedChoices) -> [UInt64]?
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

/// A hash of 128 bits for a list of choices. It depends on the choices alone, so a run behaves the same on
/// every platform. A collision, at one in 2⁶⁴ candidates, would merely skip one of them.
private struct ChoicesFingerprint: Hashable {
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

/// Where a generator takes its choices from.
///
/// A run records every choice as a bounded number. A choice of zero stands for the simplest
/// outcome, and shrinking is nothing but editing the recorded choices and drawing again: whatever
/// a generator builds from its choices, it shrinks, and never outside of what it can generate.
///
/// - Note: A generator is a pure function of its choices. One that looks at a clock, at a global
///   or at the order of a `Set` does not replay.
public struct Source: Sendable {
  /// How the next choice comes about.
  enum Mode: Sendable {
    /// Fresh random choices.
    case random
    /// Recorded choices, then zeros.
    case replaying
    /// As `replaying`, but every choice made is recorded: nothing is tried twice.
    case enumerating
  }

  /// One choice made: `value` of `0...bound`.
  struct Choice: Sendable, Hashable {
    var value: UInt64
    var bound: UInt64
  }

  /// The choices that one draw, or one element of a repetition, took.
  struct Span: Sendable, Equatable {
    var start: Int
    var end: Int
    var type: ObjectIdentifier
  }

  /// A case of more choices than this is discarded, so that no generator runs away.
  static let choiceLimit = 100_000

  private(set) var mode: Mode
  private(set) var choices: [Choice] = []
  /// The spans in the order they were opened: outer ones before inner ones, in the order of their starts.
  private(set) var spans: [Span] = []
  private var random: SplitMix64
  private var sizeStep: UInt64
  private var replayed: [UInt64] = []
  /// The places in `spans` of those that are not closed yet.
  private var openSpans: [Int] = []
  /// A replay of more choices than this is given up: it could not be simpler than what is known.
  private var replayLimit = Source.choiceLimit

  init(seed: CaseSeed) {
    mode = .random
    random = SplitMix64(seed: seed.bits)
    sizeStep = seed.size
  }

  /// Begins a random case; storage is kept.
  mutating func restart(seed: CaseSeed) {
    begin(.random)
    random = SplitMix64(seed: seed.bits)
    sizeStep = seed.size
  }

  /// Begins a case that makes the given choices again; the size stays that of the random case.
  mutating func restart(
    replaying values: [UInt64], mode: Mode = .replaying, limit: Int = Source.choiceLimit
  ) {
    begin(mode)
    replayed = values
    replayLimit = min(limit, Source.choiceLimit)
  }

  private mutating func begin(_ mode: Mode) {
    self.mode = mode
    replayLimit = Source.choiceLimit
    choices.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    openSpans.removeAll(keepingCapacity: true)
  }

  /// How large the case is to be: just above zero in the first cases of a run, 1 in the last.
  public var size: Double { Double(sizeStep + 1) / Double(CaseSeed.largestSize + 1) }

  /// Draws a value from another generator.
  ///
  /// - Throws: What the generator throws, a ``Discard`` above all.
  public mutating func draw<Value>(_ generator: Generator<Value>) throws -> Value {
    guard mode == .replaying else { return try generator.body(&self) }
    let depth = openSpan(ObjectIdentifier(Value.self))
    defer { closeSpans(downTo: depth) }
    return try generator.body(&self)
  }

  /// A raw choice from zero, the simplest, to `bound`, both included; all equally likely.
  ///
  /// - Throws: ``Discard`` once a case has made too many choices.
  public mutating func choose(upTo bound: UInt64) throws -> UInt64 {
    try choose(upTo: bound) { random, _ in random.next(upTo: bound) }
  }

  /// A choice whose random values follow the given distribution, of the size given to it.
  mutating func choose(
    upTo bound: UInt64, randomly pick: (inout SplitMix64, UInt64) -> UInt64
  ) throws -> UInt64 {
    let value: UInt64
    if mode == .random {
      value = pick(&random, sizeStep)
      assert(value <= bound, "a choice exceeds its bound")
    } else {
      value = choices.count < replayed.count ? min(replayed[choices.count], bound) : 0
    }
    try record(value, bound: bound)
    return value
  }

  /// Records a choice that has only one outcome; it keeps its place so that replays stay aligned.
  mutating func record(_ value: UInt64, bound: UInt64) throws {
    guard choices.count < replayLimit else {
      throw Discard("the generator made more than \(Source.choiceLimit) choices")
    }
    choices.append(Choice(value: value, bound: bound))
  }

  /// A number from the random stream that leaves no record; zero unless the case is random.
  mutating func unrecorded(upTo bound: UInt64) -> UInt64 {
    mode == .random ? random.next(upTo: bound) : 0
  }

  /// Bounds a count by the size of the case, rounding up.
  func scaled(_ count: Int) -> Int {
    Int(scale(UInt64(count), to: sizeStep))
  }

  /// Tries `body` until it gives a value.
  ///
  /// In a random case the choices of an attempt that fails are forgotten, so that the record reads
  /// as if the first attempt had succeeded; a replay therefore needs one attempt only.
  mutating func attempt<Value>(
    tries: Int, _ body: (inout Source) throws -> Value?
  ) rethrows -> Value? {
    guard mode == .random else { return try body(&self) }
    for _ in 0..<tries {
      let mark = choices.count
      if let value = try body(&self) { return value }
      choices.removeSubrange(mark...)
    }
    return nil
  }

  // MARK: Spans

  /// Opens a span and returns the depth to close it by.
  mutating func openSpan(_ type: ObjectIdentifier) -> Int {
    guard mode == .replaying else { return 0 }
    openSpans.append(spans.count)
    spans.append(Span(start: choices.count, end: choices.count, type: type))
    return openSpans.count - 1
  }

  /// Closes every span opened since `depth`, also those that a `break` left open.
  mutating func closeSpans(downTo depth: Int) {
    while openSpans.count > depth, let open = openSpans.popLast() {
      spans[open].end = choices.count
    }
  }
}

/// The share of `count` that a size allows: all of it at the largest size, never less than one
/// part in 128 rounded up.
func scale(_ count: UInt64, to size: UInt64) -> UInt64 {
  let product = count.multipliedFullWidth(by: size + 1)
  let quotient = (product.high << 57) | (product.low >> 7)
  return product.low & 127 == 0 ? quotient : quotient + 1
}

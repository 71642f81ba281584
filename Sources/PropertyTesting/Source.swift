/// The choices that a generator draws from.
///
/// A run records every choice as a bounded number. Zero stands for the simplest outcome, and shrinking only
/// edits the recorded choices and draws again. Whatever a generator builds from its choices therefore
/// shrinks, and never leaves the range of the generator.
///
/// - Note: A generator is a pure function of its choices. One that depends on a clock, on global state or on
///   the order of a `Set` cannot be replayed.
public struct Source: Sendable {
  /// The origin of the next choice.
  enum Mode: Sendable {
    /// Fresh random choices.
    case random
    /// Recorded choices, then zeros.
    case replaying
    /// Like `replaying`, but every choice is recorded, so that nothing is tried twice.
    case enumerating
  }

  /// A recorded choice: `value` in `0...bound`.
  struct Choice: Sendable, Hashable {
    var value: UInt64
    var bound: UInt64
  }

  /// The choices that one draw, or one turn of a repetition, took.
  struct Span: Sendable, Equatable {
    var start: Int
    var end: Int
    var type: ObjectIdentifier
  }

  /// A case with more choices is discarded, so that no generator runs forever.
  static let choiceLimit = 100_000

  private(set) var mode: Mode
  private(set) var choices: [Choice] = []
  /// The spans in the order they were opened: outer before inner ones, in the order of their starts.
  private(set) var spans: [Span] = []
  private var random: SplitMix64
  private var sizeStep: UInt64
  private var replayed: [UInt64] = []
  /// The indices in `spans` of those that are still open.
  private var openSpans: [Int] = []
  /// A replay with more choices is abandoned: it could not be simpler than the best known case.
  private var replayLimit = Source.choiceLimit

  init(seed: CaseSeed) {
    mode = .random
    random = SplitMix64(seed: seed.bits)
    sizeStep = seed.size
  }

  /// Begins a random case, and keeps the storage.
  mutating func restart(seed: CaseSeed) {
    begin(.random)
    random = SplitMix64(seed: seed.bits)
    sizeStep = seed.size
  }

  /// Begins a case that replays choices; the size stays that of the random case.
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

  /// The size of the case: just above zero in the first cases of a run, 1 in the last.
  public var size: Double { Double(sizeStep + 1) / Double(CaseSeed.largestSize + 1) }

  /// Draws a value from another generator.
  ///
  /// - Throws: What the generator throws, in particular a ``Discard``.
  public mutating func draw<Value>(_ generator: Generator<Value>) throws -> Value {
    guard mode == .replaying else { return try generator.body(&self) }
    let depth = openSpan(ObjectIdentifier(Value.self))
    defer { closeSpans(downTo: depth) }
    return try generator.body(&self)
  }

  /// A raw choice from zero, the simplest, to `bound`, inclusive; all are equally likely.
  ///
  /// - Throws: ``Discard`` when a case has made too many choices.
  public mutating func choose(upTo bound: UInt64) throws -> UInt64 {
    try choose(upTo: bound) { random, _ in random.next(upTo: bound) }
  }

  /// A choice whose random values follow a distribution, which receives the size.
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

  /// Records a choice with a single outcome, which keeps replays aligned.
  mutating func record(_ value: UInt64, bound: UInt64) throws {
    guard choices.count < replayLimit else {
      throw Discard("the generator made more than \(Source.choiceLimit) choices")
    }
    choices.append(Choice(value: value, bound: bound))
  }

  /// A random number that is not recorded; zero unless the case is random.
  mutating func unrecorded(upTo bound: UInt64) -> UInt64 {
    mode == .random ? random.next(upTo: bound) : 0
  }

  /// Limits a count by the size of the case, rounding up.
  func scaled(_ count: Int) -> Int {
    Int(scale(UInt64(count), to: sizeStep))
  }

  /// Tries `body` until it returns a value.
  ///
  /// In a random case the choices of failed attempts are forgotten, so the record reads as if the first
  /// attempt had succeeded, and a replay needs only one attempt.
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

  /// Opens a span, and returns the depth for closing it.
  mutating func openSpan(_ type: ObjectIdentifier) -> Int {
    guard mode == .replaying else { return 0 }
    openSpans.append(spans.count)
    spans.append(Span(start: choices.count, end: choices.count, type: type))
    return openSpans.count - 1
  }

  /// Closes every span opened since `depth`, including those that a `break` left open.
  mutating func closeSpans(downTo depth: Int) {
    while openSpans.count > depth, let open = openSpans.popLast() {
      spans[open].end = choices.count
    }
  }
}

/// The part of `count` that a size allows: all of it at the largest size, and at least one part in 128,
/// rounded up.
func scale(_ count: UInt64, to size: UInt64) -> UInt64 {
  let product = count.multipliedFullWidth(by: size + 1)
  let quotient = (product.high << 57) | (product.low >> 7)
  return product.low & 127 == 0 ? quotient : quotient + 1
}

/// A loop whose turns can be deleted individually during shrinking.
///
/// ```swift
/// var days = source.repetition(0...60)
/// while try source.more(&days) {
///   history.append(try source.draw(entry))
/// }
/// ```
public struct Repetition: Sendable {
  let range: ClosedRange<Int>
  let target: Int
  var openDepth: Int?

  /// The number of turns begun so far.
  public fileprivate(set) var count = 0
}

/// The type of turns in a loop with a fixed count: none of them can be deleted separately.
enum FixedTurn {}

extension Source {
  /// Begins a loop with a number of turns in `range`; fewer are simpler.
  ///
  /// - Precondition: `range` holds no negative number.
  public mutating func repetition(_ range: ClosedRange<Int>) -> Repetition {
    precondition(range.lowerBound >= 0, "a repetition cannot have fewer than zero turns")
    let spread = scaled(range.upperBound - range.lowerBound)
    let extra = Int(unrecorded(upTo: UInt64(spread)))
    return Repetition(range: range, target: range.lowerBound + extra)
  }

  /// Whether the loop takes another turn; call it once before each turn.
  ///
  /// Leaving the loop by `break` is allowed.
  ///
  /// - Throws: ``Discard`` when a case has made too many choices.
  public mutating func more(_ repetition: inout Repetition) throws -> Bool {
    if let depth = repetition.openDepth { closeSpans(downTo: depth) }
    let isFixed = repetition.range.lowerBound == repetition.range.upperBound
    let depth = openSpan(
      isFixed ? ObjectIdentifier(FixedTurn.self) : ObjectIdentifier(Repetition.self))
    repetition.openDepth = mode == .replaying ? depth : nil
    let goesOn: Bool
    if repetition.count < repetition.range.lowerBound {
      try record(1, bound: 1)
      goesOn = true
    } else if repetition.count >= repetition.range.upperBound {
      try record(0, bound: 0)
      goesOn = false
    } else {
      let isShort = repetition.count < repetition.target
      goesOn = try choose(upTo: 1) { _, _ in isShort ? 1 : 0 } == 1
    }
    if goesOn {
      repetition.count += 1
    } else {
      closeSpans(downTo: depth)
      repetition.openDepth = nil
    }
    return goesOn
  }

  /// Runs `turn` a number of times in `range`; fewer are simpler.
  ///
  /// - Throws: What `turn` throws, or ``Discard`` when a case has made too many choices.
  public mutating func repeated(
    _ range: ClosedRange<Int>, _ turn: (inout Source) throws -> Void
  ) throws {
    var turns = repetition(range)
    while try more(&turns) {
      try turn(&self)
    }
  }
}

/// A recipe for random values that shrink.
///
/// Generators compose through `map`, `flatMap`, `filter` and the like, or in plain code for anything
/// stateful, such as a history in which each entry depends on earlier ones:
///
/// ```swift
/// let dayAndPart = Generator { source in
///   let days = try source.draw(.integer(in: 1...31))
///   return (days, try source.draw(.integer(in: 0...days)))
/// }
/// ```
///
/// A generator has no shrinker of its own; see ``Source``.
public struct Generator<Value>: Sendable {
  let body: @Sendable (inout Source) throws -> Value

  /// Makes a generator that draws from `source`. It may throw a ``Discard`` to discard the case.
  public init(_ draw: @escaping @Sendable (_ source: inout Source) throws -> Value) {
    body = draw
  }

  /// Transforms the values of this generator.
  public func map<Other>(
    _ transform: @escaping @Sendable (Value) throws -> Other
  ) -> Generator<Other> {
    Generator<Other> { source in try transform(source.draw(self)) }
  }

  /// Draws from the generator that `transform` makes from a value of this one.
  public func flatMap<Other>(
    _ transform: @escaping @Sendable (Value) throws -> Generator<Other>
  ) -> Generator<Other> {
    Generator<Other> { source in
      let value = try source.draw(self)
      return try source.draw(transform(value))
    }
  }

  /// Keeps only the values that satisfy `isIncluded`.
  ///
  /// A hundred rejected values in a row discard the case. If most values would be rejected, generate the
  /// right ones instead.
  public func filter(
    _ reason: String = "a filter refused every value",
    _ isIncluded: @escaping @Sendable (Value) throws -> Bool
  ) -> Generator<Value> {
    Generator { source in
      let value = try source.attempt(tries: 100) { source -> Value? in
        let value = try source.draw(self)
        return try isIncluded(value) ? value : nil
      }
      guard let value else { throw Discard(reason) }
      return value
    }
  }

  /// `nil`, which is the simplest, or a value from this generator.
  public func optional(nilProbability: Double = 0.25) -> Generator<Value?> {
    let isPresent = Generator<Bool>.bool(probability: 1 - nilProbability)
    return Generator<Value?> { source in
      try source.draw(isPresent) ? try source.draw(self) : nil
    }
  }

  /// Some full-size values, to show what the generator produces; the same seed gives the same values.
  ///
  /// - Throws: ``Discard`` when the generator refuses ten times as often as it produces a value.
  public func samples(_ count: Int, seed: UInt64) throws -> [Value] {
    var seeds = SplitMix64(seed: seed)
    var values: [Value] = []
    var discards = 0
    while values.count < count {
      let size = CaseSeed.largestSize
      var source = Source(seed: CaseSeed(random: seeds.next(), size: size))
      do {
        values.append(try source.draw(self))
      } catch let discard as Discard {
        discards += 1
        if discards > 10 * count { throw discard }
      }
    }
    return values
  }
}

extension Generator where Value: Sendable {
  /// Always the same value.
  public static func constant(_ value: Value) -> Generator {
    Generator { _ in value }
  }
}

extension Generator {
  /// Combines values of several generators in a tuple.
  public static func zip<each Part>(
    _ parts: repeat Generator<each Part>
  ) -> Generator where Value == (repeat each Part) {
    let parts = (repeat each parts)
    return Generator { source in
      (repeat try source.draw(each parts))
    }
  }
}

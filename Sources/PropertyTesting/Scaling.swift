/// Scales the number of turns of a test's own loop, `count` by default.
///
/// This is for counts that do not belong to a property: seeds, steps, crashes. `PROPERTY_CASES=x10`
/// multiplies the count as it does the cases of a property, and `x0.1` takes a tenth, but at least one. A
/// plain number, which sets the cases of properties, does not affect loops.
///
/// ```swift
/// for seed in 0..<(try scaled(200)) {
///   #expect(replayed(seed) == lived(seed), "seed \(seed)")
/// }
/// ```
///
/// - Throws: The error in `PROPERTY_CASES`, when it cannot be parsed.
public func scaled(_ count: Int) throws -> Int {
  try Environment.current().scaled(count)
}

/// Scales the step at which a test samples a space too large to test each time in full; `step` by default.
///
/// `PROPERTY_CASES=x4` makes the step a quarter as long, but at least one, at which everything is tested;
/// `x0.5` makes it twice as long.
///
/// - Throws: The error in `PROPERTY_CASES`, when it cannot be parsed.
public func scaledStep(_ step: Int) throws -> Int {
  try Environment.current().step(step)
}

/// Every `step`-th element, starting with the first, with a step that ``scaledStep(_:)`` scales.
///
/// Choose a step that has no factor in common with the period of the samples: every eighth bit is always the
/// first bit of a byte, while every seventh reaches all of them.
///
/// ```swift
/// for bit in try sample(0..<bytes.count * 8, every: 7) {
///   #expect(!isValid(bytes.flipping(bit)), "bit \(bit)")
/// }
/// ```
///
/// - Throws: The error in `PROPERTY_CASES`, when it cannot be parsed.
public func sample<Elements: RandomAccessCollection>(
  _ elements: Elements, every step: Int
) throws -> [Elements.Element] {
  stride(from: 0, to: elements.count, by: try scaledStep(step)).map {
    elements[elements.index(elements.startIndex, offsetBy: $0)]
  }
}

/// How many turns a test's own loop takes where `count` is usual.
///
/// For what is no property and has a count of its own: seeds, steps, crashes. `PROPERTY_CASES=x10`
/// multiplies it as it does the cases of a property, `x0.1` takes a tenth, and one at least; a plain
/// number, which sets the cases of properties, changes no loop.
///
/// ```swift
/// for seed in 0..<(try scaled(200)) {
///   #expect(replayed(seed) == lived(seed), "seed \(seed)")
/// }
/// ```
///
/// - Throws: What is wrong with `PROPERTY_CASES`, when it cannot be read.
public func scaled(_ count: Int) throws -> Int {
  try Environment.current().scaled(count)
}

/// How far a test steps through what is too much to go through each time, where `step` is usual.
///
/// `PROPERTY_CASES=x4` makes the step a quarter as long, and one once it has come to that: then all is
/// gone through; `x0.5` makes it twice as long.
///
/// - Throws: What is wrong with `PROPERTY_CASES`, when it cannot be read.
public func scaledStep(_ step: Int) throws -> Int {
  try Environment.current().step(step)
}

/// Every `step`-th element, from the first on, by a step that ``scaledStep(_:)`` scales.
///
/// Take a step that has no factor in common with the period of what is sampled: every eighth bit is
/// the first bit of each byte, every seventh comes to all of them.
///
/// ```swift
/// for bit in try sample(0..<bytes.count * 8, every: 7) {
///   #expect(!isValid(bytes.flipping(bit)), "bit \(bit)")
/// }
/// ```
///
/// - Throws: What is wrong with `PROPERTY_CASES`, when it cannot be read.
public func sample<Elements: RandomAccessCollection>(
  _ elements: Elements, every step: Int
) throws -> [Elements.Element] {
  stride(from: 0, to: elements.count, by: try scaledStep(step)).map {
    elements[elements.index(elements.startIndex, offsetBy: $0)]
  }
}

/// The compiled form of a resolution: numbers in a few lists, so that running it needs no reference counting.
struct ResolutionProgram: Sendable {
  /// One operation; it continues in the writer's bytes where the previous one ended.
  enum Step: Sendable {
    /// Copies a value.
    case copy(SkipPlan)
    /// Skips a value.
    case skip(SkipPlan)
    /// Writes bytes of `constants`: a default, or the number of a branch.
    case put(Range<Int>)
    /// Writes bytes of `constants`, then continues with the step at an index in `steps`, on the same level.
    case prefix(Range<Int>, next: Int)
    /// Several steps in a row, given by indices in `steps`.
    case each(Range<Int>)
    /// A record whose fields were written in another order: the extents of the writer's fields in `extents`,
    /// and the reader's fields in `fields`.
    case reorder(extents: Range<Int>, fields: Range<Int>)
    /// Converts a number to another type.
    case promote(Promotion)
    /// Replaces the number of a symbol by the one at that index of the range in `symbols`.
    case symbol(Range<Int>)
    /// Reads the number of a branch, then runs the step at that index of the range in `steps`.
    case branch(Range<Int>)
    /// The blocks of an array or map; `item` is the index of the step for each item.
    case blocks(item: Int, isMap: Bool)
    /// A recursive record: the index of its step in `steps`.
    case named(Int)
    /// Refuses a value that the reader's schema has no place for, with the reason at an index in `reasons`.
    case refuse(Int)
  }

  /// A field of a reader's record.
  struct Field: Sendable {
    /// The index of the writer's field that the step reads; `nil` for a default.
    var source: Int?
    var step: Step
  }

  var steps: [Step] = []
  var extents: [SkipPlan] = []
  var fields: [Field] = []
  /// The reader's symbol numbers; where the reader has none, the complement of an index in `reasons`.
  var symbols: [Int] = []
  var constants: [UInt8] = []
  var reasons: [String] = []
  var types: SkipPlans
  /// The step for each value.
  var start = Step.each(0..<0)
}

/// A conversion from one type of number to another.
enum Promotion: Sendable {
  case intToFloat, intToDouble, longToFloat, longToDouble, floatToDouble
}

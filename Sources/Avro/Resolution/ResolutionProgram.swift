/// What a resolution does, as numbers in a few lists: walking over it counts no references.
struct ResolutionProgram: Sendable {
  /// One thing to do; it goes on in the writer's bytes where the one before ended.
  enum Step: Sendable {
    /// Copies a value.
    case copy(Extent)
    /// Passes over a value.
    case skip(Extent)
    /// Puts bytes of `constants`: a default, a union's branch.
    case put(Range<Int>)
    /// Puts bytes of `constants`, then goes on with a step that is no level of its own: its place in `steps`.
    case prefix(Range<Int>, next: Int)
    /// Steps one after another: those at places in `steps`.
    case each(Range<Int>)
    /// A record whose fields are written in another order: the extents of the writer's fields in `extents`,
    /// and what is done for the reader's in `fields`.
    case reorder(extents: Range<Int>, fields: Range<Int>)
    /// A number that becomes one of another type.
    case promote(Promotion)
    /// The number of a symbol, to be replaced by the one at its place in `symbols`.
    case symbol(Range<Int>)
    /// A branch's number, then the step at its place in `steps`.
    case branch(Range<Int>)
    /// The blocks of an array or map, and the place of the step for each item.
    case blocks(item: Int, isMap: Bool)
    /// The step of a record that is, or encloses, this very one: its place in `steps`.
    case named(Int)
    /// A value that the reader's schema has no place for: the number of one of `reasons`.
    case refuse(Int)
  }

  /// A field of a reader's record.
  struct Field: Sendable {
    /// Which of the writer's fields its step reads; none for a default.
    var source: Int?
    var step: Step
  }

  var steps: [Step] = []
  var extents: [Extent] = []
  var fields: [Field] = []
  /// The reader's numbers of symbols; the complement of the number of a reason where there is none.
  var symbols: [Int] = []
  var constants: [UInt8] = []
  var reasons: [String] = []
  var types: Extents
  /// What is done for each value.
  var start = Step.each(0..<0)
}

/// From which number to which.
enum Promotion: Sendable {
  case intToFloat, intToDouble, longToFloat, longToDouble, floatToDouble
}

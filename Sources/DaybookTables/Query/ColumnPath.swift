/// A column in a query, with an optional path into its JSON: `data->days->0`, `data->>log_date`.
struct ColumnPath: Hashable, Sendable {
  /// A step of a path into JSON.
  enum Step: Hashable, Sendable {
    /// To a member of an object.
    case member(String)
    /// To an element of an array, counted from the end when negative.
    case element(Int)
  }

  var name: String
  var steps: [Step] = []
  /// Whether the last step is `->>`, which gives text.
  var isText = false

  /// The value's name in an answer without an alias: the last member of the path.
  var outputName: String {
    for step in steps.reversed() {
      if case .member(let name) = step { return name }
    }
    return name
  }
}

extension QueryReader {
  /// Reads a column, up to one of these bytes or to the end.
  mutating func column(upTo stops: [UInt8]) throws(TableError) -> ColumnPath {
    var path = ColumnPath(name: try name(upTo: stops))
    while !path.isText, take("->") {
      path.isText = take(UInt8(ascii: ">"))
      let step = try name(upTo: stops)
      path.steps.append(Int(step).map { .element($0) } ?? .member(step))
    }
    if starts(with: "->") { throw unexpected("the end of the column") }
    return path
  }
}

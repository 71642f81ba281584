import HTTPTypes
import Wire

/// A query of a table: its filters, its columns, its order and its page.
struct TableQuery: Sendable {
  /// The part of a query that applies to the table, or to one embedded table.
  struct Shape: Sendable {
    var conditions: [Condition] = []
    var order: [OrderTerm] = []
    var limit: Int?
    var offset = 0

    /// Adds the parts of another shape.
    mutating func add(_ other: Shape) {
      conditions += other.conditions
      order += other.order
      limit = limit ?? other.limit
      offset = max(offset, other.offset)
    }
  }

  var select: [SelectItem] = [.all]
  /// The shape of the table under the empty path, and those of embedded tables under the path of their names.
  var shapes: [[String]: Shape] = [:]
  /// The columns that decide whether an inserted row exists already.
  var conflictColumns: [String]?
  /// The only columns that a body may set.
  var columns: [String]?
  /// The moment as of which the book is read.
  var moment: String?

  /// The table's own shape.
  var shape: Shape { shapes[[]] ?? Shape() }

  /// Reads a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - passedOver: Names of parameters to ignore.
  /// - Throws: ``TableError`` (`PGRST100`, `PGRST103`).
  init(_ query: WireQuery, passingOver passedOver: Set<String> = []) throws(TableError) {
    for item in query.items where !passedOver.contains(item.name) {
      switch item.name {
      case "select": select = try SelectItem.list(item.value)
      case "on_conflict": conflictColumns = try Self.names(item)
      case "columns": columns = try Self.names(item)
      case "as_of": moment = item.value
      // Gateways also accept the key as a parameter.
      case "apikey", "": break
      default: try read(item)
      }
    }
  }

  private mutating func read(_ item: WireQuery.Item) throws(TableError) {
    var reader = QueryReader(item.name, as: "filter")
    var path: [String] = []
    var column = try reader.column(upTo: [UInt8(ascii: ".")])
    while reader.take(UInt8(ascii: ".")) {
      path.append(column.name)
      column = try reader.column(upTo: [UInt8(ascii: ".")])
    }
    try reader.expectEnd()
    guard path.count <= QueryReader.maximumEmbedDepth + 1 else {
      throw reader.unexpected("tables embedded at most \(QueryReader.maximumEmbedDepth) deep")
    }
    switch column.steps.isEmpty ? column.name : "" {
    case "order": shapes[path, default: Shape()].order += try OrderTerm.list(item.value)
    case "limit": shapes[path, default: Shape()].limit = try Self.number(item)
    case "offset": shapes[path, default: Shape()].offset = try Self.number(item) ?? 0
    case "or", "and":
      var condition = try Condition(joining: column.name, item.value)
      if path.last == "not" {
        path.removeLast()
        condition = .not(condition)
      }
      shapes[path, default: Shape()].conditions.append(condition)
    default:
      let condition = try Condition(column, item.value)
      shapes[path, default: Shape()].conditions.append(condition)
    }
  }

  /// One or more names separated by commas, each quoted or plain.
  private static func names(_ item: WireQuery.Item) throws(TableError) -> [String] {
    var reader = QueryReader(item.value, as: "\(item.name) parameter")
    var names: [String] = []
    repeat {
      names.append(try reader.name(upTo: [UInt8(ascii: ",")]))
    } while reader.take(
      UInt8(ascii: ","))
    try reader.expectEnd()
    return names
  }

  /// A number of rows; `nil` for a text that is not a number, which clients without a limit send (`limit=undefined`).
  ///
  /// - Throws: ``TableError`` (`PGRST103`) for a negative limit.
  private static func number(_ item: WireQuery.Item) throws(TableError) -> Int? {
    let digits = item.value.utf8.drop { $0 == UInt8(ascii: "-") }
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      item.value.utf8.count - digits.count <= 1
    else { return nil }
    guard digits.count == item.value.utf8.count else {
      guard item.name.hasSuffix("limit") else { return nil }
      throw .range("Limit should be greater than or equal to zero.")
    }
    // A limit beyond the longest possible answer is no limit.
    return min(Int(item.value) ?? .max, Int(Int32.max))
  }
}

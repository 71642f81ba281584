/// The JSON form of logical types. Where a method returns `nil`, the value is treated as its plain type.
public protocol LogicalFormat {
  /// The JSON of an `int` or `long`.
  ///
  /// - Throws: ``TranscodingError`` when the number is not a value of the type.
  func json(of number: Int64, as logicalType: String) throws(TranscodingError) -> JSON?
  /// The JSON of a `fixed`.
  ///
  /// - Throws: ``TranscodingError`` when the bytes are not a value of the type.
  func json(of bytes: [UInt8], as logicalType: String) throws(TranscodingError) -> JSON?
  /// The `int` or `long` for its JSON.
  ///
  /// - Throws: ``TranscodingError`` when the JSON is not a value of the type.
  func number(of json: JSON, as logicalType: String) throws(TranscodingError) -> Int64?
  /// The bytes of a `fixed` for its JSON.
  ///
  /// - Throws: ``TranscodingError`` when the JSON is not a value of the type.
  func bytes(of json: JSON, as logicalType: String) throws(TranscodingError) -> [UInt8]?
}

/// A failure to convert a value to JSON or back: its place, and the reason.
public struct TranscodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The names of the fields that lead to the value, outermost first.
  public var path: [String] = []
  /// The reason, worded as the end of a sentence.
  public var reason: String

  /// Makes an error about the current value; enclosing fields add their names.
  public init(_ reason: String) { self.reason = reason }

  /// The same error, with the path extended by an enclosing field.
  public func inside(_ name: String) -> TranscodingError {
    var error = self
    error.path.insert(name, at: 0)
    return error
  }

  /// "target.amount: …".
  public var description: String {
    path.isEmpty ? reason : "\(path.joined(separator: ".")): \(reason)"
  }
}

extension TranscodingError {
  init(_ error: AvroError) { self.init(error.description) }
}

/// Converts the binary encoding of a schema's values to JSON and back.
///
/// | schema | JSON |
/// |---|---|
/// | record, map | an object, fields in their order |
/// | enum | its symbol |
/// | union of null and one type | null, or the value |
/// | any other union | null, or `{"<name of the branch>": value}` |
/// | int, long | a number |
/// | float, double | the shortest number that reads back as the same bits; `"NaN"`, `"Infinity"`, `"-Infinity"` |
/// | bytes, fixed | a string of the code points 0…255 |
///
/// The ``LogicalFormat`` decides the form of logical types. When writing, a missing field gets its default,
/// and a member that is not a field is an error; fields and branches are also found by their aliases. Both
/// directions respect ``AvroLimit``, so whatever is written here can be read.
public struct SchemaTranscoder: Sendable {
  static let largestArrayBlock = 1 << 20
  let schema: Schema
  private let named: NamedTypes

  /// Transcodes values of a schema.
  public init(_ schema: Schema) {
    self.schema = schema
    named = NamedTypes(of: schema)
  }

  func resolve(_ name: String) throws(TranscodingError) -> Schema {
    guard let schema = named.types[name] else {
      throw TranscodingError("the schema does not define \(name)")
    }
    return schema
  }

  /// The JSON of an encoded value.
  ///
  /// - Throws: ``TranscodingError`` when the bytes are not exactly one value of the schema.
  public func json(
    encoded bytes: [UInt8], _ format: some LogicalFormat
  ) throws(TranscodingError) -> JSON {
    var reader = unsafe BinaryReader(bytes.span.bytes)
    var count = 0
    let json = try read(schema, from: &reader, format, &count, depth: 0)
    guard reader.isAtEnd else { throw TranscodingError(AvroError.trailingBytes.description) }
    return json
  }

  /// The encoding of a value in JSON.
  ///
  /// - Throws: ``TranscodingError`` when the JSON is not a value of the schema.
  public func encode(
    _ json: JSON, _ format: some LogicalFormat
  ) throws(TranscodingError) -> [UInt8] {
    var writer = BinaryWriter()
    var work = Work(.jsonValueCount)
    try write(json, as: schema, to: &writer, format, &work, depth: 0)
    return writer.bytes
  }

  /// The type T of a union of null and T, and the number of the null branch; `nil` for any other union.
  static func optional(_ branches: [Schema]) -> (wrapped: Schema, null: Int)? {
    guard branches.count == 2, let null = branches.firstIndex(where: \.isNull) else {
      return nil
    }
    return (branches[1 - null], null)
  }

  /// The name of a branch in JSON.
  static func name(of branch: Schema) -> String {
    if let name = branch.name { return name }
    switch branch {
    case .primitive(let primitive, _): return primitive.rawValue
    case .array: return "array"
    case .map: return "map"
    default: return "union"
    }
  }
}

package import Avro
import Values

extension RowNames: AvroValue {
  /// As a list of pairs.
  package static var schema: Schema { [Pair].schema }
  /// The empty list.
  package static var absentValue: JSON? { [Pair].absentValue }

  /// Takes the blocks of an array.
  @_lifetime(reader: copy reader)
  package init(from reader: inout BinaryReader) throws(AvroError) {
    self.init(try [Pair](from: &reader))
  }

  /// Appends the blocks of an array.
  package func write(to writer: inout BinaryWriter) { pairs.write(to: &writer) }
}

extension RowNames.Pair: AvroRecord {
  /// "RowName".
  package static var recordName: String { "RowName" }
  /// What reading begins with, before any field is set.
  package static var placeholder: RowNames.Pair {
    .init(from: Key(high: 0, low: 0), to: Key(high: 0, low: 0))
  }

  /// The row's own name, and the app's.
  package mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("row", &from)
    try visitor.visit("name", &to)
  }
}

extension RowNames: JSONForm {
  /// As a list's.
  package static var jsonWords: String { [Pair].jsonWords }
  /// As a list's.
  package static var jsonSchema: JSON { [Pair].jsonSchema }
  /// As a list's.
  package static var examples: (RowNames, RowNames) {
    (RowNames([Pair].examples.0), RowNames([Pair].examples.1))
  }
  /// Reads a list.
  ///
  /// - Throws: ``JSONFault``.
  package init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    self.init(try [Pair](json: json, keys))
  }
  /// The list.
  package func json(_ keys: some EntityKeys) -> JSON { pairs.json(keys) }
}

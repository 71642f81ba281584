package import Avro
import Values

extension RowNames: AvroValue {
  /// The schema of a list of pairs.
  package static var schema: Schema { [RowName].schema }
  /// The empty list.
  package static var absentValue: JSON? { [RowName].absentValue }

  /// Reads the blocks of an array.
  @_lifetime(reader: copy reader)
  package init(from reader: inout BinaryReader) throws(AvroError) {
    self.init(try [RowName](from: &reader))
  }

  /// Appends the blocks of an array.
  package func write(to writer: inout BinaryWriter) { list.write(to: &writer) }
}

extension RowNames {
  fileprivate init(_ list: [RowName]) {
    self.init()
    for each in list { call(each.row, each.name, in: each.table) }
  }

  fileprivate var list: [RowName] {
    pairs.map { RowName(table: $0.table, row: $0.pair.from, name: $0.pair.to) }
  }
}

/// The name of a row, in a snapshot.
package struct RowName: AvroRecord {
  package var table: NamedTable
  /// The row's own key.
  package var row: Key
  /// The apps' name for it.
  package var name: Key

  package static var recordName: String { "RowName" }
  package static var placeholder: RowName {
    RowName(table: .habitLogs, row: Key(high: 0, low: 0), name: Key(high: 0, low: 0))
  }

  /// The table, the row's own key, and the app's.
  package mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("table", &table)
    try visitor.visit("row", &row)
    try visitor.visit("name", &name)
  }
}

extension RowNames: JSONForm {
  /// The same as a list's.
  package static var jsonWords: String { [RowName].jsonWords }
  /// The same as a list's.
  package static var jsonSchema: JSON { [RowName].jsonSchema }
  /// The same as a list's.
  package static var examples: (RowNames, RowNames) {
    (RowNames([RowName].examples.0), RowNames([RowName].examples.1))
  }
  /// Reads a list.
  ///
  /// - Throws: ``JSONFault``.
  package init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    self.init(try [RowName](json: json, keys))
  }
  package func json(_ keys: some EntityKeys) -> JSON { list.json(keys) }
}

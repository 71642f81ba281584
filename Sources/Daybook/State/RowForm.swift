package import Avro

/// A row that declares its columns once: its writing, its table in the documentation and its JSON Schema are derived
/// from that.
///
/// A row that holds a single entity is that entity's ``Columns``; the rows here combine several entities, or hold
/// derived values.
package protocol RowForm: RowValue {
  /// Visits each column, in the order of writing.
  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == Self
}

/// A visitor of the columns of rows: the writer, or the one that lists the columns.
package protocol RowVisitor {
  /// The row that has the columns.
  associatedtype Row

  /// Visits a column that every row has.
  mutating func column<Value: RowValue>(
    _ name: String, schema: @autoclosure () -> JSON, _ doc: String, _ value: (Row) -> Value)

  /// Visits a column that is left out when it has no value.
  mutating func optional<Value: RowValue>(
    _ name: String, schema: @autoclosure () -> JSON, _ doc: String, _ value: (Row) -> Value?)

  /// Visits the columns of a value that declares its own, with the names that they have in this row.
  mutating func columns<Content: Columns>(
    of content: Content.Type, renaming names: [String: String], _ members: (Row) -> [JSON.Member])
}

extension RowVisitor {
  /// Visits a column whose form is that of its value.
  mutating func column<Value: RowValue & JSONForm>(
    _ name: String, _ doc: String = "", _ value: (Row) -> Value
  ) {
    column(name, schema: Value.jsonSchema, doc, value)
  }

  /// Visits a column whose value is written in the form of another type: a key as an entity's, for example.
  mutating func column<Value: RowValue, Form: JSONForm>(
    _ name: String, as form: Form.Type, _ doc: String = "", _ value: (Row) -> Value
  ) {
    column(name, schema: Form.jsonSchema, doc, value)
  }

  /// Visits a column that holds rows.
  mutating func column<Inner: RowForm>(
    _ name: String, rows doc: String = "", _ value: (Row) -> [Inner]
  ) {
    column(name, schema: ["type": "array", "items": Inner.schema], doc, value)
  }

  /// Visits a column that is left out when it has no value.
  mutating func optional<Value: RowValue & JSONForm>(
    _ name: String, _ doc: String = "", _ value: (Row) -> Value?
  ) {
    optional(name, schema: Value.jsonSchema, doc, value)
  }

  /// Visits a column that is left out when it has no value, and is otherwise written in the form of another type.
  mutating func optional<Value: RowValue, Form: JSONForm>(
    _ name: String, as form: Form.Type, _ doc: String = "", _ value: (Row) -> Value?
  ) {
    optional(name, schema: Form.jsonSchema, doc, value)
  }

  /// Visits the columns of a value that declares its own.
  mutating func columns<Content: Columns>(
    of content: Content.Type, _ members: (Row) -> [JSON.Member]
  ) {
    columns(of: content, renaming: [:], members)
  }
}

extension RowForm {
  /// The columns, as the documentation and the JSON Schema list them.
  package static var columns: [Column] {
    var list = RowColumnList<Self>()
    visitColumns(&list)
    return list.columns
  }

  /// The JSON Schema (draft 2020-12) of the row.
  package static var schema: JSON { .rowSchema(columns) }

  /// Writes the row as an object.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      var writer = RowWriter(row: self)
      swap(&writer.json, &json)
      Self.visitColumns(&writer)
      swap(&writer.json, &json)
    }
  }

  /// The row.
  package var json: JSON { JSON(written: { write(to: &$0) }) }
}

extension Optional where Wrapped: RowForm {
  /// A row, or null.
  static var rowSchema: JSON { ["anyOf": [Wrapped.schema, ["type": "null"]]] }
}

/// Writes the columns of a row.
private struct RowWriter<Row>: RowVisitor {
  let row: Row
  var json = JSONWriter()

  init(row: Row) { self.row = row }

  mutating func column<Value: RowValue>(
    _ name: String, schema: @autoclosure () -> JSON, _ doc: String, _ value: (Row) -> Value
  ) {
    json.name(name)
    value(row).write(to: &json)
  }

  mutating func optional<Value: RowValue>(
    _ name: String, schema: @autoclosure () -> JSON, _ doc: String, _ value: (Row) -> Value?
  ) {
    guard let value = value(row) else { return }
    json.name(name)
    value.write(to: &json)
  }

  mutating func columns<Content: Columns>(
    of content: Content.Type, renaming names: [String: String], _ members: (Row) -> [JSON.Member]
  ) {
    for member in members(row) {
      json.name(names[member.name] ?? member.name)
      json.value(member.value)
    }
  }
}

/// Lists the columns of a row.
private struct RowColumnList<Row>: RowVisitor {
  var columns: [Column] = []

  mutating func column<Value: RowValue>(
    _ name: String, schema: @autoclosure () -> JSON, _ doc: String, _ value: (Row) -> Value
  ) {
    columns.append(Column(name, schema: schema(), isNeeded: true, doc))
  }

  mutating func optional<Value: RowValue>(
    _ name: String, schema: @autoclosure () -> JSON, _ doc: String, _ value: (Row) -> Value?
  ) {
    columns.append(Column(name, schema: schema(), isNeeded: false, doc))
  }

  mutating func columns<Content: Columns>(
    of content: Content.Type, renaming names: [String: String], _ members: (Row) -> [JSON.Member]
  ) {
    for var column in ColumnList.rowColumns(of: content) {
      column.name = names[column.name] ?? column.name
      columns.append(column)
    }
  }
}

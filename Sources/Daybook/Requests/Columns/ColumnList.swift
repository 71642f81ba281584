package import Avro

/// Lists columns, for the documentation and for JSON Schema.
package struct ColumnList: ColumnVisitor {
  package typealias Failure = Never

  /// The columns, in their order.
  package private(set) var columns: [Column] = []
  /// Whether the columns of a patch are listed: none is required, and absence has no default meaning.
  private var isPatch = false
  /// Whether the columns of a row are listed: all are present, and hold what was recorded, whatever the present bounds.
  private var isRow = false
  private let nobody = BookState()

  /// The columns of a type that declares them.
  package static func columns<Content: Columns>(of type: Content.Type) -> [Column] {
    var list = ColumnList()
    var content = type.defaults
    content.visitColumns(&list)
    return list.columns
  }

  /// The columns of the rows of a type that declares them.
  package static func rowColumns<Content: Columns>(of type: Content.Type) -> [Column] {
    var list = ColumnList()
    list.isRow = true
    var content = type.defaults
    content.visitColumns(&list)
    return list.columns
  }

  /// Lists a column.
  package mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    let notes = notes()
    guard !isRow else {
      return columns.append(Column(notes.column(name), schema: Value.jsonSchema, isNeeded: true))
    }
    let isNeeded = notes.contains(.needed)
    var column = Column(notes.column(name), Value.self)
    // Outside a patch null means the same as absence.
    if !isPatch, !isNeeded, !Value.takesNull { column.schema = Value?.jsonSchema }
    for note in notes {
      switch note {
      case .doc(let text): column.doc = text
      case .needed: column.isNeeded = !isPatch
      case .bounds(let bounds):
        column.schema = .object((column.schema.members ?? []) + (bounds.members ?? []))
      case .formerly, .ifAbsent, .personal, .mayBeEmpty, .neverEmpty, .credential, .column: break
      }
    }
    if isPatch, Value.takesNull {
      column.doc += column.doc.isEmpty ? "null clears" : "; null clears"
    }
    let usual = value.json(nobody)
    if !isPatch, !column.isNeeded, !Self.goesWithoutSaying.contains(usual) { column.usual = usual }
    columns.append(column)
  }

  private static let goesWithoutSaying: [JSON] = [.null, "", [], false]

  /// Lists the columns of a codec.
  package mutating func columns<Codec: ColumnCodec>(_ codec: Codec, _ value: inout Codec.Value) {
    for var column in codec.columns {
      if isPatch || isRow { (column.isNeeded, column.usual) = (isRow, nil) }
      // That documentation describes the column in a request.
      if isRow { column.doc = "" }
      columns.append(column)
    }
  }

  /// Lists the columns of a patch's content.
  package mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) {
    isPatch = true
    defer { isPatch = false }
    var content = Content.defaults
    content.visitColumns(&self)
  }
}

public import Avro

extension RequestReader: ColumnVisitor {
  /// A rejection that names the column.
  public typealias Failure = any Error

  /// Reads a column. If it is absent or null, the value stays as it is, unless the column is required or accepts null.
  ///
  /// - Throws: a rejection that names the column.
  public mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws {
    let notes = notes()
    let name = notes.column(name)
    let json = self.value(name)
    guard !isPatching else {
      return note(name, try json.map { try decode($0, name) as Value })
    }
    guard let json, json != .null || Value.takesNull else {
      if notes.contains(.needed) { throw Rejection.missingField(name, of: noun) }
      return
    }
    value = try decode(json, name)
  }

  /// Reads the columns of a codec.
  ///
  /// - Throws: a rejection that names the column.
  public mutating func columns<Codec: ColumnCodec>(
    _ codec: Codec, _ value: inout Codec.Value
  ) throws {
    let found = try codec.read(&self)
    guard !isPatching else { return note(codec.columns[0].name, found) }
    if let found { value = found }
  }

  /// Reads the columns of a patch.
  ///
  /// - Throws: a rejection that names the column.
  public mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) throws {
    changes = []
    (isPatching, nextPlace) = (true, 0)
    defer { isPatching = false }
    var content = Content.defaults
    try content.visitColumns(&self)
    patch = Patch(changes)
  }

  private mutating func note<Value: Sendable>(_ name: String, _ value: Value?) {
    if let value { changes.append(ColumnChange(place: nextPlace, name: name, value: value)) }
    nextPlace += 1
  }

  /// Reads a value.
  ///
  /// - Throws: a rejection that names the column: it holds another type of value, or the key of nothing.
  func decode<Value: JSONForm>(_ json: JSON, _ name: String) throws -> Value {
    do throws(JSONFault) { return try Value(json: json, self) } catch {
      switch error {
      case .form: throw Rejection.invalidField(name, "\(json.shown) is not \(Value.jsonWords)")
      case .unknown(let kind):
        throw EntityKind(rawValue: kind)?.notFound.about(name)
          ?? Rejection.invalidField(name, "\(json.shown) names nothing")
      }
    }
  }
}

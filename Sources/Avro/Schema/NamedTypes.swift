/// The named types of a schema by full name, used to resolve references.
struct NamedTypes: Sendable {
  private(set) var types: [String: Schema] = [:]

  init(of schema: Schema) { collect(schema) }

  private mutating func collect(_ schema: Schema) {
    switch schema {
    case .array(let inner, _), .map(let inner, _): collect(inner)
    case .union(let branches): for branch in branches { collect(branch) }
    case .record(let record):
      guard types.updateValue(schema, forKey: record.name) == nil else { return }
      for field in record.fields { collect(field.schema) }
    case .enumeration(let enumeration): types[enumeration.name] = schema
    case .fixed(let fixed): types[fixed.name] = schema
    case .primitive, .reference: break
    }
  }

  /// The schema itself, or the type that it refers to.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` when that type is not defined.
  func definition(of schema: Schema) throws(AvroError) -> Schema {
    guard case .reference(let name) = schema else { return schema }
    guard let type = types[name] else {
      throw .invalidSchema("the type \"\(name)\" is not defined")
    }
    return type
  }
}

/// Converts values from the encoding of one schema to that of another (Avro specification 1.12, "Schema
/// Resolution"), so that a reader of the newer schema can also read older files.
///
/// | written | read |
/// |---|---|
/// | a record's field | the field with its name or alias, in any order; otherwise skipped |
/// | no such field | the field's default; without one the schemas do not match |
/// | int | int, long, float, double |
/// | long | long, float, double |
/// | float | float, double |
/// | string, bytes | string, bytes |
/// | an enumeration's symbol | the symbol with its name, else the default; without one that symbol cannot be read |
/// | array, map | array, map, each item resolved |
/// | fixed | fixed of the same size |
/// | a branch of a union | the union's branch of the same type, else the first that fits, or the single type |
/// | any other type | the same type, also within a union |
///
/// Named types match if their unqualified names are equal, or if the older full name is an alias of the newer
/// type. An alias applies only to writers that do not know the new name. Logical types are ignored. As in
/// Java's reader, a union's branch of the same type takes precedence over an earlier branch to which the
/// value could be promoted, so a value of an unchanged union keeps its branch.
///
/// If two schemas can never match, compiling them fails. If only a branch or symbol does not match, resolving
/// fails at the first such value. Damaged bytes, and anything beyond ``AvroLimit``, are errors too. Both
/// schemas are compiled once into a small program over plain numbers. Parts that are the same in both are
/// copied without interpretation: they are scanned only to find their end.
///
/// ```swift
/// let resolution = try SchemaResolution(from: Schema(parsing: header.schemaText), to: Walk.schema)
/// try resolution.resolve(block.count, in: bytes, into: &newer)
/// ```
public struct SchemaResolution: Sendable {
  let program: ResolutionProgram

  /// Compiles the conversion from a writer's schema to a reader's.
  ///
  /// - Throws: ``AvroError/schemaMismatch(_:)`` when no value of the writer's schema can be read, or
  ///   ``AvroError/invalidSchema(_:)`` when a default is not a value of its field.
  public init(from writer: Schema, to reader: Schema) throws(AvroError) {
    var compiler = ResolutionCompiler(from: writer, to: reader)
    program = try compiler.compile()
  }

  /// Whether every value has the same bytes in both schemas, so that nothing needs converting. If so, the
  /// schemas differ only in names, docs, defaults, promotions from int to long, appended branches and
  /// symbols, and the like.
  public var changesNothing: Bool {
    if case .copy = program.start { true } else { false }
  }

  /// Converts values one after another.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - bytes: Their encoding in the writer's schema, and nothing else.
  ///   - output: Receives their encoding in the reader's schema; its contents are replaced, its memory is
  ///     reused.
  /// - Throws: ``AvroError/schemaMismatch(_:)`` at a value that the reader's schema has no place for, or
  ///   another ``AvroError`` when the bytes are not `count` values of the writer's schema.
  public func resolve(
    _ count: Int, in bytes: RawSpan, into output: inout [UInt8]
  ) throws(AvroError) {
    guard count >= 0 else { throw .invalidLength }
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(bytes.byteCount + bytes.byteCount / 4)
    var run = ResolutionRun(program, reading: BinaryReader(bytes))
    swap(&run.output, &output)
    defer { swap(&run.output, &output) }
    try run.repeat(program.start, count, isMap: false, depth: 0)
    guard run.reader.isAtEnd else { throw .trailingBytes }
  }
}

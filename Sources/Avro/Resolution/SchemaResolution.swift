/// Turns values that were written with one schema into the bytes that another schema has for them (Avro
/// specification 1.12, "Schema Resolution"), so that what reads the newer schema reads older files too.
///
/// | written | read |
/// |---|---|
/// | a record's field | the field of its name, or of which it is an alias, in any order; else passed over |
/// | no such field | the field's default; without one the schemas do not fit |
/// | int | int, long, float, double |
/// | long | long, float, double |
/// | float | float, double |
/// | string, bytes | string, bytes |
/// | an enumeration's symbol | the symbol of its name, else the default; without one that symbol cannot be read |
/// | array, map | array, map, each item resolved |
/// | fixed | fixed of the same size |
/// | a branch of a union | the union's branch of the same type, else its first that fits, or the one type |
/// | any other type | the same, also in a union |
///
/// Named types fit by their unqualified names, or when the older full name is an alias. An alias speaks for
/// writers that do not know the new name: one that does is taken at its word. Logical types are ignored. A
/// union's branch of the same type goes before an earlier one that the value could be promoted to, as in
/// Java's reader, so that a union is always read as itself.
///
/// Two schemas that never fit are an error when they are compiled; a branch or symbol that does not fit is
/// one when such a value appears. Damaged bytes end in an error, and so does what goes beyond ``AvroLimit``. Both
/// schemas are compiled once into a small
/// program over plain numbers; what is the same in both is copied without being interpreted, and only
/// passed over to see where it ends.
///
/// ```swift
/// let resolution = try SchemaResolution(from: Schema(parsing: header.schemaText), to: Walk.schema)
/// try resolution.resolve(block.count, in: bytes, into: &newer)
/// ```
public struct SchemaResolution: Sendable {
  let program: ResolutionProgram

  /// Compiles the way from a writer's schema to a reader's.
  ///
  /// - Throws: ``AvroError/schemaMismatch(_:)`` when no value of the writer's can be read, or
  ///   ``AvroError/invalidSchema(_:)`` when a default is no value of its field.
  public init(from writer: Schema, to reader: Schema) throws(AvroError) {
    var compiler = ResolutionCompiler(from: writer, to: reader)
    program = try compiler.compile()
  }

  /// Whether the bytes are the same in both schemas, so that there is nothing to resolve: only names, docs,
  /// defaults, promotions from int to long, branches and symbols at the end, and the like are different.
  public var changesNothing: Bool {
    if case .copy = program.start { true } else { false }
  }

  /// Resolves values, one after another.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - bytes: Their encoding in the writer's schema, and nothing else.
  ///   - output: Is replaced by their encoding in the reader's schema; its memory is used again.
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

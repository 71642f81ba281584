extension SchemaTranscoder {
  /// The encoding of a field's default.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` when it is no value of the field's type.
  func encodeDefault(
    _ json: JSON, of field: Schema.Field, _ work: inout Work
  ) throws(AvroError) -> [UInt8] {
    var writer = BinaryWriter()
    do throws(TranscodingError) {
      try write(json, as: field.schema, to: &writer, DefaultFormat(), &work, depth: 0)
    } catch {
      throw .invalidSchema("the default of \(field.name) is none: \(error)")
    }
    return writer.bytes
  }

  /// Writes a default of a union: of the first branch that it fits, whole (Avro 1.12; older writers always mean
  /// the first branch, which it then fits).
  ///
  /// The names of what JSON has no number for are texts first: `"NaN"` is a number only where no branch takes
  /// the text. What a branch has written before it turned out not to fit is taken back; the work stays counted,
  /// for records that refer to each other have a thousand million ways to fail.
  func writeDefault(
    _ json: JSON, as branches: [Schema], to writer: inout BinaryWriter, _ format: DefaultFormat,
    _ work: inout Work, depth: Int
  ) throws(TranscodingError) {
    let start = writer.bytes.count
    let formats = format.takesNames ? [DefaultFormat(takesNames: false), format] : [format]
    for format in formats {
      for (number, branch) in branches.enumerated() {
        do throws(TranscodingError) {
          writer.put(Int64(number))
          return try write(json, as: branch, to: &writer, format, &work, depth: depth + 1)
        } catch {
          writer.bytes.removeSubrange(start...)
        }
      }
    }
    try work.check()
    throw .mismatch(json, "of any of the union's types")
  }
}

/// How defaults stand in a schema: plain types only, and of a union the value without its branch's name.
struct DefaultFormat: LogicalFormat {
  /// Whether the names `"NaN"`, `"Infinity"`, `"-Infinity"` are numbers, too.
  var takesNames = true
}

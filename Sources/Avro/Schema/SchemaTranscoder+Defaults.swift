extension SchemaTranscoder {
  /// The encoding of a field's default.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` when it is not a value of the field's type.
  func encodeDefault(
    _ json: JSON, of field: Schema.Field, _ work: inout Work
  ) throws(AvroError) -> [UInt8] {
    var writer = BinaryWriter()
    do throws(TranscodingError) {
      try write(json, as: field.schema, to: &writer, DefaultFormat(), &work, depth: 0)
    } catch {
      throw .invalidSchema("the default of \(field.name) is not valid: \(error)")
    }
    return writer.bytes
  }

  /// Writes the default of a union, as a value of the first branch that it fits entirely (Avro 1.12; older
  /// writers always mean the first branch, which it then fits).
  ///
  /// The names of numbers that JSON lacks are texts first: `"NaN"` is a number only if no branch accepts the
  /// text. The output of a branch that turns out not to fit is removed. Its work stays counted, because
  /// records that refer to each other can fail in a thousand million ways.
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

/// The form of defaults in a schema: plain types only, and for a union the value without the name of its
/// branch.
struct DefaultFormat: LogicalFormat {
  /// Whether the names `"NaN"`, `"Infinity"`, `"-Infinity"` also count as numbers.
  var takesNames = true
}

/// Single-object encoding: a value preceded by the fingerprint of its schema, for messages and database cells
/// (Avro specification 1.12, "Single-object encoding").
public enum SingleObject {
  /// The bytes that begin each object.
  private static let marker: [UInt8] = [0xC3, 0x01]

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - value: The value in JSON, in the form that ``SchemaTranscoder`` defines.
  ///   - schema: Its schema.
  ///   - format: The JSON of logical types; without one they are numbers and bytes.
  /// - Returns: The marker, the schema's fingerprint, and the value.
  /// - Throws: ``TranscodingError`` when it is not a value of the schema.
  public static func encode(
    _ value: JSON, as schema: Schema, format: some LogicalFormat = PlainFormat()
  ) throws(TranscodingError) -> [UInt8] {
    let fingerprint = schema.fingerprint
    let head = (0..<8).map { UInt8(truncatingIfNeeded: fingerprint >> (8 * $0)) }
    return marker + head + (try SchemaTranscoder(schema).encode(value, format))
  }

  /// The fingerprint of the schema with which a value was written (``Schema/fingerprint``).
  ///
  /// - Throws: ``AvroError/notASingleObject``.
  public static func fingerprint(of bytes: [UInt8]) throws(AvroError) -> UInt64 {
    guard bytes.count >= 10, bytes.starts(with: marker) else { throw .notASingleObject }
    return bytes[2..<10].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - bytes: The marker, the fingerprint and the value, and nothing else.
  ///   - schemas: The schemas with which it may have been written.
  ///   - format: The JSON of logical types; without one they are numbers and bytes.
  /// - Returns: The value in JSON, in the form that ``SchemaTranscoder`` defines.
  /// - Throws: ``TranscodingError`` when none of the schemas has the fingerprint, or the bytes are not a
  ///   value of it.
  public static func decode(
    _ bytes: [UInt8], knowing schemas: [Schema], format: some LogicalFormat = PlainFormat()
  ) throws(TranscodingError) -> JSON {
    let wanted: UInt64
    do throws(AvroError) { wanted = try fingerprint(of: bytes) } catch {
      throw TranscodingError(error)
    }
    guard let schema = schemas.first(where: { $0.fingerprint == wanted }) else {
      throw TranscodingError(.unknownFingerprint(wanted))
    }
    return try SchemaTranscoder(schema).json(encoded: Array(bytes[10...]), format)
  }
}

public import Avro
public import Values

extension Key: AvroValue {
  /// `fixed(16)`, logical type `uuid`.
  public static var schema: Schema {
    .fixed(.init(name: "Key", byteCount: 16, logicalType: "uuid"))
  }

  /// Reads sixteen bytes.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    for _ in 0..<8 { high = high << 8 | UInt64(try reader.takeByte()) }
    for _ in 0..<8 { low = low << 8 | UInt64(try reader.takeByte()) }
    self.init(high: high, low: low)
  }

  /// Appends sixteen bytes.
  public func write(to writer: inout BinaryWriter) {
    for half in [high, low] {
      writer.put(raw: (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) })
    }
  }
}

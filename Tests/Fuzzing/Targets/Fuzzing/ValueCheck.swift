public import Avro

/// Whether the bytes are exactly one value of a schema.
public func isValue(_ bytes: [UInt8], of schema: Schema) -> Bool {
  guard let scanner = try? ValueScanner(schema) else { return false }
  var reader = BinaryReader(bytes.span.bytes)
  return (try? scanner.scan(over: &reader)) != nil && reader.isAtEnd
}

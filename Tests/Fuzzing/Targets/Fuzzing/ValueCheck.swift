public import Avro

/// Whether the bytes are one value of a schema, and nothing else.
public func isValue(_ bytes: [UInt8], of schema: Schema) -> Bool {
  guard let scanner = try? ValueScanner(schema) else { return false }
  var reader = BinaryReader(bytes.span.bytes)
  return (try? scanner.pass(over: &reader)) != nil && reader.isAtEnd
}

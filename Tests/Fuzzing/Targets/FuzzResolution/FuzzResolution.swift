import Avro
import Fuzzing

/// Schema resolution: a writer's schema, a zero byte, a reader's schema, a zero byte, and a value's bytes. A resolved
/// value is valid for the reader's schema; resolving a schema to itself changes no byte.
@c(LLVMFuzzerTestOneInput)
public func fuzzResolution(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count: count)
  guard let writer = schema(&input), let reader = schema(&input) else { return 0 }
  let bytes = Array(input.rest)
  let isValue = isValue(bytes, of: writer)
  checkSame(writer, bytes, isValue: isValue)
  checkSame(reader, bytes, isValue: Fuzzing.isValue(bytes, of: reader))

  guard let resolution = try? SchemaResolution(from: writer, to: reader) else { return 0 }
  var output: [UInt8] = []
  guard (try? resolution.resolve(1, in: bytes.span.bytes, into: &output)) != nil else { return 0 }
  if resolution.changesNothing { hold(output == bytes, "what changes nothing changes nothing") }
  // Any bytes may be read as a string, and are refused when the string is checked.
  guard isValue, !writer.json.encoded.contains("bytes") else { return 0 }
  hold(Fuzzing.isValue(output, of: reader), "what was resolved is a value")
  return 0
}

private func schema(_ input: inout Input) -> Schema? {
  guard let text = input.take(upTo: 0), let json = try? JSON(parsing: text) else { return nil }
  return try? Schema(json)
}

private func checkSame(_ schema: Schema, _ bytes: [UInt8], isValue: Bool) {
  guard isValue, let resolution = try? SchemaResolution(from: schema, to: schema) else { return }
  var output: [UInt8] = []
  succeed("a value is resolved to its own schema") {
    try resolution.resolve(1, in: bytes.span.bytes, into: &output)
  }
  hold(output == bytes, "a value resolved to its own schema is the same")
}

import Avro
import Fuzzing

/// Values of any schema: a schema's text, a zero byte, and a value's bytes. They become JSON or are refused, and that
/// JSON becomes equivalent bytes.
@c(LLVMFuzzerTestOneInput)
public func fuzzValues(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count: count)
  guard let text = input.take(upTo: 0), let json = try? JSON(parsing: text),
    let schema = try? Schema(json)
  else { return 0 }
  let transcoder = SchemaTranscoder(schema)
  guard let value = try? transcoder.json(encoded: Array(input.rest), PlainFormat()) else {
    return 0
  }
  let printed = Array(value.encoded.utf8)
  let parsed = succeed("a value's JSON is parsed") { try JSON(parsing: printed) }
  let encoded = succeed("a value's JSON is encoded") {
    try transcoder.encode(parsed, PlainFormat())
  }
  let again = succeed("an encoded value is read") {
    try transcoder.json(encoded: encoded, PlainFormat())
  }
  hold(Array(again.encoded.utf8) == printed, "a value's JSON says all of it")
  return 0
}

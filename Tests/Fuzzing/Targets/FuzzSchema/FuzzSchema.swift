import Avro
import Fuzzing

/// JSON and schemas: any text is read or refused, and what was read survives printing and reading unchanged.
@c(LLVMFuzzerTestOneInput)
public func fuzzSchema(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let json = try? JSON(parsing: bytes) else { return 0 }
  checkJSON(json)

  guard let schema = try? Schema(json) else { return 0 }
  checkPrinted(schema)
  checkCanonical(schema)
  return 0
}

private func checkPrinted(_ schema: Schema) {
  let printed = schema.json.encoded
  let again = succeed("a printed schema is parsed: \(printed)") { try Schema(parsing: printed) }
  hold(again.json.encoded == printed, "a schema is parsed as it was printed: \(printed)")
  hold(again == schema, "a printed schema is the same one: \(printed)")
  hold(again.fingerprint == schema.fingerprint, "a printed schema has its fingerprint")
}

/// The canonical form is its own canonical form.
private func checkCanonical(_ schema: Schema) {
  let canonical = schema.canonicalForm
  // The canonical form cannot express a type without a namespace inside one that has one (AVRO-1901 …).
  guard !schema.json.encoded.contains(#""namespace":"""#),
    let again = try? Schema(parsing: canonical)
  else { return }
  hold(again.canonicalForm == canonical, "a canonical form is its own: \(canonical)")
  hold(again.fingerprint == schema.fingerprint, "a canonical form has its schema's fingerprint")
}

public import Avro

/// Printed JSON is valid, and parses back the same.
public func checkJSON(_ json: JSON) {
  let printed = Array(json.encoded.utf8)
  let again = succeed("printed JSON is parsed") { try JSON(parsing: printed) }
  // Compares bytes, because Swift's own `==` treats é as equal to e with a combining accent.
  hold(Array(again.encoded.utf8) == printed, "JSON is parsed as it was printed")
}

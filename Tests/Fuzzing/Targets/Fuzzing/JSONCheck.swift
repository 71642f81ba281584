public import Avro

/// What is printed as JSON is JSON, and parsed as the same.
public func checkJSON(_ json: JSON) {
  let printed = Array(json.encoded.utf8)
  let again = succeed("printed JSON is parsed") { try JSON(parsing: printed) }
  // Compared as bytes: for Swift's own `==`, é is e with an accent after it.
  hold(Array(again.encoded.utf8) == printed, "JSON is parsed as it was printed")
}

import Avro

/// A record of two fields, as in the fixtures of the tests.
struct Walk: AvroRecord {
  var steps: Int32 = 0
  var note: String?

  static let recordName = "Walk"
  static var placeholder: Self { Self() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("steps", &steps)
    try visitor.visit("note", &note)
  }
}

enum Weather: String, AvroEnumeration {
  case sun, rain, snow
  static let enumerationName = "Weather"
}

/// A record with every type of value in it.
struct Everything: AvroRecord {
  var flag = false
  var int: Int32 = 0
  var long: Int64 = 0
  var double = 0.0
  var text = ""
  var bytes = AvroBytes()
  var weather = Weather.sun
  var walk: Walk?
  var walks: [Walk] = []
  var numbers: [Int64] = []

  static let recordName = "Everything"
  static var placeholder: Self { Self() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("flag", &flag)
    try visitor.visit("int", &int)
    try visitor.visit("long", &long)
    try visitor.visit("double", &double)
    try visitor.visit("text", &text)
    try visitor.visit("bytes", &bytes)
    try visitor.visit("weather", &weather)
    try visitor.visit("walk", &walk)
    try visitor.visit("walks", &walks)
    try visitor.visit("numbers", &numbers)
  }
}

import Avro
import PropertyTesting

/// A record of two fields; the fixtures hold five of them.
struct Walk: AvroRecord, Hashable {
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

  static let fixture: [Walk] = [
    Walk(steps: -1, note: "walk 0"), Walk(steps: 999), Walk(steps: 1999, note: "walk 2"),
    Walk(steps: 2999), Walk(steps: 3999, note: "walk 4"),
  ]
}

enum Weather: String, AvroEnumeration {
  case sun, rain, snow
  static let enumerationName = "Weather"
}

/// A record with values of every type.
struct Everything: AvroRecord, Hashable {
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

extension Generator where Value == Walk {
  static var walk: Generator {
    Generator { source in
      Walk(
        steps: try source.draw(.integer()),
        note: try source.draw(Generator<String>.unicode(count: 0...12).optional()))
    }
  }
}

extension Generator where Value == Everything {
  static var everything: Generator {
    Generator { source in
      var value = Everything()
      value.flag = try source.draw(.bool())
      value.int = try source.draw(.integer())
      value.long = try source.draw(.integer())
      value.double = try source.draw(.anyDouble())
      value.text = try source.draw(.unicode(count: 0...20))
      value.bytes = AvroBytes(try source.draw(Generator<UInt8>.integer().array(count: 0...20)))
      value.weather = try source.draw(.anyCase())
      value.walk = try source.draw(Generator<Walk>.walk.optional())
      value.walks = try source.draw(Generator<Walk>.walk.array(count: 0...4))
      value.numbers = try source.draw(Generator<Int64>.integer().array(count: 0...8))
      return value
    }
  }
}

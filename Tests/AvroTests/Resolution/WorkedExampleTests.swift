import Avro
import Testing

/// The example of Docs/Evolution.md.
@Suite(.tags(.unit)) struct WorkedExampleTests {
  enum Then {
    enum Place: String, AvroEnumeration {
      case home, work
      static let enumerationName = "Place"
    }

    struct WaterDrunk: AvroRecord {
      var glasses: Int32 = 0
      var place = Place.home
      var mood = ""

      static let recordName = "WaterDrunk"
      static var placeholder: Self { Self() }

      mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.visit("glasses", &glasses)
        try visitor.visit("place", &place)
        try visitor.visit("mood", &mood)
      }
    }
  }

  enum Place: String, AvroEnumeration {
    case home, work, elsewhere
    static let enumerationName = "Place"
    static let defaultSymbol: Place? = .elsewhere
  }

  struct DrinkTaken: AvroRecord {
    var drink = "water"
    var amount = 0.0
    var place = Place.elsewhere
    var remark: String?

    static let recordName = "DrinkTaken"
    static let recordAliases = ["WaterDrunk"]
    static var placeholder: Self { Self() }

    mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.visit("drink", &drink, [.ifAbsent("water")])
      try visitor.visit("amount", &amount, [.formerly("glasses"), .doc("in glasses")])
      try visitor.visit("place", &place)
      try visitor.visit("remark", &remark, [.personal])
    }
  }

  @Test func `the worked example has the bytes shown on its page`() throws {
    let old = Then.WaterDrunk(glasses: 2, place: .home, mood: "calm").encoded
    #expect(old == [0x04, 0x00, 0x08, 0x63, 0x61, 0x6C, 0x6D])
    var new: [UInt8] = []
    try SchemaResolution(from: Then.WaterDrunk.schema, to: DrinkTaken.schema)
      .resolve(1, in: old.span.bytes, into: &new)
    #expect(
      new == [
        0x0A, 0x77, 0x61, 0x74, 0x65, 0x72, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0,
      ])
    let drink = try DrinkTaken(encoded: new)
    #expect(drink.drink == "water" && drink.amount == 2 && drink.place == .home)
    #expect(drink.remark == nil)
  }
}

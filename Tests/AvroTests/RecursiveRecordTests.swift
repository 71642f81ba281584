import Avro
import Testing

@Suite(.tags(.unit)) struct RecursiveRecordTests {
  /// Contains itself in a list, in an optional, and through another record.
  struct Place: AvroRecord, Hashable {
    var name = ""
    var rooms: [Place] = []
    var within: Indirect<Place>?
    var doors: [Door] = []

    static let recordName = "Place"
    static var placeholder: Self { Self() }
    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
      _ visitor: inout V
    ) throws(V.Failure) {
      try visitor.visit("name", &name)
      try visitor.visit("rooms", &rooms)
      try visitor.visit("within", &within)
      try visitor.visit("doors", &doors)
    }
  }

  struct Door: AvroRecord, Hashable {
    var leadsTo: [Place] = []

    static let recordName = "Door"
    static var placeholder: Self { Self() }
    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
      _ visitor: inout V
    ) throws(V.Failure) {
      try visitor.visit("leadsTo", &leadsTo)
    }
  }

  static let text =
    #"{"type":"record","name":"Place","fields":[{"name":"name","type":"string"},"#
    + #"{"name":"rooms","type":{"type":"array","items":"Place"},"default":[]},"#
    + #"{"name":"within","type":["null","Place"],"default":null},"#
    + #"{"name":"doors","type":{"type":"array","items":{"type":"record","name":"Door","fields":"#
    + #"[{"name":"leadsTo","type":{"type":"array","items":"Place"},"default":[]}]}},"default":[]}]}"#

  @Test func `a recursive record refers to itself by name`() throws {
    #expect(Place.schema.json.encoded == Self.text)
    #expect(try Schema(parsing: Self.text) == Place.schema)
    // When the other record's schema is asked for, that record is the enclosing one.
    #expect(Door.schema.name == "Door")
    #expect(
      Door.schema.json.encoded.hasSuffix(
        #"{"type":"array","items":"Door"},"default":[]}]}},"default":[]}]}"#))
    #expect(try Schema(Door.schema.json) == Door.schema)
  }

  @Test func `a schema is the same whichever type is asked for first, and from many tasks at once`()
    async
  {
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { Place.schema.json.encoded == Self.text && Door.schema.name == "Door" }
      }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test func `a recursive record reads back as it was written`() throws {
    let kitchen = Place(name: "kitchen")
    var hall = Place(name: "hall", rooms: [kitchen], doors: [Door(leadsTo: [kitchen])])
    hall.within = Indirect(Place(name: "house"))
    #expect(try Place(encoded: hall.encoded) == hall)
    let marker = [UInt8](0..<16)
    let bytes = try Container.encode([hall, kitchen], syncMarker: marker)
    #expect(try Container.decode(Place.self, from: bytes) == [hall, kitchen])
    let json = try SchemaTranscoder(Place.schema).json(encoded: hall.encoded, PlainFormat())
    #expect(json["within"]?["name"] == "house")
    hall.within?.value.name = "home"
    #expect(try Place(encoded: hall.encoded).within?.value.name == "home")
  }
}

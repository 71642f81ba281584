import Avro
import Testing

/// Avro files with a foreign schema, with nothing but the product `Avro`.
@Suite(.tags(.unit)) struct AvroFileTests {
  @Test func `a file of any schema is written and read as JSON`() throws {
    var walks: [String] = []
    func take(_ walk: JSON) { walks.append(walk.encoded) }

    let schema = try Schema(
      parsing: #"""
        {"type": "record", "name": "Walk", "fields": [
          {"name": "mood", "type": "string"},
          {"name": "kilometres", "type": ["null", "float"], "default": null},
          {"name": "steps", "type": {"type": "map", "values": "long"}, "default": {}}]}
        """#)
    var writer = try ContainerWriter(schema)
    try writer.append(["mood": "calm", "steps": ["Ada": 6000]])
    try writer.append(["mood": "brisk", "kilometres": .number("2.5")])
    let file = try writer.finish()

    var reader = try ContainerReader(file)
    while let walk = try reader.next() { take(walk) }

    #expect(
      walks == [
        #"{"mood":"calm","kilometres":null,"steps":{"Ada":6000}}"#,
        #"{"mood":"brisk","kilometres":2.5,"steps":{}}"#,
      ])
    let message = try SingleObject.encode(["mood": "calm"], as: schema)
    #expect(try SingleObject.decode(message, knowing: [schema])["mood"] == "calm")
  }
}

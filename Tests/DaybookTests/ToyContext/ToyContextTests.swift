import Avro
import Testing

@testable import Daybook

/// A small context follows the walk of `Docs/Extending.md`, and a sentence names each omitted step.
@Suite(.tags(.unit)) struct ToyContextTests {
  private static let ada = Account.ID.first
  private static let key = Key(high: 1, low: 1)
  private let head = EntryHead(
    position: 1, at: Scenario.noon, actor: ToyContextTests.ada, key: nil)

  @Test func `every event of a book passes all steps of its walk`() {
    #expect(Event.types.flatMap { EventWalk.missing($0) } == [])
  }

  @Test func `the toy's events pass all steps except the module's own lists`() {
    let types: [any EventRecord.Type] = [PlantAdded.self, PlantRenamed.self, PlantRemoved.self]
    #expect(
      types.flatMap { EventWalk.missing($0) }
        == ["PlantAdded", "PlantRenamed", "PlantRemoved"].map {
          "\($0) is not an event: put it at the end of the enum Event, and \(EventWalk.remedy)."
        })
  }

  @Test func `a record that omits a field or its name is reported`() {
    #expect(
      EventWalk.missing(PlantForgotten.self).dropLast() == [
        "PlantForgotten is called PlantLost in the file: let recordName say its name.",
        "PlantForgotten has a field that is not kept: let visitFields visit every field.",
        "PlantForgotten neither begins nor changes one thing: let it be a CreationEvent or a ChangeEvent.",
      ])
  }

  @Test func `a plant is added, renamed and removed; each event touches that plant alone`() throws {
    var garden = Garden()
    try record(AddPlant(key: Self.key, name: "Fern").decide(garden, context), in: &garden)
    try record(AddPlant(key: nil, name: "Ivy").decide(garden, context), in: &garden)
    let fern = try #require(garden.plants.number(of: Self.key))
    #expect(fern == .first)
    try record(RenamePlant(plant: fern, name: "Bracken").decide(garden, context), in: &garden)
    #expect(garden.plants.elements.map(\.name) == ["Bracken", "Ivy"])
    try record(RemovePlant(plant: fern).decide(garden, context), in: &garden)
    #expect(garden.plants.elements.map(\.isDeleted) == [true, false])
  }

  @Test func `an invalid command is refused, and an event without an entity changes nothing`()
    throws
  {
    var garden = Garden()
    #expect(throws: PlantRefusal.emptyName) {
      try AddPlant(key: nil, name: "").decide(garden, context)
    }
    #expect(throws: PlantRefusal.plantNotFound) {
      try RemovePlant(plant: .first).decide(garden, context)
    }
    garden.apply(.plantRenamed(PlantRenamed(plant: .first, owner: Self.ada, name: "Fern")), head)
    #expect(garden.plants.count == 0)
  }

  @Test func `an erasure blanks personal fields`() {
    let added = PlantAdded(key: Self.key, owner: Self.ada, name: "Fern")
    #expect(added.erased == PlantAdded(key: Self.key, owner: Self.ada, name: ""))
  }

  // MARK: Tools

  private var context: Context {
    Context(actor: Self.ada, at: Scenario.noon, freshKey: Scenario.fresh, zones: TableZones())
  }

  private func record(_ events: [PlantEvent], in garden: inout Garden) {
    for event in events { garden.apply(event, head) }
  }
}

/// An event written in a hurry.
private struct PlantForgotten: EventRecord {
  var owner: Account.ID = .placeholder
  var name: String = ""

  static var recordName: String { "PlantLost" }
  var subject: Subject { .account(owner) }
  var verb: String { "forgotten" }
  static var placeholder: PlantForgotten { PlantForgotten() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("owner", &owner)
  }
}

import Avro
import Daybook
import DaybookAPI
import DaybookStore
import HTTPTypes
import Testing
import Wire

/// For a stranger a hidden thing and a missing one give the same answer, word for word (MC-11), whatever else is
/// wrong with the request.
@Suite(.tags(.law)) struct HiddenThingTests {
  /// The keys of everything that Dan may not see.
  private static let hidden: [String] =
    [(2, 1), (2, 2), (3, 1), (4, 1), (5, 1), (6, 1), (8, 1), (8, 2), (9, 1), (9, 2), (10, 1)]
    .map { APIWorld.key($0.0, $0.1).description }
    + [APIWorld.key(11, 1), APIWorld.key(12, 1), APIWorld.list].map(\.description)
  private static let missing = hidden.indices.map { APIWorld.key(50, $0).description }

  /// The object with each hidden key replaced by another.
  private static func withoutHidden(_ text: String) -> String {
    zip(hidden, missing).reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  private static func plain(_ response: WireResponse) -> String {
    (hidden + missing).reduce("\(response.status.code) \(response.text)") {
      $0.replacing($1, with: "KEY")
    }
  }

  private static func isHidden(_ value: JSON) -> Bool {
    hidden.contains { value.encoded.contains($0) }
  }

  /// An object, and variants of it with another fault: an unknown field, or a field of the wrong type.
  private static func variants(_ object: JSON) -> [JSON] {
    let members = object.members ?? []
    let broken = members.indices.compactMap { place -> JSON? in
      guard place > 0, !isHidden(members[place].value) else { return nil }
      var members = members
      members[place].value = [["no": "value"]]
      return .object(members)
    }
    return [object, .object(members + [.init("nonsense", 1)])] + broken
  }

  /// The commands that name something hidden, except those that would create it.
  private static func commands() throws -> [JSON] {
    try CommandCases.fields.keys.sorted().compactMap { name in
      let object = try JSON(parsing: CommandTests.line(name))
      // A row names itself by its `id`.
      let makes = [object["key"], object["id"]].contains { $0.map(isHidden) ?? false }
      return isHidden(object) && !makes ? object : nil
    }
  }

  private func expectAlike(
    _ object: JSON, _ world: APIWorld, _ send: (String) async -> WireResponse
  ) async {
    for variant in Self.variants(object) {
      let text = variant.encoded
      let (told, expected) = (
        Self.plain(await send(text)), Self.plain(await send(Self.withoutHidden(text)))
      )
      #expect(told == expected, "\(text)")
    }
  }

  @Test func `a command about a hidden thing is answered as if the thing did not exist`()
    async throws
  {
    let world = try APIWorld()
    let commands = try Self.commands()
    #expect(commands.count > 60)
    for command in commands {
      await expectAlike(command, world) { await world.send($0, as: APIWorld.dan) }
      await expectAlike(command, world) { await world.send("[\($0)]", as: APIWorld.dan) }
    }
  }

  @Test func `a supposed command is hidden like a recorded one`() async throws {
    let world = try APIWorld()
    for command in try Self.commands() {
      await expectAlike(command, world) {
        await ask(#"{"ask":"whatif","commands":[\#($0)]}"#, world)
      }
    }
  }

  @Test func `a question about a hidden thing is answered as if the thing did not exist`()
    async throws
  {
    let world = try APIWorld()
    var count = 0
    for (name, type) in QuestionRequest.types.sorted(by: { $0.key < $1.key }) {
      let columns = type.columns.map { ($0.name, $0.schema.encoded) }
      for (column, schema) in columns where schema.contains("uuid") && column != "as" {
        for key in Self.hidden {
          let value: JSON = schema.contains("\"array\"") ? [.string(key)] : .string(key)
          let question: JSON = .object([.init("ask", .string(name)), .init(column, value)])
          await expectAlike(question, world) { await ask($0, world) }
          count += 1
        }
      }
    }
    #expect(count > 100)
  }

  private func ask(_ body: String, _ world: APIWorld) async -> WireResponse {
    var headers = HTTPFields()
    headers[.contentType] = "application/json"
    return await world.api.answer(
      WireRequest(.post, ["ask"], headers: headers, body: Array(body.utf8)), for: APIWorld.dan)
  }
}

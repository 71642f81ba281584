import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Wire

@testable import DaybookAPI

/// The description of what clients may send.
@Suite(.tags(.unit)) struct DescriptionTests {
  @Test func `every command and question open to an account is described`() {
    let schemas = Set((OpenAPI.withTools.json["components"]?["schemas"]?.members ?? []).map(\.name))
    for name in Request.columnTypes.map({ $0.form.name }) {
      let isForCallers =
        ![
          "create_account", "settle", "link_identity", "verify_identity", "unlink_identity",
          "add_household_member", "name_row",
        ].contains(name)
      #expect(schemas.contains("command.\(name)") == isForCallers, "\(name)")
    }
    let paths = OpenAPI.withTools.json["paths"]
    for name in QuestionRequest.names {
      let isForCallers = QuestionRequest.form(of: name)?.asker != .nobody
      #expect(schemas.contains("question.\(name)") == isForCallers, "\(name)")
      #expect((paths?["/ask/\(name)"] != nil) == (isForCallers && name != "whatif"), "\(name)")
    }
  }

  @Test func `the rows of every table are described completely`() {
    let schemas = OpenAPI.withTools.json["components"]?["schemas"]
    for (name, columns) in BookState.tableColumns {
      let found = schemas?["row.\(name)"]?["properties"]?.members?.map(\.name)
      #expect(found == columns.map(\.name), "\(name)")
    }
  }

  @Test func `every reference in the description resolves`() {
    var names: Set<String> = []
    collect(OpenAPI.withTools.json, &names)
    for name in names {
      let found = name.dropFirst(2).split(separator: "/").reduce(OpenAPI.withTools.json as JSON?) {
        $0?[String($1)]
      }
      #expect(found != nil, "\(name)")
    }
    #expect(names.count > 100)
  }

  private func collect(_ json: JSON, _ names: inout Set<String>) {
    for member in json.members ?? [] {
      if member.name == "$ref", let name = member.value.text { names.insert(name) }
      collect(member.value, &names)
    }
    for element in json.elements ?? [] { collect(element, &names) }
  }

  @Test func `no schema asks for the actor or the time`() {
    for schema in OpenAPI.withTools.json["components"]?["schemas"]?.members ?? [] {
      #expect(schema.value["properties"]?["as"] == nil, "\(schema.name)")
      if schema.name.hasPrefix("command.") {
        #expect(schema.value["properties"]?["at"] == nil, "\(schema.name)")
      }
    }
  }

  @Test func `a client that has the current description gets 304`() async throws {
    let world = try APIWorld()
    let request = WireRequest(.get, ["openapi.json"], headers: [.ifNoneMatch: OpenAPI.plain.tag])
    let known = await world.api.answer(request, for: nil)
    #expect(known.status == .notModified && known.body.isEmpty)
    let first = await world.api.answer(WireRequest(.get, ["openapi.json"]), for: nil)
    #expect(first.headers[.eTag] == OpenAPI.plain.tag)
    #expect(try first.json() == OpenAPI.plain.json)
    #expect(OpenAPI.plain.json["paths"]?["/mcp"] == nil)
  }
}

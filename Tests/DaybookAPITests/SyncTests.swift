import Avro
import Daybook
import DaybookAPI
import DaybookStore
import HTTPTypes
import Testing
import Wire

@Suite(.tags(.unit)) struct SyncTests {
  private func ask(
    _ world: APIWorld, _ account: Key?, _ body: String, type: String = "application/json"
  ) async -> WireResponse {
    await world.api.answer(
      WireRequest(
        .post, ["sync"], headers: [.contentType: type], body: Array(body.utf8)),
      for: account)
  }

  private func answer(
    _ world: APIWorld, _ account: Key, _ body: String
  ) async throws -> SyncAnswer {
    let response = await ask(world, account, body)
    #expect(response.status == .ok)
    return try #require(SyncAnswer(json: try JSON(parsing: response.body)))
  }

  @Test func `a device gets the lines of its account's export (DM-6)`() async throws {
    let world = try APIWorld()
    for account in [APIWorld.ada, APIWorld.bob, APIWorld.cy, APIWorld.dan] {
      let first = try await answer(world, account, "{}")
      let number = try #require(world.book.read { $0.accounts.present(account) })
      var lines: [String] = []
      try world.book.reader.export(of: number, as: .jsonl) { lines.append(String($0.dropLast())) }
      #expect(first.lines == lines && !first.hasMore && first.account == account)
      let again = try await answer(
        world, account, #"{"scope":"\#(first.scope)","cursor":"\#(first.cursor)"}"#)
      #expect(again.lines.isEmpty && again.standing == .continues)
    }
  }

  @Test func `commands are carried out once, and a refusal stops none behind it (DM-7)`()
    async throws
  {
    let world = try APIWorld()
    let body = """
      {"account":"\(APIWorld.ada)","commands":[
      {"do":"create_label","name":"one","id":"\(APIWorld.key(60, 1))"},
      {"do":"delete_habit","habit":"\(APIWorld.key(2, 2))","id":"\(APIWorld.key(60, 2))"},
      {"do":"create_label","name":"two","id":"\(APIWorld.key(60, 3))"}]}
      """
    let first = try await answer(world, APIWorld.ada, body)
    #expect(first.outcomes.map(\.word) == ["recorded", "refused", "recorded"])
    let again = try await answer(world, APIWorld.ada, body)
    #expect(again.outcomes.map(\.word) == ["repeated", "refused", "repeated"])
    #expect(again.lines == first.lines)
    guard case .refused(let code, _) = first.outcomes[1] else { return }
    #expect(code == "habit_not_found")
  }

  @Test func `a request of another form is refused, and carries out nothing (DM-7)`() async throws {
    let world = try APIWorld()
    let before = world.book.read { $0.position }
    let label = #"{"do":"create_label","name":"one"}"#
    let named = #"{"do":"create_label","name":"one","id":"\#(APIWorld.key(60, 1))"}"#
    for body in [
      "", "[]", "{", #"{"cursor":"1"}"#, #"{"cursor":"1.ff"}"#, #"{"scope":1}"#, #"{"limit":0}"#,
      #"{"limit":2001}"#, #"{"nonsense":1}"#, #"{"commands":{}}"#, #"{"account":"me"}"#,
      #"{"commands":[\#(named)]}"#, #"{"account":"\#(APIWorld.ada)","commands":[\#(label)]}"#,
      #"{"account":"\#(APIWorld.ada)","commands":[1]}"#,
    ] {
      let response = await ask(world, APIWorld.ada, body)
      #expect(response.status == .badRequest, "\(body) -> \(response.status)")
    }
    #expect(
      await ask(world, APIWorld.ada, "{}", type: "text/plain").status == .unsupportedMediaType)
    #expect(await ask(world, nil, "{}").status == .unauthorized)
    #expect(world.book.read { $0.position } == before)
  }

  @Test func `lines that the book never had are another history, and carry out nothing (DM-9)`()
    async throws
  {
    let world = try APIWorld()
    let first = try await answer(world, APIWorld.ada, "{}")
    let other = ChainDigest(count: 2, digest: first.cursor.digest)
    let before = world.book.read { $0.position }
    let label = #"{"do":"create_label","name":"x","id":"\#(APIWorld.key(60, 1))"}"#
    let told = try await answer(
      world, APIWorld.ada,
      #"{"account":"\#(APIWorld.ada)","scope":"\#(first.scope)","cursor":"\#(other)","commands":[\#(label)]}"#
    )
    #expect(told.standing == .diverged && told.outcomes.isEmpty && told.lines.isEmpty)
    #expect(world.book.read { $0.position } == before)
  }

  @Test func `commands of another account are not carried out (DM-11)`() async throws {
    let world = try APIWorld()
    let before = world.book.read { $0.position }
    let label = #"{"do":"create_label","name":"x","id":"\#(APIWorld.key(60, 1))"}"#
    let told = try await answer(
      world, APIWorld.bob, #"{"account":"\#(APIWorld.ada)","commands":[\#(label)]}"#)
    #expect(told.standing == .foreign && told.outcomes.isEmpty && told.lines.isEmpty)
    #expect(told.account == APIWorld.bob)
    #expect(world.book.read { $0.position } == before)
  }

  @Test func `nothing overtakes a command whose time has not come (DM-8)`() async throws {
    let world = try APIWorld()
    let later = world.book.now.advanced(byMilliseconds: 3_600_000)
    let log = #"{"do":"log_habit","habit":"\#(APIWorld.habit)","id":"\#(APIWorld.key(60, 1))""#
    let label = #"{"do":"create_label","name":"x","id":"\#(APIWorld.key(60, 2))"}"#
    let told = try await answer(
      world, APIWorld.ada,
      #"{"account":"\#(APIWorld.ada)","commands":[\#(log),"p_at":"\#(later)"},\#(label)]}"#)
    #expect(told.outcomes.count == 1 && told.outcomes.first?.isUntimely == true)
  }
}

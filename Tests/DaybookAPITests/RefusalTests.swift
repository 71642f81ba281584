import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookAPI

/// Refused requests, and the form of the refusals.
@Suite(.tags(.unit)) struct RefusalTests {
  @Test(
    arguments: [
      (#"{"do":"log_habit"}"#, APIWorld.ada, 400, "missing_field"),
      ("nonsense", APIWorld.ada, 400, "invalid_json"),
      ("", APIWorld.ada, 400, "invalid_json"),
      (#"{"do":"user_local_date","as":"\#(APIWorld.bob)"}"#, APIWorld.ada, 403, "caller_acts"),
      (
        #"{"do":"user_local_date","at":"2026-03-02T12:00:00Z"}"#, APIWorld.ada, 403, "caller_acts"
      ),
      (#"{"do":"user_local_date"}"#, nil, 401, "actor_missing"),
      (
        #"{"do":"delete_habit","habit":"\#(APIWorld.habit)"}"#, APIWorld.dan, 404,
        "habit_not_found"
      ),
      (
        #"{"do":"delete_hive","p_hive_id":"\#(APIWorld.key(4, 1))"}"#, APIWorld.bob, 403,
        "not_owner"
      ),
      (
        #"{"do":"delete_recipe","recipe":"\#(APIWorld.key(8, 2))"}"#, APIWorld.cy, 404,
        "recipe_not_found"
      ),
      (
        #"{"do":"create_habit","key":"\#(APIWorld.habit)","name":"Mine"}"#, APIWorld.dan, 409,
        "key_taken"
      ),
      (#"{"do":"create_habit","name":""}"#, APIWorld.ada, 422, "empty_name"),
      (
        #"{"do":"create_habit","name":"\#(String(repeating: "n", count: 201))"}"#, APIWorld.ada,
        422, "name_too_long"
      ),
      (
        #"{"do":"log_habit","habit":"\#(APIWorld.habit)","day":"2026-04-01"}"#, APIWorld.ada, 422,
        "future_day"
      ),
    ] as [(String, Key?, Int, String)])
  func `the HTTP status follows from the rejection's kind`(
    line: String, account: Key?, status: Int, code: String
  ) async throws {
    let world = try APIWorld()
    let before = world.position
    let response = await world.send(line, as: account)
    #expect(response.status.code == status, "\(response.text)")
    #expect(response.code == code)
    #expect(world.position == before)
  }

  @Test func `a full queue gives 429, and a cancelled request gives 408`() {
    for (error, status, code) in [
      (TurnQueue.Full(), 429, "too_many_questions"), (CancellationError(), 408, "given_up"),
    ] as [(any Error, Int, String)] {
      let response = APIRefusal(error).response
      #expect(response.status.code == status && response.code == code)
      #expect((response.headers[.retryAfter] != nil) == (status == 429))
    }
  }

  @Test func `every kind has the status that its comment names`() {
    let statuses = Rejection.Kind.allCases.map(\.status.code)
    #expect(statuses == [400, 401, 403, 404, 409, 422, 422, 422])
  }

  @Test func `an anonymous caller reads only the description, and a stranger asks nothing`()
    async throws
  {
    let world = try APIWorld()
    for path in [["ask", "streaks"], ["events"]] {
      let response = await world.api.answer(WireRequest(.get, path), for: nil)
      #expect(response.status == .unauthorized && response.code == "actor_missing")
      #expect(response.headers[.wwwAuthenticate] == "Bearer")
    }
    let description = await world.api.answer(WireRequest(.get, ["openapi.json"]), for: nil)
    #expect(description.status == .ok)
    // Signed in, but not in the book.
    #expect(await world.ask("streaks", as: APIWorld.key(1, 9)).code == "account_not_found")
  }

  @Test(
    arguments: [
      ([], HTTPRequest.Method.get, 404, nil), (["nowhere"], .get, 404, nil),
      (["ask", "streaks", "more"], .get, 404, nil), (["ask", "nothing"], .get, 404, nil),
      (["commands"], .get, 405, "POST"), (["ask"], .get, 405, "POST"),
      (["ask", "streaks"], .post, 405, "GET, HEAD"), (["events"], .delete, 405, "GET, HEAD"),
      (["openapi.json"], .put, 405, "GET, HEAD"), (["events"], .get, 406, nil),
    ] as [([String], HTTPRequest.Method, Int, String?)])
  func `an unknown path is not found, and an unknown method is answered with the allowed ones`(
    path: [String], method: HTTPRequest.Method, status: Int, allow: String?
  ) async throws {
    let world = try APIWorld()
    let response = await world.api.answer(WireRequest(method, path), for: APIWorld.ada)
    #expect(response.status.code == status)
    #expect(response.headers[.allow] == allow)
    #expect(response.code != nil)
  }

  @Test func `a body at the limit is accepted, and one byte more is refused`() async throws {
    let line = #"{"do":"user_local_date"}"#
    let world = try APIWorld(bodyByteCount: line.utf8.count)
    #expect(await world.send(line).status == .ok)
    let long = await world.send(line + " ")
    #expect(long.status == .contentTooLarge && long.code == "body_too_long")
  }

  @Test func `a request may hold as many commands as the limit, and no more`() async throws {
    let world = try APIWorld(bodyByteCount: 10_000_000)
    let line = #"{"do":"user_local_date"}"#
    let most = Array(repeating: line, count: ClientAPI.batchCount).joined(separator: ",")
    #expect(await world.send("[\(most)]").status == .ok)
    #expect(await world.send("[\(most),\(line)]").status == .contentTooLarge)
    let lines = Array(repeating: line, count: ClientAPI.lineCount).joined(separator: "\n")
    #expect(await world.send(lines, type: "application/jsonl").status == .ok)
    let more = await world.send(lines + "\n" + line, type: "application/jsonl")
    #expect(more.status == .contentTooLarge)
  }

  @Test func `invalid content types and idempotency keys are refused`() async throws {
    let world = try APIWorld()
    let line = #"{"do":"user_local_date"}"#
    #expect(await world.send(line, type: "text/plain").status == .unsupportedMediaType)
    #expect(await world.send(line, type: nil).status == .ok)
    for id in ["seven", "", "\"", "\"\""] {
      let response = await world.send(line, id: id)
      #expect(response.status == .badRequest, "\(id)")
      #expect(try response.json()["error"]?["field"]?.text == "Idempotency-Key")
    }
  }

  @Test(arguments: 1...10) func `any bytes get an answer`(
    seed: UInt64
  ) async throws {
    let world = try APIWorld()
    var random = Steps(seed: seed)
    let names = CommandCases.fields.keys.sorted()
    for _ in 0..<60 {
      let name = names[Int.random(in: names.indices, using: &random)]
      let whole = Array(CommandTests.line(name).utf8)
      var body = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: body.indices, using: &random)
        body[place] = UInt8.random(in: 0...255, using: &random)
      }
      for (path, type) in [
        (["commands"], "application/json"), (["commands"], "application/jsonl"),
        (["ask"], "application/json"),
      ] {
        let request = WireRequest(
          .post, path, headers: [.contentType: type], body: body)
        let response = await world.api.answer(request, for: APIWorld.ada)
        #expect(response.status.code < 500, "\(body)")
      }
    }
  }

  @Test func `a disk failure does not reveal the book's path`() {
    let response = APIRefusal(JournalFailure()).response
    #expect(response.status == .serviceUnavailable && response.code == "unavailable")
    #expect(!response.text.contains("secret"))
  }

  /// Random numbers from a seed (Steele, Lea and Flood, 2014: SplitMix64).
  private struct Steps: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private struct JournalFailure: Error, CustomStringConvertible {
    var description: String { "/secret/path" }
  }
}

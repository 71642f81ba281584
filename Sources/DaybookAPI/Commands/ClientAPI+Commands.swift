import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values
import Wire

extension ClientAPI {
  /// The most commands in a batch.
  static let batchCount = 1000
  /// The most lines in a request.
  static let lineCount = 10_000
  /// The media types of JSON Lines, the preferred one first.
  static let lineTypes = ["application/jsonl", "application/x-ndjson", "application/json-lines"]

  /// Carries out one command, a batch of them, or lines.
  ///
  /// - Throws: ``APIRefusal``, ``Rejection``, ``LineRefusal``, or ``JournalError``.
  func carryOut(_ request: WireRequest, by account: Account.ID) async throws -> WireResponse {
    let caller = Caller.account(account)
    let id = try request.headers.idempotencyKey()
    let type = request.headers.mediaType ?? "application/json"
    if Self.lineTypes.contains(type) {
      return try await carryOut(lines: request.body, from: caller, id)
    }
    guard type == "application/json" else {
      throw APIRefusal.wrongType(["application/json", Self.lineTypes[0]])
    }
    // The first byte tells a batch from a command; a command is parsed where it is carried out.
    if request.body.first(where: { !JSON.isSpace($0) }) == UInt8(ascii: "[") {
      return try await carryOut(batch: request.body, from: caller, id)
    }
    let outcome = try await book.record(line: request.body, from: caller, id: id)
    let status = outcome.isAccepted ? .ok : APIRefusal(outcome).status
    return WireResponse(status, headers: Self.jsonHeaders, body: outcome.text)
  }

  private func carryOut(
    batch body: [UInt8], from caller: Caller, _ id: Key?
  ) async throws -> WireResponse {
    let commands = try Request.object(in: body).elements ?? []
    guard commands.count <= Self.batchCount else {
      throw APIRefusal.tooManyCommands(Self.batchCount)
    }
    let outcomes = try await book.record(together: commands, from: caller, id: id)
    let texts = outcomes.map(\.text).joined(separator: [UInt8(ascii: ",")])
    return WireResponse(
      .ok, headers: Self.jsonHeaders, body: [UInt8(ascii: "[")] + texts + [UInt8(ascii: "]")])
  }

  private func carryOut(
    lines body: [UInt8], from caller: Caller, _ id: Key?
  ) async throws -> WireResponse {
    let lines = body.split(separator: UInt8(ascii: "\n"))
      .filter { !$0.allSatisfy(JSON.isSpace) }.map { Array($0) }
    guard lines.count <= Self.lineCount else { throw APIRefusal.tooManyCommands(Self.lineCount) }
    var answers: [[UInt8]] = []
    do {
      try await book.record(lines: lines, from: caller, id: id) { answers += $0.map(\.text) }
    } catch {
      // Answered commands are on disk; the sender is told that the others are not.
      guard !answers.isEmpty else { throw error }
      let refusal = APIRefusal.unavailable.response.body
      answers += Array(repeating: refusal, count: lines.count - answers.count)
    }
    let end = UInt8(ascii: "\n")
    return WireResponse(
      .ok, headers: [.contentType: Self.lineTypes[0], .cacheControl: "no-store"],
      body: answers.flatMap { $0 + [end] })
  }

  private static let jsonHeaders: HTTPFields = [
    .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
  ]
}

extension JSON {
  /// Whether a byte is JSON white space.
  fileprivate static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

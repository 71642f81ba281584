import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values
import Wire

extension ClientAPI {
  /// `POST /sync`: carries out a device's commands, and answers with the entries that it does not have (DM-6, DM-7).
  ///
  /// - Throws: ``APIRefusal``, ``Rejection``, `ExchangeError` or `JournalError`.
  func sync(_ request: WireRequest, for account: Account.ID) async throws -> WireResponse {
    guard request.headers.mediaType ?? "application/json" == "application/json" else {
      throw APIRefusal.wrongType(["application/json"])
    }
    let sent = try SyncRequest(json: try Request.object(in: request.body))
    guard let key = book.read({ $0.accounts[account]?.key }) else {
      throw Rejection.accountNotFound
    }
    let source = source
    var outcomes: [SyncAnswer.Outcome] = []
    if !sent.commands.isEmpty {
      let standing = try await turns.run(for: key) { _ in
        try source.standing(of: sent, for: account)
      }
      outcomes = try await source.carryOut(sent, for: account, standing)
    }
    let known = outcomes
    let body = try await turns.run(for: key) { _ in
      Array(try source.finish(sent, for: account, known).json.encoded.utf8)
    }
    return WireResponse(
      .ok,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: body)
  }
}

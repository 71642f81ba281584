import Avro
import Daybook
import DaybookMCP
import DaybookStore
import HTTPTypes
import Values
import Wire

import struct Foundation.Data

/// What assistants may do over HTTP.
public struct ToolSettings: Hashable, Sendable {
  /// Whether commands are among the tools; otherwise an assistant can only ask.
  public var canWrite: Bool
  /// The address by which clients reach the server: a browser's page from elsewhere is refused.
  public var site: String

  public init(canWrite: Bool = false, site: String) {
    self.canWrite = canWrite
    self.site = site
  }

  /// Whether a request may come from a page of this origin.
  func admits(origin: String) -> Bool {
    let (site, origin) = (site.lowercased(), origin.lowercased())
    return site == origin || site.hasPrefix(origin + "/")
  }
}

extension ClientAPI {
  /// `POST /mcp`: a message of the Model Context Protocol ("Streamable HTTP"), answered in JSON.
  ///
  /// Each message stands for itself. In versions with sessions a client begins one with `initialize`, but nothing is kept
  /// for it: a later message says in a header which version was agreed on.
  ///
  /// - Throws: ``APIRefusal``, ``Rejection``, or `CancellationError`.
  func useTools(_ request: WireRequest, for account: Account.ID) async throws -> WireResponse {
    guard let settings = tools else { throw APIRefusal.noSuchPath }
    if let origin = request.headers[.origin], !settings.admits(origin: origin) {
      throw APIRefusal.foreignOrigin
    }
    guard request.headers.mediaType == "application/json" else {
      throw APIRefusal.wrongType(["application/json"])
    }
    guard let key = book.read({ $0.accounts[account]?.key }) else {
      throw Rejection.accountNotFound
    }
    let message: JSON
    let version: ProtocolVersion
    do throws(RPCError) { message = try ToolMessage.json(in: request.body) } catch {
      return Self.toolResponse(ToolReply(error, to: .null))
    }
    do throws(RPCError) { version = try request.headers.version(of: message) } catch {
      return Self.toolResponse(ToolReply(error, to: ToolMessage.id(of: message)), .badRequest)
    }
    // An account's messages are answered one after another.
    let reply = try await toolTurns.hold(for: key) {
      var session = ToolSession(
        AccountToolBook(api: self, account: account, key: key),
        offering: ToolList(forOwner: false, canWrite: settings.canWrite),
        speaking: version.isStateless ? nil : version)
      return await session.answer(message)
    }
    guard let reply else { return WireResponse(.accepted, headers: [.cacheControl: "no-store"]) }
    return Self.toolResponse(reply, isStateless: version.isStateless)
  }

  private static func toolResponse(
    _ reply: ToolReply, isStateless: Bool = false
  ) -> WireResponse {
    guard let error = reply.error else { return toolResponse(reply, .ok) }
    if error.isMalformed { return toolResponse(reply, .badRequest) }
    return toolResponse(reply, isStateless && error.isUnknownMethod ? .notFound : .ok)
  }

  private static func toolResponse(
    _ reply: ToolReply, _ status: HTTPResponse.Status
  ) -> WireResponse {
    WireResponse(
      status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: reply.text)
  }
}

extension HTTPFields {
  private static let versionName = "mcp-protocol-version"

  /// The version that a message is in. A message outside of a session says so itself, and the headers must agree with it;
  /// others are in the version that the header names, or in the one that had no such header yet.
  ///
  /// - Throws: ``RPCError``.
  fileprivate func version(of message: JSON) throws(RPCError) -> ProtocolVersion {
    let named = first(Self.versionName)
    let request = try? ToolMessage(message)
    guard let request, request.isStateless else {
      guard let named else { return .march2025 }
      guard let version = ProtocolVersion(rawValue: named) else {
        throw .unsupportedVersion(named)
      }
      if version.isStateless { try request?.checkVersion() }
      return version
    }
    if let version = request.version?.text, version != named {
      throw .headerMismatch("MCP-Protocol-Version")
    }
    try request.checkVersion()
    guard first("mcp-method") == request.method else { throw .headerMismatch("Mcp-Method") }
    if let subject = request.subject, first("mcp-name").map(Self.decoded) != subject {
      throw .headerMismatch("Mcp-Name")
    }
    return .july2026
  }

  /// The text that a header carries: texts that a header cannot hold are between `=?base64?` and `?=`.
  private static func decoded(_ value: String) -> String {
    let (start, end) = ("=?base64?", "?=")
    guard value.hasPrefix(start), value.hasSuffix(end), value.count >= start.count + end.count,
      let bytes = Data(base64Encoded: String(value.dropFirst(start.count).dropLast(end.count)))
    else { return value }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The book as an account sees it, for tools.
private struct AccountToolBook: ToolBook {
  let api: ClientAPI
  let account: Account.ID
  let key: Values.Key

  mutating func answer(_ question: JSON) async throws(ToolFailure) -> ToolAnswer {
    let moment = QuestionMoment(of: api.book)
    let (reader, caller) = (api.book.reader, Caller.account(account))
    do {
      return try await api.turns.run(for: key) { isWanted in
        do {
          let request = try QuestionRequest(
            question, of: reader, knowing: moment.state, from: caller, at: moment.instant)
          return ToolAnswer(
            try request.answerText(while: isWanted), at: moment.state.position)
        } catch let rejection as Rejection { throw rejection.asSeen(by: caller) }
      }
    } catch { throw failure(error) }
  }

  mutating func carryOut(_ command: JSON) async throws(ToolFailure) -> RequestOutcome {
    do {
      return try await api.book.record(
        line: Array(command.encoded.utf8), from: .account(account), id: nil)
    } catch { throw failure(error) }
  }

  /// An error in the words of every other answer.
  private func failure(_ error: any Error) -> ToolFailure {
    if let failure = error as? ToolFailure { return failure }
    let refusal = APIRefusal(error)
    return ToolFailure(refusal.code, field: refusal.field, refusal.description)
  }
}

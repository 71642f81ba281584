import Avro
import Daybook
import DaybookAPI
import DaybookAuth
import DaybookStore
import HTTPTypes
import Values
import Wire

/// Answers for personal tokens: their owner makes and revokes them under `/v1/tokens`; whoever has one sends a command
/// or asks a question that it permits.
struct PersonalTokens: Sendable {
  let auth: AuthService
  let api: ClientAPI
  /// The address by which clients reach the server, without a trailing `/`.
  let site: String

  private var book: Book { api.book }

  // MARK: The owner's requests

  /// Answers a request below `/v1/tokens`.
  ///
  /// - Parameters:
  ///   - request: The request with the path after `/v1`.
  ///   - account: The account that signed in; `nil` if nobody did.
  /// - Returns: The answer.
  func answer(_ request: WireRequest, for account: Key?) async -> WireResponse {
    do {
      guard let account else { throw TokenRefusal.notSignedIn }
      switch (request.method, request.path.dropFirst().first, request.path.count) {
      case (.get, nil, 1), (.head, nil, 1): return try await list(of: account)
      case (.post, nil, 1): return try await make(request, for: account)
      case (.delete, let id?, 2): return try await revoke(id, of: account)
      case (_, nil, 1): throw TokenRefusal.wrongMethod("GET, POST")
      case (_, .some, 2): throw TokenRefusal.wrongMethod("DELETE")
      default: throw TokenRefusal.noSuchToken
      }
    } catch let refusal as TokenRefusal { return refusal.response } catch {
      return TokenRefusal.unavailable.response
    }
  }

  private func list(of account: Key) async throws -> WireResponse {
    let tokens = try await auth.personalTokens(of: account)
    return Self.answered(.ok, .array(tokens.map { .object(Self.members(of: $0)) }))
  }

  private func make(_ request: WireRequest, for account: Key) async throws -> WireResponse {
    guard let wish = try? JSON(parsing: request.body), let members = wish.members else {
      throw TokenRefusal.invalid("The body is not a JSON object; send {\"name\":…,\"scopes\":[…]}.")
    }
    if let unknown = members.first(where: { !["name", "scopes"].contains($0.name) }) {
      throw TokenRefusal.invalid(
        "A token has no \(unknown.name); send name and scopes.", unknown.name)
    }
    let name = wish["name"]?.text ?? ""
    guard name.contains(where: { !$0.isWhitespace }), name.utf8.count <= Self.mostNameByteCount
    else {
      throw TokenRefusal.invalid("name: give 1 to \(Self.mostNameByteCount) bytes of text.", "name")
    }
    let scopes = try scopes(of: wish["scopes"], for: account)
    guard let made = try await auth.makePersonalToken(named: name, scopes, for: account) else {
      throw TokenRefusal.tooManyTokens
    }
    var answer = Self.members(of: made.token)
    if scopes.contains(where: \.isCalendar) {
      answer.append(.init("address", .string("\(site)/feeds/\(made.secret).ics")))
    } else {
      answer.append(.init("token", .string(made.secret)))
    }
    return Self.answered(.created, .object(answer))
  }

  private static let mostNameByteCount = 200
  private static let mostScopeCount = 20

  /// The scopes of a new token, each of which concerns something that the account may see.
  private func scopes(of json: JSON?, for account: Key) throws(TokenRefusal) -> [TokenScope] {
    let texts = json?.elements ?? []
    guard (1...Self.mostScopeCount).contains(texts.count) else {
      throw .invalid("scopes: give a list of 1 to \(Self.mostScopeCount).", "scopes")
    }
    var scopes: [TokenScope] = []
    for text in texts {
      guard let scope = text.text.flatMap({ TokenScope($0) }) else {
        throw .invalid(
          "scopes: each is today, log: with a habit's id, calendar:tasks, calendar:habits, or calendar: with a "
            + "household's id.", "scopes")
      }
      if !scopes.contains(scope) { scopes.append(scope) }
    }
    guard Set(scopes.map(\.isCalendar)).count == 1 else {
      throw .invalid(
        "scopes: the address of a calendar permits nothing else; make a second token.", "scopes")
    }
    guard scopes.count(where: { $0.isHousehold }) <= 1 else {
      throw .invalid("scopes: a calendar has one household; make a second token.", "scopes")
    }
    let unseen = book.read { state -> TokenRefusal? in
      guard let viewer = state.accounts.present(account) else { return .notSignedIn }
      for scope in scopes {
        switch scope {
        case .log(let key):
          guard let number = state.habits.number(of: key), let habit = state.habits[number],
            habit.owner == viewer, !habit.isDeleted
          else { return TokenRefusal(.habitNotFound) }
        case .householdCalendar(let key):
          guard let number = state.households.number(of: key),
            state.household(number, for: viewer) != nil
          else { return TokenRefusal(.householdNotFound) }
        case .today, .taskCalendar, .habitCalendar: break
        }
      }
      return nil
    }
    if let unseen { throw unseen }
    return scopes
  }

  private func revoke(_ id: String, of account: Key) async throws -> WireResponse {
    guard let key = Key(id), try await auth.revokePersonalToken(key, of: account) else {
      throw TokenRefusal.noSuchToken
    }
    return Self.answered(.ok, ["id": .string(key.description), "deleted": true])
  }

  private static func members(of token: PersonalToken) -> [JSON.Member] {
    [
      .init("id", .string(token.key.description)), .init("name", .string(token.name)),
      .init("scopes", .array(token.scopes.map { .string($0.text) })),
      .init("created_at", .string(token.created.description)),
      .init("last_used_at", token.lastUsed.map { .string($0.description) } ?? .null),
    ]
  }

  private static func answered(_ status: HTTPResponse.Status, _ json: JSON) -> WireResponse {
    var response = WireResponse(status, ["ok": json])
    response.headers[.cacheControl] = "no-store"
    return response
  }

  // MARK: Requests by token

  /// Answers a request to the API that bears a personal token.
  ///
  /// - Parameters:
  ///   - request: The request with the path after `/v1`.
  ///   - secret: The token.
  /// - Returns: The answer; a refusal of anything that the token does not permit.
  func answer(_ request: WireRequest, with secret: String) async -> WireResponse {
    do {
      let token = try await use(secret)
      return await api.answer(try Self.permitted(request, by: token), for: token.account)
    } catch let refusal as TokenRefusal { return refusal.response } catch {
      return TokenRefusal.unavailable.response
    }
  }

  /// The token of a secret.
  ///
  /// - Throws: ``TokenRefusal``, or `DatabaseFailure`.
  private func use(_ secret: String) async throws -> PersonalToken {
    switch try await auth.usePersonalToken(secret) {
    case .accepted(let token): return token
    case .unknown: throw TokenRefusal.unknownToken
    case .tooOften: throw TokenRefusal.tooOften
    }
  }

  /// The request as far as it was checked: what the check did not read is not carried out.
  ///
  /// - Throws: ``TokenRefusal`` for a request that the token does not permit.
  static func permitted(
    _ request: WireRequest, by token: PersonalToken
  ) throws(TokenRefusal) -> WireRequest {
    let isReading = request.method == .get || request.method == .head
    if request.path == ["ask", "today"], isReading, token.scopes.contains(.today) {
      // Without fields, it is the day of now.
      guard request.query.items.isEmpty else { throw .beyondScope }
      return request
    }
    guard request.path == ["commands"], request.method == .post,
      token.scopes.contains(where: { if case .log = $0 { true } else { false } })
    else { throw .beyondScope }
    guard let command = try? JSON(parsing: request.body), let members = command.members else {
      throw .invalid("The body is not a JSON object; send one log_habit command.")
    }
    guard command["do"]?.text == "log_habit", let habit = command["habit"]?.text,
      let key = Key(habit), token.scopes.contains(.log(key)),
      members.allSatisfy({ loggingFields.contains($0.name) })
    else { throw .beyondScope }
    var permitted = request
    permitted.headers[.contentType] = "application/json"
    permitted.body = Array(command.encoded.utf8)
    return permitted
  }

  /// The fields of a log by token: of today, or of the moment when the client queued it.
  private static let loggingFields: Set = ["do", "habit", "value", "note", "p_at", "id"]

  // MARK: Calendars

  /// Answers a request for a calendar.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - name: The last component of its path: the secret and `.ics`.
  /// - Returns: The calendar as iCalendar text, or a refusal as plain text.
  func calendar(_ request: WireRequest, named name: String) async -> WireResponse {
    guard request.method == .get || request.method == .head else {
      var response = Self.text(.methodNotAllowed, "A calendar is only read.")
      response.headers[.allow] = "GET, HEAD"
      return response
    }
    do {
      guard name.hasSuffix(".ics") else { throw TokenRefusal.unknownToken }
      let token = try await use(String(name.dropLast(4)))
      guard token.scopes.contains(where: \.isCalendar), let text = calendarText(of: token) else {
        throw TokenRefusal.unknownToken
      }
      let body = Array(text.utf8)
      let tag = "\"\(Key(derivedFrom: [text]))\""
      var headers: HTTPFields = [.cacheControl: "private, no-cache", .eTag: tag]
      guard !request.headers.matches(tag) else {
        return WireResponse(.notModified, headers: headers)
      }
      headers[.contentType] = "text/calendar; charset=utf-8"
      return WireResponse(.ok, headers: headers, body: body)
    } catch let refusal as TokenRefusal {
      guard refusal != .tooOften else {
        var response = Self.text(.tooManyRequests, TokenRefusal.tooOften.message)
        response.headers[.retryAfter] = TokenRefusal.retryAfter
        return response
      }
      return Self.text(.notFound, "There is no such calendar; its address may have been revoked.")
    } catch {
      var response = Self.text(.serviceUnavailable, TokenRefusal.unavailable.message)
      response.headers[.retryAfter] = "1"
      return response
    }
  }

  /// The calendar of a token; `nil` if its owner may see none of it any more.
  private func calendarText(of token: PersonalToken) -> String? {
    let state = book.read { $0 }
    guard let viewer = state.accounts.present(token.account) else { return nil }
    var household: Household.ID?
    for case .householdCalendar(let key) in token.scopes {
      household = state.households.number(of: key)
        .flatMap { state.household($0, for: viewer) == nil ? nil : $0 }
    }
    let (hasTasks, hasHabits) = (
      token.scopes.contains(.taskCalendar), token.scopes.contains(.habitCalendar)
    )
    guard household != nil || hasTasks || hasHabits else { return nil }
    var calendar = state.iCalendar(
      of: household, for: viewer, withTasks: hasTasks, withHabits: hasHabits)
    if calendar.name == nil { calendar.name = token.name }
    // Equal calendars give equal text, whatever else was recorded meanwhile.
    let stamp = calendar.series.compactMap(\.master?.lastModified).max() ?? token.created
    let zone = state.accounts[viewer]?.dayClock.timeZone ?? "UTC"
    return calendar.write(stamp: stamp, seenFrom: zone, zones: book.reader.zones)
  }

  private static func text(_ status: HTTPResponse.Status, _ sentence: String) -> WireResponse {
    WireResponse(
      status,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: Array((sentence + "\n").utf8))
  }
}

extension TokenScope {
  fileprivate var isHousehold: Bool {
    if case .householdCalendar = self { true } else { false }
  }
}

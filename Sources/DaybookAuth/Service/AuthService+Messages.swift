import Avro
import Calendar
import Daybook
import GRDB
import Values
import Wire

// Sending codes, and limits on how often.
extension AuthService {
  /// Counts a request for a message, whether or not one is sent, so that it does not reveal who has an account.
  ///
  /// - Returns: Whether to go on. A request that is repeated at once is answered like the first, and nothing is
  ///   sent: clients repeat a request whose answer was lost.
  /// - Throws: ``AuthFailure`` if the limits are exceeded.
  func mayAskForMessage(_ request: AuthRequest, to address: Address) async throws -> Bool {
    let (limits, now, ask) = (settings.limits, now, MessageCounters(request, to: address))
    let network = NetworkName.of(request.wire.address)
    enum Verdict { case first, repeated, tooOften }
    let verdict: Verdict = try await database.write { database in
      let isSpaced = limits.secondsBetweenMessages > 0
      if isSpaced, try !RateLimit.allows(ask.repetition, most: 1, at: now, in: database) {
        return .repeated
      }
      if try !RateLimit.count(
        "messages from \(network)", most: limits.messagesPerAddress, within: 3600, at: now,
        in: database)
      {
        return .tooOften
      }
      let isFew = try RateLimit.count(
        "messages to \(ask.target)", most: limits.messagesPerTarget, within: 3600, at: now,
        in: database)
      let isLater =
        try !isSpaced || RateLimit.allows(ask.pause, most: 1, at: now, in: database)
      return isLater && isFew ? .first : .tooOften
    }
    switch verdict {
    case .first: return true
    case .repeated: return false
    case .tooOften: throw ask.tooOften
    }
  }

  /// Records that a request was granted, whether or not a message is sent. It is in one transaction with the
  /// message, so that a refused or failed request is not answered as granted when it is repeated.
  ///
  /// - Returns: Whether it is the first; `false` if an identical one was granted meanwhile.
  /// - Throws: ``AuthFailure`` if another message was requested meanwhile, or what the database throws.
  @discardableResult
  func note(
    _ request: AuthRequest, to address: Address, at now: Instant, in database: Database
  ) throws -> Bool {
    let (seconds, ask) = (
      settings.limits.secondsBetweenMessages, MessageCounters(request, to: address)
    )
    guard seconds > 0 else { return true }
    guard try RateLimit.count(ask.repetition, most: 1, within: 10, at: now, in: database) else {
      return false
    }
    guard try RateLimit.count(ask.pause, most: 1, within: seconds, at: now, in: database) else {
      throw ask.tooOften
    }
    return true
  }

  /// Records a granted request that sends nothing, so that it is answered like one that does.
  func note(_ request: AuthRequest, to address: Address) async throws {
    let now = now
    _ = try await database.write { try self.note(request, to: address, at: now, in: $0) }
  }

  /// Counts a guess at a code or a password.
  ///
  /// - Throws: ``AuthFailure/tooManyRequests`` if the limit is exceeded.
  func countGuess(_ request: AuthRequest, at address: Address?) async throws {
    let (limits, now) = (settings.limits, now)
    let network = NetworkName.of(request.wire.address)
    let isFew = try await database.write { database in
      var isFew = true
      if let address {
        isFew = try RateLimit.count(
          "guesses at \(address.kind.rawValue) \(address.value)", most: limits.guessesPerTarget,
          within: 900, at: now, in: database)
      }
      let isPatient = try RateLimit.count(
        "guesses from \(network)", most: limits.guessesPerAddress, within: 900, at: now,
        in: database)
      return isFew && isPatient
    }
    guard isFew else { throw AuthFailure.tooManyRequests }
  }

  /// Sends a code, and for an e-mail address also a link.
  ///
  /// - Parameters:
  ///   - code: The code and its purpose.
  ///   - isKnown: Whether the address belongs to an account.
  ///   - request: The request for it.
  ///   - change: A further change in the same transaction.
  /// - Returns: The message's id; `nil` if an identical request was granted meanwhile, so that nothing is sent.
  /// - Throws: ``AuthFailure`` if another message was requested meanwhile, or what the database throws.
  @discardableResult
  func send(
    _ code: OneTimeCode, isKnown: Bool, for request: AuthRequest,
    and change: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) async throws -> Key? {
    let (now, digits, link) = (now, Secret.code(), Secret.fresh())
    let expiry = now.advanced(byMilliseconds: Int64(settings.codeSeconds) * 1000)
    // An expired code is not sent.
    var payload: [JSON.Member] = [
      .init("code", .string(digits)), .init("expires_at", .number(expiry.milliseconds)),
    ]
    if code.address.kind == .email {
      let query = PercentCode.query([
        ("token", link), ("type", code.purpose.linkType(isKnown: isKnown)),
        ("redirect_to", code.redirect),
      ])
      payload += [
        .init("token_hash", .string(link)),
        .init("link", .string("\(settings.siteURL)/auth/v1/verify?\(query)")),
      ]
    }
    let draft = OutboxMessage(
      code.address.channel, to: code.address.value, of: code.account,
      template: code.purpose.template(for: code.address), payload: .object(payload), created: now)
    return try await database.write { database in
      guard try self.note(request, to: code.address, at: now, in: database) else { return nil }
      try change(database)
      try code.save(code: digits, link: link, at: now, expiring: expiry, in: database)
      var message = draft
      if message.account == nil {
        message.account = try UserRecord.fetch(code.address, in: database)?.account
      }
      try message.insert(into: database)
      return message.id
    }
  }

  /// Whether an address belongs to an account.
  func isKnown(_ address: Address) async throws -> Bool {
    if try accounts.account(having: address.kind, address.value) != nil { return true }
    let user = try await database.read { try UserRecord.fetch(address, in: $0) }
    return user.map { accounts.standing(of: $0.account) != .erased } ?? false
  }
}

/// The counters of a request for a message.
private struct MessageCounters: Sendable {
  /// The recipient.
  let target: String
  /// The request itself, which recognises a repetition.
  let repetition: String
  /// The pause before the recipient may get another message.
  let pause: String
  let tooOften: AuthFailure

  init(_ request: AuthRequest, to address: Address) {
    target = "\(address.kind.rawValue) \(address.value)"
    pause = "pause \(target)"
    let said =
      request.wire.path.joined(separator: "/")
      + String(decoding: request.wire.body, as: UTF8.self)
    repetition = "repeated \(target) " + Secret.digest(said)
    tooOften = address.kind == .phone ? .tooManyMessagesByPhone : .tooManyMessagesByMail
  }
}

extension OneTimeCode.Purpose {
  /// The template of the message with the code.
  func template(for address: Address) -> String {
    switch self {
    case .signIn: address.kind == .phone ? "otp" : "magiclink"
    case .signUp: address.kind == .phone ? "otp" : "signup"
    case .recovery: "recovery"
    case .phoneChange: "phone_change"
    case .emailChange: "email_change"
    }
  }

  /// The type in the link.
  func linkType(isKnown: Bool) -> String {
    switch self {
    case .signIn: isKnown ? "magiclink" : "signup"
    case .signUp: "signup"
    default: rawValue
    }
  }

  /// The type of session reported to the app that opens the link.
  var sessionType: String {
    switch self {
    case .signIn: "magiclink"
    case .signUp: "signup"
    default: rawValue
    }
  }

  /// The purposes that a client may mean by the type of a verification.
  static func meant(by type: String?) throws(AuthFailure) -> [OneTimeCode.Purpose] {
    switch type {
    case "sms", "signup": [.signIn, .signUp]
    // A sign-in mail and a recovery mail both prove the address.
    case "email", "magiclink": [.signIn, .signUp, .recovery]
    case "recovery": [.recovery, .signIn]
    case "phone_change": [.phoneChange]
    case "email_change": [.emailChange]
    default: throw .invalid("Verify requires a verification type")
    }
  }
}

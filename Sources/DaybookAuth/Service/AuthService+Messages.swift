import Avro
import Calendar
import Daybook
import GRDB
import Values
import Wire

// Codes that are sent: where they come from, and how often.
extension AuthService {
  /// Counts a message that is asked for, whether one is sent or not: so nobody learns from it who is here.
  ///
  /// - Returns: Whether to go on. A request that comes again at once is answered as the one before, and nothing is
  ///   sent: clients repeat themselves when an answer was lost.
  /// - Throws: ``AuthFailure`` when it is too often.
  func mayAskForMessage(_ request: AuthRequest, to address: Address) async throws -> Bool {
    let (limits, now, ask) = (settings.limits, now, MessageAsk(request, to: address))
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

  /// Notes that a request was granted, whether a message is sent or not: in one transaction with the message, so that
  /// a request that was refused or failed is not answered as if it had been granted when it comes again.
  ///
  /// - Returns: Whether it is the first; another that says the same was granted meanwhile.
  /// - Throws: ``AuthFailure`` when another message was asked for meanwhile, or what the database throws.
  @discardableResult
  func note(
    _ request: AuthRequest, to address: Address, at now: Instant, in database: Database
  ) throws -> Bool {
    let (seconds, ask) = (settings.limits.secondsBetweenMessages, MessageAsk(request, to: address))
    guard seconds > 0 else { return true }
    guard try RateLimit.count(ask.repetition, most: 1, within: 10, at: now, in: database) else {
      return false
    }
    guard try RateLimit.count(ask.pause, most: 1, within: seconds, at: now, in: database) else {
      throw ask.tooOften
    }
    return true
  }

  /// Notes that a request was granted which sends nothing: it is answered as one that does.
  func note(_ request: AuthRequest, to address: Address) async throws {
    let now = now
    _ = try await database.write { try self.note(request, to: address, at: now, in: $0) }
  }

  /// Counts a guess at a code or a password.
  ///
  /// - Throws: ``AuthFailure/tooManyRequests`` when it is one too many.
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

  /// Sends a code, and to an e-mail address a link.
  ///
  /// - Parameters:
  ///   - code: What is allowed to who has it.
  ///   - isKnown: Whether the address is that of an account.
  ///   - request: The request that asks for it.
  ///   - change: What else is changed, in the same transaction.
  /// - Returns: The message's name; nothing when the request came again while it was granted, so that nothing is sent.
  /// - Throws: ``AuthFailure`` when another message was asked for meanwhile, or what the database throws.
  @discardableResult
  func send(
    _ code: OneTimeCode, isKnown: Bool, for request: AuthRequest,
    and change: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) async throws -> Key? {
    let (now, digits, link) = (now, Secret.code(), Secret.fresh())
    let expiry = now.advanced(byMilliseconds: Int64(settings.codeSeconds) * 1000)
    // A code that is good no more is sent to nobody.
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

  /// Whether an address is that of somebody who is here.
  func isKnown(_ address: Address) async throws -> Bool {
    if try accounts.account(having: address.kind, address.value) != nil { return true }
    let user = try await database.read { try UserRecord.fetch(address, in: $0) }
    return user.map { accounts.standing(of: $0.account) != .erased } ?? false
  }
}

/// A request for a message, as it is counted.
private struct MessageAsk: Sendable {
  /// To whom.
  let target: String
  /// The request itself, to know it when it comes again.
  let repetition: String
  /// The time in which the target is sent no other.
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
  /// Which message carries the code.
  func template(for address: Address) -> String {
    switch self {
    case .signIn: address.kind == .phone ? "otp" : "magiclink"
    case .signUp: address.kind == .phone ? "otp" : "signup"
    case .recovery: "recovery"
    case .phoneChange: "phone_change"
    case .emailChange: "email_change"
    }
  }

  /// What the link says that it is for.
  func linkType(isKnown: Bool) -> String {
    switch self {
    case .signIn: isKnown ? "magiclink" : "signup"
    case .signUp: "signup"
    default: rawValue
    }
  }

  /// What an app is told that was opened by the link.
  var sessionType: String {
    switch self {
    case .signIn: "magiclink"
    case .signUp: "signup"
    default: rawValue
    }
  }

  /// What a client may mean by the type of a verification.
  static func meant(by type: String?) throws(AuthFailure) -> [OneTimeCode.Purpose] {
    switch type {
    case "sms", "signup": [.signIn, .signUp]
    // A mail in which somebody signs in, and one in which they come back, both say that the address is theirs.
    case "email", "magiclink": [.signIn, .signUp, .recovery]
    case "recovery": [.recovery, .signIn]
    case "phone_change": [.phoneChange]
    case "email_change": [.emailChange]
    default: throw .invalid("Verify requires a verification type")
    }
  }
}

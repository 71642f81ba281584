import Avro
import Daybook
import GRDB
import HTTPTypes
import Values
import Wire

// Sign-in with a code (HH-2, MO-1).
extension AuthService {
  /// `POST /otp`: sends a code to a phone, or a code and a link to an e-mail address.
  func sendCode(_ request: AuthRequest) async throws -> WireResponse {
    let address = try request.address()
    var code = OneTimeCode(
      .signIn, address, redirect: redirects.target(request.wire.query["redirect_to"]))
    let metadata = try request.metadata()
    code.challenge = try request.challenge()
    let createsUser = try request.flag("create_user") ?? true
    guard try await mayAskForMessage(request, to: address) else { return WireResponse(.ok, [:]) }
    let now = now
    let (signUp, former) = try await database.read { database in
      (
        try SignUp.fetch(address, in: database),
        try OneTimeCode.fetch([.signIn], address, at: now, in: database)
      )
    }
    // A repeated request need not repeat the metadata.
    code.metadata =
      [metadata, former?.metadata, signUp?.metadata].compactMap(\.self).first { $0 != [:] } ?? [:]
    let isKnown = try await isKnown(address)
    guard isKnown || signUp != nil || createsUser else { throw AuthFailure.codesDisabled }
    let message = try await send(code, isKnown: isKnown, for: request)
    guard address.kind == .phone, let message else { return WireResponse(.ok, [:]) }
    return WireResponse(.ok, ["message_id": .string(message.description)])
  }

  /// `POST /resend`: sends a new code in place of an earlier one, even if that has expired; the answer does not
  /// reveal whether there was one. The new code has this request's redirect and challenge, because clients begin
  /// anew.
  func sendCodeAgain(_ request: AuthRequest) async throws -> WireResponse {
    let address = try request.address()
    let purposes: [OneTimeCode.Purpose]
    switch (try request.neededText("type"), address.kind) {
    case ("signup", .email): purposes = [.signUp, .signIn]
    case ("sms", .phone): purposes = [.signIn, .signUp]
    case ("phone_change", .phone): purposes = [.phoneChange]
    case ("email_change", .email): purposes = [.emailChange]
    default:
      throw AuthFailure.invalid(
        "Missing one of these types: signup, email_change, sms, phone_change")
    }
    guard try await mayAskForMessage(request, to: address) else { return WireResponse(.ok, [:]) }
    let (now, redirect) = (now, redirects.target(request.wire.query["redirect_to"]))
    let challenge = try request.challenge()
    let codes = try await database.read { database in
      var codes = [try OneTimeCode.fetch(purposes, address, at: now, in: database)]
        .compactMap(\.self)
      // Some clients name the account's present address, and mean the requested one.
      if codes.isEmpty, let user = try UserRecord.fetch(address, in: database) {
        codes = try OneTimeCode.changes(of: user.account, at: now, in: database).map(\.code)
          .filter { purposes.contains($0.purpose) }
      }
      // The code may be forgotten while the sign-up still exists.
      if codes.isEmpty, purposes.contains(.signUp),
        try SignUp.fetch(address, in: database) != nil
      {
        codes = [OneTimeCode(.signUp, address, redirect: redirect)]
      }
      return codes
    }
    guard var code = codes.first else {
      try await note(request, to: address)
      return WireResponse(.ok, [:])
    }
    if request.wire.query["redirect_to"] != nil { code.redirect = redirect }
    code.challenge = challenge ?? code.challenge
    if code.address == address {
      try await send(code, isKnown: false, for: request)
    } else {
      try await note(request, to: address)
      try await sendElsewhere(code, for: request)
    }
    return WireResponse(.ok, [:])
  }

  /// Sends a code to an address other than the one named, within that address's limits. The answer does not reveal
  /// whether it was sent, because the caller need not be the person who requested it first.
  private func sendElsewhere(_ code: OneTimeCode, for request: AuthRequest) async throws {
    do {
      guard try await mayAskForMessage(request, to: code.address) else { return }
      try await send(code, isKnown: false, for: request)
    } catch let failure as AuthFailure where failure.status == 429 {}
  }

  /// `POST /recover`: sends a code and a link for setting a new password; the answer does not reveal whether there
  /// is an account.
  func recover(_ request: AuthRequest) async throws -> WireResponse {
    guard let address = try request.address(.email) else {
      throw AuthFailure.invalid("email is required")
    }
    var code = OneTimeCode(
      .recovery, address, redirect: redirects.target(request.wire.query["redirect_to"]))
    code.challenge = try request.challenge()
    guard try await mayAskForMessage(request, to: address) else { return WireResponse(.ok, [:]) }
    // Somebody who has forgotten the password of an unfinished sign-up comes in this way.
    let signUp = try await database.read { try SignUp.fetch(address, in: $0) }
    if try await isKnown(address) || signUp != nil {
      try await send(code, isKnown: true, for: request)
    } else {
      try await note(request, to: address)
    }
    return WireResponse(.ok, [:])
  }

  /// `POST /verify`: signs in with a typed code, or with the token of a link.
  func verifyCode(_ request: AuthRequest) async throws -> WireResponse {
    let purposes = try OneTimeCode.Purpose.meant(by: try request.neededText("type"))
    let (now, guesses) = (now, settings.limits.guessesPerCode)
    let code: OneTimeCode?
    if let link = try request.text("token_hash") {
      // With both given, it would be a guess which one is meant.
      guard try request.text("token") == nil else {
        throw AuthFailure.invalid("Verify requires either a token or a token hash")
      }
      try await countGuess(request, at: nil)
      code = try await database.write {
        try OneTimeCode.consume(link: link, for: purposes, at: now, in: $0)
      }
    } else {
      let (address, typed) = (try request.address(), try request.neededText("token"))
      try await countGuess(request, at: address)
      let digits = typed.filter { !$0.isWhitespace }
      code = try await database.write { database in
        try OneTimeCode.consume(
          digits, sentTo: address, for: purposes, guesses: guesses, at: now, in: database)
      }
    }
    guard let code else { throw AuthFailure.codeExpired }
    let account = try await admit(code)
    return WireResponse(.ok, try await openSession(for: account))
  }

  private func openSession(for account: Key) async throws -> JSON {
    try await openSession(of: account, by: "otp")
  }

  /// Admits a person who proved an address, or gives them the address.
  ///
  /// - Returns: The account.
  func admit(_ code: OneTimeCode) async throws -> Key {
    if code.purpose == .phoneChange || code.purpose == .emailChange {
      guard let account = code.account else { throw AuthFailure.codeExpired }
      try await change(code.address, of: account)
      return account
    }
    let address = code.address
    let (user, signUp) = try await database.read { database in
      (
        try UserRecord.fetch(address, in: database),
        code.purpose == .signIn ? nil : try SignUp.fetch(address, in: database)
      )
    }
    let metadata = signUp?.metadata ?? code.metadata
    let admission = try await accounts.admit(
      [SignInIdentity(kind: address.kind, value: address.value)],
      key: user?.account ?? signUp?.account,
      metadata: metadata)
    var signIn = SignIn(admission, address: address, metadata: metadata)
    // A request to set a new password does not confirm that the earlier choice was the owner's.
    if code.purpose == .signUp { signIn.passwordHash = signUp?.passwordHash }
    try await enter(signIn)
    return admission.account
  }

  /// Gives an account a proven address in place of its former one.
  private func change(_ address: Address, of account: Key) async throws {
    let now = now
    guard let person = try await database.read({ try Person.fetch(account, at: now, in: $0) })
    else {
      throw AuthFailure.codeExpired
    }
    try await restore(person)
    let former = address.kind == .phone ? person.user.phone : person.user.email
    do {
      try await accounts.link(
        SignInIdentity(kind: address.kind, value: address.value), to: account,
        inPlaceOf: former.map { SignInIdentity(kind: address.kind, value: $0) })
    } catch let rejection as Rejection where rejection.reason == .identityTaken {
      throw address.kind == .phone ? AuthFailure.phoneExists : AuthFailure.emailExists
    }
    try await enter(
      SignIn(
        Admission(account: account, isNew: false, wasClaimed: false), address: address,
        metadata: [:]))
  }
}

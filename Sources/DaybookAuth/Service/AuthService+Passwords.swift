import Avro
import Daybook
import DaybookStore
import GRDB
import HTTPTypes
import Values
import Wire

// Sign-up and sign-in with a password (DG-1, MC-2).
extension AuthService {
  /// `POST /signup`: creates an account, or starts the proof of its address.
  ///
  /// While addresses must be proven, an address with an account gets the same answer as any other, after the same
  /// work.
  func signUp(_ request: AuthRequest) async throws -> WireResponse {
    let address = try request.address(orElse: .anonymousDisabled)
    guard let password = try request.password() else {
      throw AuthFailure.invalid("Signup requires a valid password")
    }
    let metadata = try request.metadata() ?? [:]
    var code = OneTimeCode(
      .signUp, address, redirect: redirects.target(request.wire.query["redirect_to"]))
    code.challenge = try request.challenge()
    let weaknesses = PasswordRules.weaknesses(of: password)
    guard weaknesses.isEmpty else { throw AuthFailure.weakPassword(weaknesses) }
    let (now, account) = (now, Key())
    let answer = WireResponse(
      .ok, Person.unproven(address, metadata: metadata, key: account, at: now))
    guard settings.confirmsAddresses else {
      return try await signUpAtOnce(request, address, password, metadata)
    }
    guard try await mayAskForMessage(request, to: address) else { return answer }
    let pending = try await database.read { try SignUp.fetch(address, in: $0) }
    let hash = try await hash(of: password, for: pending)
    guard try await !isKnown(address) else {
      try await note(request, to: address)
      return answer
    }
    try await send(code, isKnown: false, for: request) { database in
      // Somebody else may have signed up meanwhile.
      let isSame = try SignUp.fetch(address, in: database)?.account == pending?.account
      let signUp = SignUp(
        address: address, account: account, passwordHash: isSame ? hash : nil,
        metadata: metadata)
      try signUp.save(at: now, in: database)
    }
    return answer
  }

  /// The hash of the password for a new account; `nil` if another password was chosen before, because one of the
  /// two is not the owner's. It takes the same time either way.
  private func hash(of password: String, for pending: SignUp?) async throws -> String? {
    guard let pending else { return try await hasher.hash(password) }
    return try await hasher.matches(password, pending.passwordHash) ? pending.passwordHash : nil
  }

  private func signUpAtOnce(
    _ request: AuthRequest, _ address: Address, _ password: String, _ metadata: JSON
  ) async throws -> WireResponse {
    try await countGuess(request, at: address)
    let hash = try await hasher.hash(password)
    guard try await !isKnown(address) else { throw AuthFailure.userAlreadyExists }
    let admission = try await accounts.admit(
      [SignInIdentity(kind: address.kind, value: address.value, isProven: false)],
      metadata: metadata,
      mustBeNew: true)
    var signIn = SignIn(admission, address: address, metadata: metadata)
    signIn.passwordHash = hash
    signIn.isProven = false
    try await enter(signIn)
    return WireResponse(.ok, try await openSession(of: admission.account, by: "password"))
  }

  /// `POST /token?grant_type=password`. An unknown address is refused like a wrong password, after
  /// the same work.
  func signInWithPassword(_ request: AuthRequest) async throws -> WireResponse {
    let address = try request.address()
    _ = try request.statedText("password")
    guard let password = try request.password() else { throw AuthFailure.invalidCredentials }
    try await countGuess(request, at: address)
    let (user, signUp) = try await database.read { database in
      (try UserRecord.fetch(address, in: database), try SignUp.fetch(address, in: database))
    }
    let hash = user?.passwordHash ?? (user == nil ? signUp?.passwordHash : nil)
    guard try await hasher.matches(password, hash) else { throw AuthFailure.invalidCredentials }
    guard let user else {
      throw address.kind == .phone ? AuthFailure.phoneNotConfirmed : AuthFailure.emailNotConfirmed
    }
    let now = now
    guard accounts.standing(of: user.account) != .erased,
      let person = try await database.read({ try Person.fetch(user.account, at: now, in: $0) })
    else { throw AuthFailure.invalidCredentials }
    try await restore(person)
    return WireResponse(
      .ok, try await openSession(of: user.account, by: "password", proving: user.passwordHash))
  }
}

import Avro
import Daybook
@testable import DaybookAuth
import DaybookStore
import HTTPTypes
import Wire
import Testing
import Values

/// Signing up and in with a password.
@Suite(.tags(.unit)) struct PasswordTests {
  @Test func `a sign-up proves the address before the first sign-in (DG-1, MC-2)`() async throws {
    let bench = try await AuthBench()
    let asked = await bench.post(
      "signup",
      [
        "email": "Pat@example.com", "password": "Correct-Horse-9", "data": ["name": "Pat"],
        "gotrue_meta_security": ["captcha_token": .null],
      ])
    #expect(asked.status == 200 && asked.json["access_token"] == nil)
    #expect(asked.json["email"] == "pat@example.com" && bench.accountCount == 0)
    let early = await bench.post(
      "token?grant_type=password", ["email": "pat@example.com", "password": "Correct-Horse-9"])
    #expect(early.status == 400 && early.code == "email_not_confirmed")
    let message = try await bench.message(to: "pat@example.com")
    #expect(message.template == "signup")
    let code = try #require(message.payload["code"])
    let signedUp = try SignedIn(
      await bench.post("verify", ["type": "signup", "email": "pat@example.com", "token": code]))
    #expect(signedUp.user["id"] == asked.json["id"])
    let signedIn = try SignedIn(
      await bench.post(
        "token?grant_type=password",
        ["email": "pat@example.com", "password": "Correct-Horse-9"]))
    #expect(signedIn.key == signedUp.key && signedIn.user["user_metadata"]?["name"] == "Pat")
    #expect(signedIn.user["app_metadata"]?["provider"] == "email")
    let providers = signedIn.user["identities"]?.elements?.map { $0["provider"] }
    #expect(providers == ["email"])
    #expect(bench.account(signedIn.key)?.displayName == "Pat")
  }

  @Test func `a missing password is invalid, and an empty one is wrong`() async throws {
    let bench = try await AuthBench()
    let bodies: [JSON] = [
      ["email": "pat@example.com"], ["email": "pat@example.com", "password": nil],
      ["email": "pat@example.com", "password": ""],
    ]
    var codes: [String?] = []
    for body in bodies {
      codes.append(await bench.post("token?grant_type=password", body).code)
    }
    #expect(codes == ["validation_failed", "validation_failed", "invalid_credentials"])
  }

  @Test func `a wrong password and an unknown person are refused alike`() async throws {
    let bench = try await AuthBench()
    _ = try await bench.signUp("pat@example.com")
    var bodies: [JSON] = []
    for email in ["pat@example.com", "nobody@example.com"] {
      let answer = await bench.post(
        "token?grant_type=password", ["email": .string(email), "password": "Wrong-Horse-9"])
      #expect(answer.status == 400 && answer.code == "invalid_credentials")
      bodies.append(answer.json)
    }
    #expect(bodies[0] == bodies[1])
  }

  @Test func `a sign-up for an existing account is answered like a new one, and sends nothing`()
    async throws
  {
    let bench = try await AuthBench()
    _ = try await bench.signUp("pat@example.com")
    let count = try await bench.database.messages(to: "pat@example.com").count
    var shapes: [[String]] = []
    for email in ["pat@example.com", "new@example.com"] {
      let answer = await bench.post(
        "signup", ["email": .string(email), "password": "Another-Horse-9"])
      #expect(answer.status == 200 && answer.json["identities"] == [])
      shapes.append(answer.json.members?.map(\.name) ?? [])
    }
    #expect(shapes[0] == shapes[1])
    #expect(try await bench.database.messages(to: "pat@example.com").count == count)
    let other = await bench.post(
      "token?grant_type=password", ["email": "pat@example.com", "password": "Another-Horse-9"])
    #expect(other.code == "invalid_credentials")
  }

  @Test func `a password that another person set for an address is gone when its owner proves it`()
    async throws
  {
    let bench = try await AuthBench()
    _ = await bench.post("signup", ["email": "a@example.com", "password": "Thieves-Horse-9"])
    let forged = try await bench.code(to: "a@example.com")
    let owner = try await bench.signIn(email: "a@example.com")
    let late = await bench.post(
      "verify", ["type": "signup", "email": "a@example.com", "token": .string(forged)])
    #expect(late.code == "otp_expired")
    let thief = await bench.post(
      "token?grant_type=password", ["email": "a@example.com", "password": "Thieves-Horse-9"])
    #expect(thief.code == "invalid_credentials")
    #expect(bench.account(owner.key) != nil && bench.accountCount == 1)
  }

  @Test(arguments: [
    ["Correct-Horse-9", "Thieves-Horse-9"],
    ["Thieves-Horse-9", "Correct-Horse-9", "Thieves-Horse-9"],
    ["Correct-Horse-9", "Thieves-Horse-9", "Thieves-Horse-9"],
  ])
  func `an address with two chosen passwords starts without one (DG-1)`(
    _ passwords: [String]
  ) async throws {
    let bench = try await AuthBench()
    func signIn(_ password: String) async -> String? {
      await bench.post(
        "token?grant_type=password",
        ["email": "pat@example.com", "password": .string(password)]
      ).code
    }
    for password in passwords {
      let asked = await bench.post(
        "signup", ["email": "pat@example.com", "password": .string(password)])
      #expect(asked.status == 200)
    }
    for password in passwords { #expect(await signIn(password) == "invalid_credentials") }
    let code = try await bench.code(to: "pat@example.com")
    let signedUp = try SignedIn(
      await bench.post(
        "verify", ["type": "signup", "email": "pat@example.com", "token": .string(code)]))
    for password in passwords { #expect(await signIn(password) == "invalid_credentials") }
    _ = await bench.post("recover", ["email": "pat@example.com"])
    let recovery = try await bench.code(to: "pat@example.com")
    let recovered = try SignedIn(
      await bench.post(
        "verify", ["type": "recovery", "email": "pat@example.com", "token": .string(recovery)]))
    #expect(recovered.key == signedUp.key)
    let changed = await bench.send(
      .put, "user", ["password": "Correct-Horse-9"], bearer: recovered.token)
    #expect(changed.status == 200)
    #expect(await signIn("Correct-Horse-9") == nil)
  }

  @Test func `a repeated sign-up with the same password keeps it (DG-1)`() async throws {
    let bench = try await AuthBench()
    let body: JSON = ["email": "pat@example.com", "password": "Correct-Horse-9"]
    #expect(await bench.post("signup", body).status == 200)
    let early = await bench.post("token?grant_type=password", body)
    let signedUp = try await bench.signUp("pat@example.com")
    #expect(early.code == "email_not_confirmed")
    #expect(try SignedIn(await bench.post("token?grant_type=password", body)).key == signedUp.key)
  }

  @Test
  func
    `without confirmation a sign-up starts a session, and whoever proves the address takes the account over`()
    async throws
  {
    let bench = try await AuthBench { $0.confirmsAddresses = false }
    let body: JSON = ["email": "a@example.com", "password": "Correct-Horse-9"]
    let claimed = try SignedIn(await bench.post("signup", body))
    let again = await bench.post("signup", body)
    #expect(again.status == 422 && again.code == "user_already_exists")
    let owner = try await bench.signIn(email: "a@example.com")
    #expect(owner.key == claimed.key)
    #expect(throws: TokenError.endedSession) { try bench.service.claims(of: claimed.token) }
    #expect(
      await bench.post("token?grant_type=password", body).code == "invalid_credentials")
  }

  @Test(arguments: [
    ("abc", ["length"]), ("Password1", ["pwned"]), ("12345", ["length"]), ("iLoveYou", ["pwned"]),
  ])
  func `a weak password is refused with the reasons (DG-1)`(
    _ password: String, _ reasons: [String]
  ) async throws {
    let bench = try await AuthBench()
    let answer = await bench.post(
      "signup", ["email": "a@example.com", "password": .string(password)])
    #expect(answer.status == 422 && answer.code == "weak_password")
    let found = answer.json["weak_password"]?["reasons"]?.elements?.compactMap(\.text)
    #expect(found == reasons)
  }

  @Test func `a change in progress fails when its session ends (DG-1)`() async throws {
    let bench = try await AuthBench()
    let person = try await bench.signUp("pat@example.com")
    let claims = try bench.service.claims(of: person.token)
    let user = try #require(
      try await bench.database.read { try UserRecord.fetch(claims.account, in: $0) })
    let out = await bench.send(.post, "logout?scope=global", [:], bearer: person.token)
    #expect(out.status == 204)
    await #expect(throws: AuthFailure.sessionNotFound) {
      try await bench.service.change(claims, nil, "another hash", [])
    }
    var code = OneTimeCode(
      .emailChange, try #require(Address(.email, "evil@example.com")), redirect: "")
    (code.account, code.session) = (claims.account, claims.session)
    await #expect(throws: AuthFailure.sessionNotFound) {
      try await bench.database.write { [code] in
        try code.save(code: "123456", link: "link", at: .first, expiring: .last, in: $0)
      }
    }
    // A session may start only with the password in force when it starts.
    let hash = try #require(user.passwordHash)
    _ = try await bench.service.openSession(of: claims.account, by: "password", proving: hash)
    await #expect(throws: AuthFailure.invalidCredentials) {
      try await bench.service.openSession(of: claims.account, by: "password", proving: hash + "x")
    }
  }

  @Test func `a code sent before a password change ends with it (DG-1)`()
    async throws
  {
    let bench = try await AuthBench()
    let person = try await bench.signUp("pat@example.com")
    _ = await bench.post("recover", ["email": "pat@example.com"])
    let code = try await bench.code(to: "pat@example.com")
    let changed = await bench.send(
      .put, "user", ["password": "Another-Horse-9"], bearer: person.token)
    #expect(changed.status == 200)
    let late = await bench.post(
      "verify", ["type": "recovery", "email": "pat@example.com", "token": .string(code)])
    #expect(late.code == "otp_expired")
  }

  @Test
  func
    `a forgotten password is replaced, and the answer does not reveal who has an account (DG-1)`()
    async throws
  {
    let bench = try await AuthBench()
    let former = try await bench.signUp("pat@example.com")
    for email in ["pat@example.com", "nobody@example.com"] {
      let answer = await bench.post("recover", ["email": .string(email)])
      #expect(answer.status == 200 && answer.json == [:])
    }
    #expect(try await bench.database.messages(to: "nobody@example.com").isEmpty)
    let message = try await bench.message(to: "pat@example.com")
    #expect(message.template == "recovery")
    let code = try #require(message.payload["code"])
    let signedIn = try SignedIn(
      await bench.post("verify", ["type": "recovery", "email": "pat@example.com", "token": code]))
    let same = await bench.send(
      .put, "user", ["password": "Correct-Horse-9"], bearer: signedIn.token)
    #expect(same.status == 422 && same.code == "same_password")
    let changed = await bench.send(
      .put, "user", ["password": "Another-Horse-9"], bearer: signedIn.token)
    #expect(changed.status == 200)
    let body: JSON = ["email": "pat@example.com", "password": "Another-Horse-9"]
    #expect(await bench.post("token?grant_type=password", body).status == 200)
    #expect(throws: TokenError.endedSession) { try bench.service.claims(of: former.token) }
    #expect(throws: Never.self) { try bench.service.claims(of: signedIn.token) }
  }

  @Test func `a hash has its cost and its own salt, and takes as long for an unknown person`()
    async throws
  {
    let hasher = PasswordHasher(cost: 11)
    let first = try await hasher.hash("Correct-Horse-9")
    #expect(first.hasPrefix("scrypt$11$"))
    #expect(try await hasher.hash("Correct-Horse-9") != first)
    let start = hasher.roundCount
    #expect(try await hasher.matches("Correct-Horse-9", first))
    let known = hasher.roundCount - start
    #expect(try await !hasher.matches("Correct-Horse-9", nil))
    #expect(known == 1 << 11 && hasher.roundCount - start == 2 * known)
    #expect(try await !hasher.matches("correct-horse-9", first))
    for damaged in ["", "scrypt$99$a$b", "scrypt$x$a$b", "$$$", "bcrypt$4$a$b"] {
      #expect(try await !hasher.matches("Correct-Horse-9", damaged))
    }
  }

  @Test func `the hashing cost of a production server comes from its settings and is affordable`()
    async throws
  {
    let settings = AuthSettings(siteURL: AuthBench.site)
    #expect(settings.passwordCost == 15)
    let hash = try await PasswordHasher(cost: settings.passwordCost).hash("Correct-Horse-9")
    #expect(hash.hasPrefix("scrypt$15$"))
    #expect(AuthSettings(siteURL: AuthBench.site, isDevelopment: true).passwordCost == 10)
  }

  @Test func `a hash request is refused when too many are waiting`() async throws {
    let hasher = PasswordHasher(cost: 10)
    let refusals = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<300 {
        group.addTask {
          do { _ = try await hasher.hash("Correct-Horse-9") } catch let failure as AuthFailure {
            return failure == .tooManyRequests
          } catch { return false }
          return false
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(refusals > 0 && refusals <= 240)
    #expect(try await hasher.hash("Correct-Horse-9").hasPrefix("scrypt$10$"))
  }

  @Test func `a password forgotten before the first sign-in can be replaced (DG-1)`() async throws {
    let bench = try await AuthBench()
    let asked = await bench.post(
      "signup",
      ["email": "ada@example.com", "password": "Correct-Horse-9", "data": ["display_name": "Ada"]])
    // An account that signs in only by codes is known, too.
    let code: JSON = ["email": "ada@example.com", "create_user": false]
    #expect(asked.status == 200)
    #expect(await bench.post("otp", code).status == 200)
    #expect(await bench.post("recover", ["email": "ada@example.com"]).status == 200)
    let message = try await bench.message(to: "ada@example.com")
    #expect(message.template == "recovery")
    let ada = try SignedIn(
      await bench.post(
        "verify",
        ["type": "recovery", "email": "ada@example.com", "token": message.payload["code"] ?? ""]))
    #expect(ada.user["user_metadata"] == ["display_name": "Ada"])
    func signIn(_ password: JSON) async -> Answer {
      await bench.post(
        "token?grant_type=password", ["email": "ada@example.com", "password": password])
    }
    #expect(await signIn("Correct-Horse-9").code == "invalid_credentials")
    let empty = await bench.send(.put, "user", ["password": ""], bearer: ada.token)
    #expect(empty.status == 422 && empty.code == "weak_password")
    _ = await bench.send(.put, "user", ["password": "Another-Horse-9"], bearer: ada.token)
    #expect(await signIn("Another-Horse-9").status == 200)
  }
}

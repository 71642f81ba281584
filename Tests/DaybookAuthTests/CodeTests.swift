import Avro
import Daybook
@testable import DaybookAuth
import DaybookStore
import GRDB
import HTTPTypes
import Testing
import Values
import Wire

/// Signing in by a code or a link.
@Suite(.tags(.unit)) struct CodeTests {
  @Test func `a phone signs in by a code, and its account is in the book (HH-2)`() async throws {
    let bench = try await AuthBench()
    let asked = await bench.post("otp", ["phone": "+1 (555) 234-5678", "create_user": true])
    #expect(asked.status == 200 && asked.json["message_id"]?.text != nil)
    let message = try await bench.message(to: "+15552345678")
    #expect(message.channel == .sms && message.template == "otp")
    #expect(message.payload["link"] == nil)
    let code = try #require(message.payload["code"]?.text)
    #expect(code.utf8.count == 6)
    let signedIn = try SignedIn(
      await bench.post("verify", ["type": "sms", "phone": "15552345678", "token": .string(code)]))

    #expect(signedIn.json["token_type"] == "bearer" && signedIn.json["expires_in"] == 3600)
    #expect(signedIn.user["phone"] == "15552345678" && signedIn.user["email"] == "")
    #expect(signedIn.user["phone_confirmed_at"]?.text == "2026-01-01T00:00:00Z")
    #expect(signedIn.user["app_metadata"] == ["provider": "phone", "providers": ["phone"]])
    #expect(signedIn.user["identities"]?.elements?.count == 1)
    let account = try #require(bench.account(signedIn.key))
    #expect(account.displayName == "Bee " + signedIn.key.description.prefix(6))
    #expect(account.identities.map(\.isVerified) == [true])
    #expect(bench.service.people.email(of: signedIn.key) == nil)
  }

  @Test func `an access token states its account and its expiry (HH-2)`() async throws {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com", data: ["n": 1])
    let claims = signedIn.claims
    #expect(signedIn.header["alg"] == "ES256" && signedIn.header["typ"] == "JWT")
    #expect(claims["sub"] == signedIn.user["id"] && claims["role"] == "authenticated")
    #expect(claims["aud"] == "authenticated" && claims["exp"] == signedIn.json["expires_at"])
    #expect(claims["iss"]?.text == AuthBench.site + "/auth/v1")
    #expect(claims["aal"] == "aal1" && claims["is_anonymous"] == false)
    #expect(claims["amr"] == [["method": "otp", "timestamp": 1_767_225_600]])
    #expect(claims["user_metadata"] == ["n": 1] && claims["email"] == "ada@example.com")
    let keys = await bench.send(.get, ".well-known/jwks.json").json["keys"]?.elements
    #expect(keys?.first?["kid"] == signedIn.header["kid"] && keys?.first?["d"] == nil)
  }

  @Test func `a wrong, a used and an expired code are refused alike (HH-2)`() async throws {
    let bench = try await AuthBench()
    func verify(_ code: String) async -> Answer {
      await bench.post("verify", ["type": "sms", "phone": "+15552345678", "token": .string(code)])
    }
    _ = await bench.post("otp", ["phone": "+15552345678"])
    let code = try await bench.code(to: "+15552345678")
    let wrong = await verify(code == "000000" ? "111111" : "000000")
    #expect(wrong.status == 403 && wrong.code == "otp_expired")
    #expect(await verify(code).status == 200)
    #expect(await verify(code).code == "otp_expired")
    _ = await bench.post("otp", ["phone": "+15552345678"])
    bench.clock.advance(seconds: 601)
    #expect(await verify(try await bench.code(to: "+15552345678")).code == "otp_expired")
  }

  @Test func `a code is void after five wrong guesses, and is stored as a hash`() async throws {
    let bench = try await AuthBench()
    _ = await bench.post("otp", ["email": "ada@example.com"])
    let code = try await bench.code(to: "ada@example.com")
    func verify(_ code: String) async -> Answer {
      await bench.post(
        "verify", ["type": "email", "email": "ada@example.com", "token": .string(code)])
    }
    for _ in 0..<5 { #expect(await verify("wrong!").code == "otp_expired") }
    #expect(await verify(code).code == "otp_expired")
    _ = await bench.post("otp", ["email": "ada@example.com"])
    let fresh = try await bench.message(to: "ada@example.com").payload
    let kept = try await bench.database.read { database in
      try String.fetchAll(
        database, sql: "SELECT code_hash || link_hash || salt FROM one_time_codes")
    }
    for name in ["code", "token_hash"] {
      let secret = try #require(fresh[name]?.text)
      #expect(!kept.contains { $0.contains(secret) })
    }
  }

  @Test(arguments: [
    " Ada@Example.COM ", "ADA@EXAMPLE.COM", "ada@example.com",
  ])
  func `an address belongs to one account in every spelling (MO-1)`(_ written: String) async throws
  {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "ada@example.com")
    _ = await bench.post("otp", ["email": .string(written)])
    let code = try await bench.code(to: "ada@example.com")
    let again = try SignedIn(
      await bench.post(
        "verify", ["type": "magiclink", "email": .string(written), "token": .string(code)]))
    #expect(again.key == first.key && bench.accountCount == 1)
  }

  @Test func `the name given at sign-in becomes the account's name (HH-1, DG-1)`() async throws {
    let bench = try await AuthBench()
    let maja = try await bench.signIn(email: "maja@example.com", data: ["display_name": "Maja"])
    #expect(bench.account(maja.key)?.displayName == "Maja")
    let pat = try await bench.signIn(email: "pat@example.com", data: ["name": "Pat"])
    #expect(bench.account(pat.key)?.displayName == "Pat")
    let long = JSON.string(String(repeating: "x", count: 3000))
    let other = try await bench.signIn(email: "x@example.com", data: ["name": long])
    #expect(bench.account(other.key)?.displayName.hasPrefix("Bee ") == true)
  }

  @Test func `no account is made when the request forbids it (HH-2)`() async throws {
    let bench = try await AuthBench()
    let refused = await bench.post("otp", ["email": "ada@example.com", "create_user": false])
    #expect(refused.status == 422 && refused.code == "otp_disabled")
    _ = try await bench.signIn(email: "ada@example.com")
    let known = await bench.post("otp", ["email": "ada@example.com", "create_user": false])
    #expect(known.status == 200 && bench.accountCount == 1)
  }

  @Test func `a link with a challenge leads to a code that works once (MO-1)`() async throws {
    let bench = try await AuthBench()
    for (method, challenge) in [
      ("S256", ProofKey.challenge(of: AuthBench.verifier)), ("plain", AuthBench.verifier),
    ] {
      let asked = await bench.post(
        "otp?redirect_to=motiv%3A%2F%2Fauth-callback",
        [
          "email": "ada@example.com", "code_challenge": .string(challenge),
          "code_challenge_method": .string(method),
        ])
      #expect(asked.status == 200 && asked.json == [:])
      let opened = await bench.send(.get, try await bench.link(to: "ada@example.com"))
      #expect(opened.status == 303 && opened.location.hasPrefix("motiv://auth-callback?code="))
      let code = try #require(opened.sent("code", behind: "?"))
      func exchange(_ verifier: String) async -> Answer {
        await bench.post(
          "token?grant_type=pkce",
          ["auth_code": .string(code), "code_verifier": .string(verifier)])
      }
      let wrong = await exchange(String(repeating: "y", count: 64))
      #expect(wrong.status == 400 && wrong.code == "bad_code_verifier")
      let signedIn = try SignedIn(await exchange(AuthBench.verifier))
      #expect(signedIn.user["email"] == "ada@example.com")
      let again = await exchange(AuthBench.verifier)
      #expect(again.status == 404 && again.code == "flow_state_not_found")
    }
  }

  @Test func `a code from a link ends with all sessions of its account (MO-1)`() async throws {
    let bench = try await AuthBench()
    let own = try await bench.signIn(email: "ada@example.com")
    for (target, isGood) in [
      ("logout?scope=local", true), ("logout?scope=others", false), ("logout", false),
    ] {
      let session = try await bench.signIn(email: "ada@example.com")
      _ = await bench.post(
        "otp?redirect_to=motiv%3A%2F%2Fauth-callback",
        [
          "email": "ada@example.com", "code_challenge": .string(AuthBench.verifier),
          "code_challenge_method": "plain",
        ])
      let opened = await bench.send(.get, try await bench.link(to: "ada@example.com"))
      let code = try #require(opened.sent("code", behind: "?"))
      #expect(await bench.send(.post, target, [:], bearer: session.token).status == 204)
      let exchanged = await bench.post(
        "token?grant_type=pkce",
        ["auth_code": .string(code), "code_verifier": .string(AuthBench.verifier)])
      #expect(exchanged.status == (isGood ? 200 : 404), "\(target)")
    }
    #expect(await bench.send(.get, "user", bearer: own.token).status != 200)
  }

  @Test func `a link without a challenge leads to a session (MO-1)`() async throws {
    let bench = try await AuthBench()
    _ = await bench.post(
      "otp?redirect_to=motiv%3A%2F%2Fauth-callback", ["email": "ada@example.com"])
    let link = try await bench.link(to: "ada@example.com")
    #expect(link.contains("type=signup"))
    let opened = await bench.send(.get, link)
    #expect(opened.status == 303 && opened.location.hasPrefix("motiv://auth-callback#"))
    #expect(opened.sent("token_type", behind: "#") == "bearer")
    #expect(opened.sent("type", behind: "#") == "magiclink")
    #expect(opened.sent("expires_in", behind: "#") == "3600")
    let token = try #require(opened.sent("access_token", behind: "#"))
    #expect(throws: Never.self) { try bench.service.claims(of: token) }
    _ = await bench.post("otp", ["email": "ada@example.com"])
    #expect(try await bench.link(to: "ada@example.com").contains("type=magiclink"))
  }

  @Test func `a used link reports its error to the app in the query and in the fragment`()
    async throws
  {
    let bench = try await AuthBench()
    _ = await bench.post(
      "otp?redirect_to=motiv%3A%2F%2Fauth-callback", ["email": "ada@example.com"])
    let link = try await bench.link(to: "ada@example.com")
    _ = await bench.send(.get, link)
    let again = await bench.send(.get, link)
    #expect(again.status == 303 && again.location.hasPrefix("motiv://auth-callback?error="))
    for sign in ["?", "#"] as [Character] {
      #expect(again.sent("error_code", behind: sign) == "otp_expired")
      #expect(again.sent("error_description", behind: sign)?.isEmpty == false)
    }
  }

  @Test func `the token hash in a link can be verified directly`() async throws {
    let bench = try await AuthBench()
    _ = await bench.post("otp", ["email": "ada@example.com"])
    let hash = try #require(try await bench.message(to: "ada@example.com").payload["token_hash"])
    let body: JSON = ["type": "email", "token_hash": hash]
    let code = try await bench.code(to: "ada@example.com")
    let both = await bench.post(
      "verify",
      [
        "type": "email", "token_hash": hash, "token": .string(code), "email": "ada@example.com",
      ])
    #expect(both.status == 400 && both.code == "validation_failed")
    let signedIn = try SignedIn(await bench.post("verify", body))
    #expect(signedIn.user["email"] == "ada@example.com")
    #expect(await bench.post("verify", body).code == "otp_expired")
  }

  @Test func `a browser is never redirected to a target that is not allowed`() async throws {
    let bench = try await AuthBench()
    _ = await bench.post("otp?redirect_to=https%3A%2F%2Fevil.example", ["email": "a@example.com"])
    let link = try await bench.link(to: "a@example.com")
    #expect(!link.contains("evil"))
    let opened = await bench.send(.get, link + "&redirect_to=motiv://x")
    #expect(opened.location.hasPrefix(AuthBench.site + "#"))
    let forged = await bench.send(.get, "verify?token=x&type=email&redirect_to=https://evil.test")
    #expect(forged.location.hasPrefix(AuthBench.site + "?error="))
  }

  @Test func `a code can be sent again, and the answer does not reveal whether one existed`()
    async throws
  {
    let bench = try await AuthBench()
    _ = await bench.post("otp", ["phone": "+15552345678"])
    let first = try await bench.message(to: "+15552345678")
    let sent = await bench.post("resend", ["type": "sms", "phone": "+15552345678"])
    #expect(sent.status == 200 && sent.json == [:])
    #expect(try await bench.message(to: "+15552345678").id != first.id)
    let unknown = await bench.post("resend", ["type": "signup", "email": "no@example.com"])
    #expect(unknown.status == 200 && unknown.json == [:])
    #expect(try await bench.database.messages(to: "no@example.com").isEmpty)
  }

  @Test func `a void or expired code is replaced on resend, for a day (HH-2)`()
    async throws
  {
    let bench = try await AuthBench()
    func isSentAgain() async throws -> Bool {
      let former = try await bench.message(to: "+15552345678").id
      #expect(await bench.post("resend", ["type": "sms", "phone": "+15552345678"]).status == 200)
      return try await bench.message(to: "+15552345678").id != former
    }
    _ = await bench.post("otp", ["phone": "+15552345678", "data": ["display_name": "Maja"]])
    for _ in 0..<5 {
      _ = await bench.post("verify", ["type": "sms", "phone": "+15552345678", "token": "wrong!"])
    }
    #expect(try await isSentAgain())
    bench.clock.advance(seconds: 601)
    try await bench.service.sweep()
    #expect(try await isSentAgain())
    let code = try await bench.code(to: "+15552345678")
    let signedIn = try SignedIn(
      await bench.post("verify", ["type": "sms", "phone": "+15552345678", "token": .string(code)]))
    #expect(signedIn.user["user_metadata"] == ["display_name": "Maja"])
    #expect(try await !isSentAgain(), "the code was used")
    _ = await bench.post("otp", ["phone": "+15552345678"])
    bench.clock.advance(seconds: 86_401)
    #expect(try await !isSentAgain())
  }

  @Test func `a resent link has the target and challenge of its new request (MO-1)`()
    async throws
  {
    let bench = try await AuthBench()
    let first = String(repeating: "f", count: 43)
    func challenged(_ body: JSON, _ verifier: String) -> JSON {
      .object(
        (body.members ?? []) + [
          .init("code_challenge", .string(ProofKey.challenge(of: verifier))),
          .init("code_challenge_method", "s256"),
        ])
    }
    _ = await bench.post(
      "signup?redirect_to=motiv://first",
      challenged(["email": "ada@example.com", "password": "Correct-Horse-9"], first))
    let again: JSON = ["type": "signup", "email": "ada@example.com"]
    _ = await bench.post("resend", again)
    #expect(try await bench.link(to: "ada@example.com").contains("motiv%3A%2F%2Ffirst"))
    _ = await bench.post(
      "resend?redirect_to=motiv://second", challenged(again, AuthBench.verifier))
    let opened = await bench.send(.get, try await bench.link(to: "ada@example.com"))
    #expect(opened.location.hasPrefix("motiv://second?code="))
    let code = try #require(opened.sent("code", behind: "?"))
    let exchange: (String) async -> Answer = { verifier in
      await bench.post(
        "token?grant_type=pkce",
        ["auth_code": .string(code), "code_verifier": .string(verifier)])
    }
    #expect(await exchange(first).code == "bad_code_verifier")
    #expect(await exchange(AuthBench.verifier).status == 200)
  }

  @Test func `a resend repeats the latest request and keeps its password (DG-1)`() async throws {
    let bench = try await AuthBench()
    let phone: JSON = "+15552345678"
    _ = await bench.post("otp", ["phone": phone])
    bench.clock.advance(seconds: 7200)
    _ = await bench.post(
      "signup",
      ["phone": phone, "password": "Correct-Horse-9", "data": ["display_name": "Maja"]])
    _ = await bench.post("resend", ["type": "sms", "phone": phone])
    let code = try await bench.code(to: "+15552345678")
    let maja = try SignedIn(
      await bench.post("verify", ["type": "sms", "phone": phone, "token": .string(code)]))
    #expect(maja.user["user_metadata"] == ["display_name": "Maja"])
    let again = await bench.post(
      "token?grant_type=password", ["phone": phone, "password": "Correct-Horse-9"])
    #expect(again.status == 200)
  }

  @Test func `an expired change of address is not sent again (MO-1)`() async throws {
    let bench = try await AuthBench()
    let ada = try await bench.signIn(email: "ada@example.com")
    _ = await bench.send(.put, "user", ["email": "lady@exmaple.com"], bearer: ada.token)
    let again: JSON = ["type": "email_change", "email": "lady@exmaple.com"]
    #expect(await bench.post("resend", again).status == 200)
    #expect(try await bench.database.messages(to: "lady@exmaple.com").count == 2)
    bench.clock.advance(seconds: 601)
    #expect(await bench.post("resend", again).status == 200)
    #expect(try await bench.database.messages(to: "lady@exmaple.com").count == 2)
  }

  @Test func `wrong guesses at a code do not void its link (MO-1)`() async throws {
    let bench = try await AuthBench()
    _ = await bench.post("otp", ["email": "ada@example.com"])
    for _ in 0..<9 {
      _ = await bench.post(
        "verify", ["type": "email", "email": "ada@example.com", "token": "wrong!"])
    }
    let opened = await bench.send(.get, try await bench.link(to: "ada@example.com"))
    #expect(opened.sent("access_token", behind: "#") != nil)
  }

  @Test func `initial user data is kept when later requests give none (HH-2)`() async throws {
    let bench = try await AuthBench()
    _ = await bench.post("otp", ["email": "ada@example.com"])
    _ = await bench.post("otp", ["email": "ada@example.com", "data": ["display_name": "Ada"]])
    _ = await bench.post("otp", ["email": "ada@example.com"])
    let code = try await bench.code(to: "ada@example.com")
    let ada = try SignedIn(
      await bench.post(
        "verify", ["type": "email", "email": "ada@example.com", "token": .string(code)]))
    #expect(ada.user["user_metadata"] == ["display_name": "Ada"])
    #expect(bench.account(ada.key)?.displayName == "Ada")
  }
}

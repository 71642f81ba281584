import Avro
import Crypto
import Daybook
@testable import DaybookAuth
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

/// Signing in with Apple or Google.
@Suite(.tags(.unit)) struct ProviderTests {
  static let nonce = "a nonce of the app's"
  /// printf "a nonce of the app's" | sha256sum
  static let nonceDigest = SHA256.hash(data: Array(nonce.utf8)).description
    .replacing("SHA256 digest: ", with: "")

  private func bench() async throws -> (AuthBench, ProviderBench) {
    let provider = try ProviderBench()
    let bench = try await AuthBench { settings in
      settings.isDevelopment = false
      settings.limits = .development
      settings.appleClients = ["com.example.other", "com.example.app"]
      settings.googleClients = ["web.example", "ios.example"]
      settings.googleSecret = "google's secret"
    }
    bench.outbound.answer(ProviderBench.appleKeys, try provider.answer())
    bench.outbound.answer(ProviderBench.googleKeys, try provider.answer())
    return (bench, provider)
  }

  private func signIn(
    _ bench: AuthBench, _ token: String, provider: String = "apple", nonce: String? = nil
  ) async -> Answer {
    await bench.post(
      "token?grant_type=id_token",
      [
        "provider": .string(provider), "id_token": .string(token), "access_token": .null,
        "nonce": nonce.map { .string($0) } ?? .null,
      ])
  }

  @Test(arguments: [("RS256", "rsa"), ("ES256", "ec")])
  func `an Apple token signs in, and the same subject is the same person (DM-11, HH-2)`(
    _ alg: String, _ kid: String
  ) async throws {
    let (bench, provider) = try await bench()
    let token = try provider.token(["nonce": .string(Self.nonceDigest)], alg: alg, kid: kid)
    let first = try SignedIn(await signIn(bench, token, nonce: Self.nonce))
    #expect(first.user["email"] == "ada@example.com")
    #expect(first.user["app_metadata"] == ["provider": "apple", "providers": ["apple"]])
    let identity = first.user["identities"]?.elements?.first
    #expect(identity?["provider"] == "apple" && identity?["id"] == "001.a")
    #expect(first.claims["amr"]?.elements?.first?["method"] == "oauth")
    let again = try provider.token(["email": .null, "aud": ["x", "com.example.app"]])
    #expect(try SignedIn(await signIn(bench, again)).key == first.key)
    #expect(bench.accountCount == 1)
    #expect(bench.outbound.sent.count == 1)
    #expect(try await bench.signIn(email: "ada@example.com").key == first.key)
  }

  @Test func `an invalid token is refused in OAuth's form (DM-11)`()
    async throws
  {
    let (bench, provider) = try await bench()
    let other = try ProviderBench()
    let good = try provider.token()
    let parts = good.split(separator: ".").map(String.init)
    let none = Base64URL.encoded(#"{"alg":"none","kid":"rsa"}"#.utf8)
    let hashed = Base64URL.encoded(#"{"alg":"HS256","kid":"secret"}"#.utf8)
    let swapped = Base64URL.encoded(#"{"alg":"ES256","kid":"rsa","typ":"JWT"}"#.utf8)
    for (token, reason) in [
      (try other.token(), "signature"), (try provider.token(kid: "unknown"), "kid"),
      (try provider.token(alg: "ES256", kid: "rsa"), "kind of key"),
      (try provider.token(["iss": "https://accounts.google.com"]), "another provider's"),
      (try provider.token(["iss": "https://evil.test"]), "issuer"),
      (try provider.token(["aud": "com.evil.app"]), "audience"),
      (try provider.token(["aud": []]), "no audience"),
      (try provider.token(["exp": 1_767_225_600]), "expiry"),
      (try provider.token(["exp": .null]), "no expiry"),
      (try provider.token(["exp": .number("1e400")]), "odd expiry"),
      (try provider.token(["sub": .null]), "no subject"),
      (try provider.token(["sub": ""]), "empty subject"),
      (try provider.token(["nonce": .string(Self.nonceDigest)]), "a nonce in the token alone"),
      ("\(none).\(parts[1]).", "none"), ("\(hashed).\(parts[1]).\(parts[2])", "HS256"),
      ("\(swapped).\(parts[1]).\(parts[2])", "algorithm"), ("aaa.bbb.ccc", "no token"),
      (good + "x", "changed"),
    ] {
      let answer = await signIn(bench, token)
      #expect(answer.status == 400, "\(reason)")
      #expect(answer.json["error"] == "invalid request", "\(reason)")
      #expect(answer.json["error_description"] == "Bad ID token", "\(reason)")
    }
    #expect(await signIn(bench, good, nonce: Self.nonce).status == 400)
    let nonced = try provider.token(["nonce": .string(Self.nonceDigest)])
    #expect(await signIn(bench, nonced, nonce: "another").status == 400)
    #expect(await signIn(bench, nonced, nonce: Self.nonceDigest).status == 400)
    #expect(bench.accountCount == 0)
    let unknown = await signIn(bench, good, provider: "facebook")
    #expect(unknown.status == 400 && unknown.code == "validation_failed")
    #expect(await signIn(bench, good).status == 200)
  }

  @Test func `only an address that the provider verified finds its account`()
    async throws
  {
    let (bench, provider) = try await bench()
    let mail = try await bench.signIn(email: "ada@example.com")
    let unverified = try provider.token(["sub": "001.b", "email_verified": false])
    let stranger = try SignedIn(await signIn(bench, unverified))
    #expect(stranger.key != mail.key && stranger.user["email"] == "")
    let verified = try SignedIn(await signIn(bench, try provider.token()))
    #expect(verified.key == mail.key)
    let providers = verified.user["app_metadata"]?["providers"]
    #expect(providers == ["email", "apple"])
  }

  @Test func `a signed-in account links a provider and stays the same account (HH-2)`() async throws
  {
    let (bench, provider) = try await bench()
    let phone = try await bench.signIn(phone: "+15550100001")
    func link(_ token: String, bearer: String?) async -> Answer {
      await bench.post(
        "token?grant_type=id_token",
        ["provider": "apple", "id_token": .string(token), "link_identity": true], bearer: bearer)
    }
    let token = try provider.token()
    #expect(await link(token, bearer: nil).code == "no_authorization")
    #expect(bench.accountCount == 1)
    let linked = try SignedIn(await link(token, bearer: phone.token))
    #expect(linked.key == phone.key && linked.user["email"] == "ada@example.com")
    #expect(linked.user["app_metadata"]?["providers"] == ["phone", "apple"])
    #expect(try SignedIn(await signIn(bench, token)).key == phone.key)
    #expect(try await bench.signIn(email: "ada@example.com").key == phone.key)
    // Linking again changes nothing. Another account can take neither this subject nor the address of the first
    // account.
    #expect(try SignedIn(await link(token, bearer: linked.token)).key == phone.key)
    let other = try await bench.signIn(phone: "+15550100002")
    let taken = await link(token, bearer: other.token)
    #expect(taken.status == 422 && taken.code == "identity_already_exists")
    let second = try provider.token(["sub": "001.b"])
    let without = try SignedIn(await link(second, bearer: other.token))
    #expect(without.key == other.key && without.user["email"] == "")
    #expect(bench.accountCount == 2)
    let ended = await bench.post("logout?scope=global", [:], bearer: other.token)
    #expect(ended.status == 204)
    #expect(await link(try provider.token(["sub": "001.c"]), bearer: other.token).status == 403)
    #expect(bench.accountCount == 2)
  }

  @Test func `a provider's data fill only what the person has not given`()
    async throws
  {
    let (bench, provider) = try await bench()
    _ = try await bench.signIn(email: "ada@example.com", data: ["name": "Ada"])
    let picture = "https://example.com/ada.png"
    let token = try provider.token(["name": "Ada Lovelace", "picture": .string(picture)])
    let metadata = try SignedIn(await signIn(bench, token)).user["user_metadata"]
    #expect(metadata?["name"] == "Ada" && metadata?["full_name"] == "Ada Lovelace")
    #expect(metadata?["picture"]?.text == picture && metadata?["avatar_url"]?.text == picture)
    #expect(metadata?["provider_id"] == "001.a" && metadata?["sub"] == "001.a")
    // It is in every access token, which must not grow without bound.
    let large = String(repeating: "x", count: 4000)
    let bob = try await bench.signIn(email: "bob@example.com", data: ["x": .string(large)])
    let full = try provider.token([
      "sub": "001.b", "email": "bob@example.com", "picture": .string(picture + large.prefix(900)),
    ])
    let unchanged = try SignedIn(await signIn(bench, full))
    #expect(unchanged.key == bob.key && unchanged.user["user_metadata"] == ["x": .string(large)])
  }

  @Test func `keys are fetched again when they are old or lack the token's key`()
    async throws
  {
    let (bench, provider) = try await bench()
    bench.outbound.answer(ProviderBench.appleKeys, try provider.answer(maxAge: 300))
    func token(_ kid: String = "rsa") throws -> String {
      try provider.token(["exp": 1_767_300_000], kid: kid)
    }
    #expect(await signIn(bench, try token()).status == 200)
    #expect(await signIn(bench, try token("new")).status == 400)
    #expect(bench.outbound.sent.count == 1)
    bench.clock.advance(seconds: 61)
    #expect(await signIn(bench, try token()).status == 200)
    #expect(bench.outbound.sent.count == 1)
    bench.outbound.answer(ProviderBench.appleKeys, try provider.answer(["ec", "new"]))
    #expect(await signIn(bench, try token("new")).status == 200)
    #expect(bench.outbound.sent.count == 2)
    bench.clock.advance(seconds: 3601)
    #expect(await signIn(bench, try token("new")).status == 200)
    #expect(bench.outbound.sent.count == 3)
  }

  @Test func `a provider that does not answer is a server error`() async throws {
    let (bench, provider) = try await bench()
    bench.outbound.answer(ProviderBench.appleKeys, WireResponse(.badGateway))
    let answer = await signIn(bench, try provider.token())
    #expect(answer.status == 500 && answer.code == "unexpected_failure")
  }

  @Test func `a browser goes to Google, comes back with a code, and is sent to the app (DM-11)`()
    async throws
  {
    let (bench, provider) = try await bench()
    let challenge = ProofKey.challenge(of: AuthBench.verifier)
    let left = await bench.send(
      .get,
      "authorize?provider=Google&redirect_to=motiv%3A%2F%2Fback&scopes=calendar,tasks"
        + "&prompt=select_account&response_type=token&redirect_uri=https%3A%2F%2Fevil.test"
        + "&code_challenge=\(challenge)&code_challenge_method=s256")
    #expect(left.status == 302)
    #expect(left.location.hasPrefix("https://accounts.google.com/o/oauth2/v2/auth?"))
    #expect(left.sent("client_id", behind: "?") == "web.example")
    #expect(left.sent("redirect_uri", behind: "?") == AuthBench.site + "/auth/v1/callback")
    #expect(left.sent("scope", behind: "?") == "openid email profile calendar tasks")
    #expect(left.sent("prompt", behind: "?") == "select_account")
    #expect(left.sent("response_type", behind: "?") == "code")
    #expect(left.location.matches(of: /redirect_uri=/).count == 1)
    let state = try #require(left.sent("state", behind: "?"))
    let token = try provider.token([
      "iss": "accounts.google.com", "aud": "web.example", "email_verified": true,
      "name": "Ada Lovelace",
    ])
    bench.outbound.answer(
      ProviderBench.googleToken, WireResponse(.ok, ["id_token": .string(token)]))
    let back = await bench.send(.get, "callback?state=\(state)&code=abc")
    #expect(back.status == 302 && back.location.hasPrefix("motiv://back?code="))
    let sent = try #require(bench.outbound.sent.first { $0.url == ProviderBench.googleToken })
    let form = WireQuery(encoded: sent.body)
    #expect(form["code"] == "abc" && form["client_secret"] == "google's secret")
    let verifier = try #require(form["code_verifier"])
    #expect(ProofKey.challenge(of: verifier) == left.sent("code_challenge", behind: "?"))
    let code = try #require(back.sent("code", behind: "?"))
    let signedIn = try SignedIn(
      await bench.post(
        "token?grant_type=pkce",
        ["auth_code": .string(code), "code_verifier": .string(AuthBench.verifier)]))
    #expect(bench.account(signedIn.key)?.displayName == "Ada Lovelace")
    let again = await bench.send(.get, "callback?state=\(state)&code=abc")
    #expect(again.sent("error_code", behind: "?") == "bad_oauth_state")
  }

  @Test func `a browser that Google refuses returns without a session`() async throws {
    let (bench, _) = try await bench()
    for (query, code) in [("error=access_denied", "access_denied"), ("code=x", nil)] {
      let left = await bench.send(.get, "authorize?provider=google&redirect_to=motiv://back")
      let state = try #require(left.sent("state", behind: "?"))
      let back = await bench.send(.get, "callback?state=\(state)&\(query)")
      #expect(back.location.hasPrefix("motiv://back?error="))
      if let code { #expect(back.sent("error_code", behind: "?") == code) }
    }
    let forged = await bench.send(.get, "callback?state=forged&code=x")
    #expect(forged.location.hasPrefix(AuthBench.site + "?error="))
    let apple = await bench.send(.get, "authorize?provider=apple&redirect_to=motiv://back")
    #expect(apple.status == 400 && apple.code == "validation_failed")
    #expect(bench.accountCount == 0)
  }
}

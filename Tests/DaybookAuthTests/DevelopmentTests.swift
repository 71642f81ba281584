import Avro
@testable import DaybookAuth
import HTTPTypes
import Testing
import Values
import Wire

/// What a development server offers, and a production server does not.
@Suite(.tags(.unit)) struct DevelopmentTests {
  @Test func `a production server has no development service`() async throws {
    let bench = try await AuthBench { $0.isDevelopment = false }
    #expect(DevService(bench.service) == nil)
    #expect(bench.service.developmentIssuer == nil)
    let left = await bench.send(.get, "authorize?provider=google&redirect_to=motiv://back")
    #expect(left.status == 400)
  }

  @Test func `the outbox is searched by phone or address in any spelling`()
    async throws
  {
    let bench = try await AuthBench()
    let development = try #require(DevService(bench.service))
    _ = await bench.post("otp", ["phone": "+15552345678"])
    _ = await bench.post("otp", ["email": "Ada@example.com"])
    _ = await bench.post("recover", ["email": "ada@example.com"])
    for to in ["%2B15552345678", "15552345678", "+15552345678"] {
      let answer = Answer(
        await development.answer(
          WireRequest(.get, ["outbox"], query: WireQuery(encoded: "to=\(to)"))))
      #expect(answer.status == 200 && answer.json.elements?.count == 1)
      let message = try #require(answer.json.elements?.first)
      #expect(message["channel"] == "sms" && message["to"] == "+15552345678")
      #expect(message["template"] == "otp" && message["code"]?.text?.utf8.count == 6)
    }
    let answer = Answer(
      await development.answer(
        WireRequest(.get, ["outbox"], query: WireQuery(encoded: "to=ADA%40example.com"))))
    #expect(answer.json.elements?.map { $0["to"] } == ["ada@example.com"])
    let message = try #require(answer.json.elements?.last)
    #expect(message["link"]?.text?.contains("redirect_to=") == true)
    #expect(message["token_hash"]?.text != nil && message["created_at"]?.text != nil)
  }

  @Test func `id tokens of the development service are accepted, with their nonces (DM-11)`()
    async throws
  {
    let bench = try await AuthBench()
    let development = try #require(DevService(bench.service))
    let body: JSON = [
      "provider": "apple", "sub": "001.dev", "email": "ada@example.com",
      "nonce_sha256": .string(ProviderTests.nonceDigest),
    ]
    let made = Answer(
      await development.answer(
        WireRequest(.post, ["id_token"], body: Array(body.encoded.utf8))))
    let token = try #require(made.json["id_token"])
    let signedIn = try SignedIn(
      await bench.post(
        "token?grant_type=id_token",
        ["provider": "apple", "id_token": token, "nonce": .string(ProviderTests.nonce)]))
    #expect(signedIn.user["email"] == "ada@example.com")
    let other = await bench.post(
      "token?grant_type=id_token",
      ["provider": "google", "id_token": token, "nonce": .string(ProviderTests.nonce)])
    #expect(other.status == 400)
  }

  @Test func `a browser goes from authorize to the app (DM-11)`() async throws {
    let bench = try await AuthBench()
    let development = try #require(DevService(bench.service))
    let challenge = ProofKey.challenge(of: AuthBench.verifier)
    let left = await bench.send(
      .get,
      "authorize?provider=google&redirect_to=com.x%3A%2F%2Fy&code_challenge=\(challenge)"
        + "&code_challenge_method=s256")
    #expect(left.location.hasPrefix(AuthBench.site + "/dev/authorize?"))
    let query = try #require(left.location.split(separator: "?").last)
    let page = Answer(
      await development.answer(
        WireRequest(.get, ["authorize"], query: WireQuery(encoded: query))))
    let start = AuthBench.site + "/auth/v1/"
    #expect(page.status == 302 && page.location.hasPrefix(start + "callback?"))
    let back = await bench.send(.get, String(page.location.dropFirst(start.count)))
    #expect(back.location.hasPrefix(AuthBench.site + "?code="))
    let code = try #require(back.sent("code", behind: "?"))
    let signedIn = try SignedIn(
      await bench.post(
        "token?grant_type=pkce",
        ["auth_code": .string(code), "code_verifier": .string(AuthBench.verifier)]))
    #expect(signedIn.user["app_metadata"]?["provider"] == "google")
  }
}

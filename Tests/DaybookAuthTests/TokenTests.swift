import Avro
import Calendar
import Crypto
import Daybook
@testable import DaybookAuth
import DaybookStore
import HTTPTypes
import Wire
import Testing
import Values

/// Access tokens, and the keys that sign them.
@Suite(.tags(.unit)) struct TokenTests {
  @Test func `a valid token states its account, session and expiry`() async throws {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com")
    let claims = try bench.service.claims(of: signedIn.token)
    #expect(claims.account == signedIn.key)
    #expect(claims.session.description == signedIn.claims["session_id"]?.text)
    #expect(claims.expires == bench.clock.now.advanced(byMilliseconds: 3_600_000))
    #expect(try bench.service.claims(of: signedIn.token) == claims)
  }

  @Test func `each fault of a token has its own error`() async throws {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com")
    let parts = signedIn.token.split(separator: ".").map(String.init)
    func error(_ token: String) -> TokenError? {
      do throws(TokenError) { _ = try bench.service.claims(of: token) } catch { return error }
      return nil
    }
    func encoded(_ json: JSON) -> String { Base64URL.encoded(json.encoded.utf8) }
    let kid = try #require(signedIn.header["kid"])

    for token in [
      "", "a", "aaa.bbb.ccc", "..", "\(parts[0]).\(parts[1])", signedIn.token + ".",
      signedIn.token + "=", "[].\(parts[1]).\(parts[2])", String(repeating: "a", count: 20_000),
      String(repeating: ".", count: 5000), "\(encoded([:])).\(parts[1]).\(parts[2])",
    ] {
      #expect(error(token) == .malformed, "\(token.prefix(40))")
    }
    for name in ["none", "None", "NONE"] {
      let header: JSON = ["alg": .string(name), "kid": kid, "typ": "JWT"]
      #expect(error("\(encoded(header)).\(parts[1]).") == .unsigned)
    }
    for name in ["HS256", "RS256", "ES384", "es256", ""] {
      let header: JSON = ["alg": .string(name), "kid": kid, "typ": "JWT"]
      #expect(error("\(encoded(header)).\(parts[1]).\(parts[2])") == .wrongAlgorithm)
    }
    let stranger = P256.Signing.PrivateKey()
    let payload = signedIn.claims
    #expect(
      try error(CompactToken.signed(payload, by: stranger, named: "stranger")) == .unknownKey)
    #expect(
      try error(CompactToken.signed(payload, by: stranger, named: kid.text ?? ""))
        == .badSignature)
    var members = payload.members ?? []
    members.removeAll { $0.name == "sub" }
    members.append(.init("sub", .string(Key().description)))
    #expect(error("\(parts[0]).\(encoded(.object(members))).\(parts[2])") == .badSignature)
    #expect(error("\(parts[0]).\(parts[1]).") == .badSignature)

    let own = try #require(bench.service.keys.newest)
    func signed(_ change: (inout [JSON.Member]) -> Void) throws -> String {
      var members = payload.members ?? []
      change(&members)
      return try CompactToken.signed(.object(members), by: own.privateKey, named: own.kid)
    }
    for name in ["sub", "session_id", "exp", "aud", "iss"] {
      #expect(try error(signed { $0.removeAll { $0.name == name } }) == .malformed)
      #expect(
        try error(
          signed {
            $0.removeAll { $0.name == name }
            $0.append(.init(name, "x"))
          }) == .malformed)
    }
    #expect(
      try error(
        signed {
          $0.removeAll { $0.name == "session_id" }
          $0.append(.init("session_id", .string(Key().description)))
        }) == .endedSession)
    #expect(error(signedIn.token) == nil)
    bench.clock.advance(seconds: 3600)
    #expect(error(signedIn.token) == .expired)
  }

  @Test func `an erased account's tokens are refused (ES-6)`() async throws {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com")
    _ = try bench.service.claims(of: signedIn.token)
    let number = try #require(bench.book.read { $0.accounts.number(of: signedIn.key) })
    try bench.book.erase(number)
    try await bench.service.forget(account: signedIn.key)
    #expect(throws: TokenError.erasedAccount) { try bench.service.claims(of: signedIn.token) }
    let user = await bench.send(.get, "user", bearer: signedIn.token)
    #expect(user.status == 403 && user.code == "user_not_found")
    #expect(await bench.refresh(signedIn.refreshToken).code == "refresh_token_not_found")
    #expect(try await bench.signIn(email: "ada@example.com").key != signedIn.key)
  }

  @Test func `signing keys rotate, and an old key stays until its tokens expire`()
    async throws
  {
    let bench = try await AuthBench { $0.signingKeyDays = 1 }
    func kids() async -> [String] {
      let keys = await bench.send(.get, ".well-known/jwks.json").json["keys"]?.elements ?? []
      return keys.compactMap { $0["kid"]?.text }
    }
    bench.clock.advance(seconds: 86_300)
    let first = try await bench.signIn(email: "ada@example.com")
    bench.clock.advance(seconds: 100)
    let second = try await bench.signIn(email: "ada@example.com")
    let (old, new) = (first.header["kid"]?.text, second.header["kid"]?.text)
    #expect(old != new)
    #expect(await kids() == [old, new])
    #expect(throws: Never.self) { try bench.service.claims(of: first.token) }
    bench.clock.advance(seconds: 3400)
    try await bench.service.sweep()
    #expect(await kids() == [old, new])
    #expect(throws: Never.self) { try bench.service.claims(of: first.token) }
    bench.clock.advance(seconds: 300)
    try await bench.service.sweep()
    #expect(await kids() == [new])
    #expect(throws: TokenError.unknownKey) { try bench.service.claims(of: first.token) }
  }

  @Test func `a token survives a restart`() async throws {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com")
    let again = try await AuthBench(on: bench.book, bench.database, clock: bench.clock)
    #expect(try again.service.claims(of: signedIn.token).account == signedIn.key)
    #expect(again.service.people.email(of: signedIn.key) == "ada@example.com")
    #expect(try SignedIn(await again.refresh(signedIn.refreshToken)).key == signedIn.key)
  }

  @Test(arguments: 0..<70) func `base64url encodes bytes to one text, and decodes only that text`(
    _ count: Int
  ) {
    let bytes = Secret.bytes(count)
    let text = Base64URL.encoded(bytes)
    #expect(Base64URL.decoded(text) == bytes)
    #expect(Base64URL.decoded(text + "=") == nil)
    if count % 3 == 1 { #expect(Base64URL.decoded(text.dropLast() + "B") == nil) }
  }
}

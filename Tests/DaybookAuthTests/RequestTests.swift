import Avro
@testable import DaybookAuth
import HTTPTypes
import Testing
import Wire

/// Malformed requests, and the form of refusals.
@Suite(.tags(.unit)) struct RequestTests {
  static let targets: [(HTTPRequest.Method, String)] = [
    (.post, "otp"), (.post, "verify"), (.post, "signup"), (.post, "recover"), (.post, "resend"),
    (.post, "token?grant_type=password"), (.post, "token?grant_type=refresh_token"),
    (.post, "token?grant_type=pkce"), (.post, "token?grant_type=id_token"),
  ]

  @Test func `a body that is not a JSON object is refused`() async throws {
    let bench = try await AuthBench()
    for (method, target) in Self.targets {
      for text in ["", "x", "[]", "1", "null", "{", "{\"a\":1}{}", "\u{0}", "{\"a\":1,\"a\":2}"] {
        let answer = await bench.send(method, target, bytes: Array(text.utf8))
        #expect(answer.status == 400 && answer.code == "bad_json", "\(target) \(text)")
      }
      let bytes = [UInt8](repeating: 0xFF, count: 40)
      #expect(await bench.send(method, target, bytes: bytes).code == "bad_json")
      let deep = String(repeating: "[", count: 10_000)
      #expect(await bench.send(method, target, bytes: Array(deep.utf8)).code == "bad_json")
    }
  }

  @Test func `fields of the wrong type are refused without a trap`() async throws {
    let bench = try await AuthBench()
    let names = [
      "email", "phone", "password", "token", "token_hash", "type", "data", "create_user",
      "refresh_token", "auth_code", "code_verifier", "provider", "id_token", "nonce",
      "code_challenge", "code_challenge_method",
    ]
    let odd: [JSON] = [
      1, true, [], [1], [:], ["x": 1], .number("1e999"), "", "\u{0}", .null,
      .string(String(repeating: "x", count: 20_000)), "🐝",
    ]
    for (method, target) in Self.targets {
      for name in names {
        for value in odd {
          let body: JSON = .object([.init(name, value)])
          let answer = await bench.send(method, target, body)
          #expect((400..<500).contains(answer.status), "\(target) \(name) \(value.kind)")
          #expect(answer.code != nil || answer.json["error"] != nil)
        }
      }
    }
    let signedIn = try await bench.signIn(email: "ada@example.com")
    for name in names {
      for value in odd {
        let body: JSON = .object([.init(name, value)])
        let answer = await bench.send(.put, "user", body, bearer: signedIn.token)
        #expect(answer.status < 500, "\(name) \(value.kind)")
      }
    }
  }

  @Test func `a body over the limit is refused before it is read`() async throws {
    let bench = try await AuthBench()
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(await bench.send(.post, "otp", bytes: bytes).status == 413)
  }

  @Test(
    arguments: [
      ["phone": "not-a-phone"], ["phone": "+1"], ["phone": "+0123456789"],
      ["phone": "＋15552345678x"],
      ["email": "not-an-address"], ["email": "a@b"], ["email": "a b@example.com"],
      ["email": "a@example.com", "phone": "+15552345678"], [:],
      ["email": "a@example.com", "code_challenge": "short", "code_challenge_method": "s256"],
      ["email": "a@example.com", "code_challenge_method": "s256"],
      ["email": "a@example.com", "code_challenge": "x", "code_challenge_method": "md5"],
    ] as [JSON])
  func `a malformed value is refused as a validation error (HH-2)`(_ body: JSON) async throws {
    let bench = try await AuthBench()
    let answer = await bench.post("otp", body)
    #expect(answer.status == 400 && answer.code == "validation_failed")
  }

  @Test func `refusals have the form that the client library reads`() async throws {
    let bench = try await AuthBench()
    let body: JSON = ["email": "a@example.com", "password": "abc"]
    let new = await bench.send(.post, "signup", body)
    #expect(new.json.members?.map(\.name) == ["code", "message", "weak_password"])
    let name = try #require(AuthFailure.versionHeader)
    #expect(new.response.headers[name] == "2024-01-01")
    // A version older than the first, or not a date, selects the oldest form.
    for version in [nil, "", "2023-12-31", "2024-1-1", "2024-02-30", "x", "9"] as [String?] {
      let old = await bench.send(.post, "signup", body, version: version)
      #expect(old.json["code"] == 422 && old.json["error_code"] == "weak_password")
      #expect(old.json["msg"]?.text?.isEmpty == false && old.json["message"] == nil)
      #expect(old.response.headers[name] == nil, "\(version ?? "-")")
    }
    let later = await bench.send(.post, "signup", body, version: "2026-07-01")
    #expect(later.json == new.json && later.response.headers[name] == "2024-01-01")
    let good = await bench.send(.get, "health")
    #expect(good.status == 200 && good.response.headers[name] == "2024-01-01")
  }

  @Test func `a refusal repeats nothing of the request`() async throws {
    let bench = try await AuthBench()
    for (method, target) in Self.targets {
      let body: JSON = [
        "email": "secret.person@example", "phone": "secret", "password": "secret",
        "token": "secret", "type": "secret", "refresh_token": "secret", "auth_code": "secret",
        "code_verifier": "secret", "provider": "secret", "id_token": "secret",
      ]
      #expect(!(await bench.send(method, target, body).json.encoded).contains("secret"))
    }
  }

  @Test func `an unknown route is not found, and a wrong method or grant is refused`()
    async throws
  {
    let bench = try await AuthBench()
    #expect(await bench.send(.get, "factors").status == 404)
    #expect(await bench.send(.get, "").status == 404)
    #expect(await bench.send(.delete, "user").status == 405)
    #expect(await bench.send(.get, "token").status == 405)
    let grant = await bench.post("token?grant_type=implicit", [:])
    #expect(grant.status == 400 && grant.code == "validation_failed")
  }
}

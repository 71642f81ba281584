import Avro
@testable import DaybookAuth
import HTTPTypes
import Wire
import Testing

/// How often what may be asked of a server for people.
@Suite(.tags(.unit)) struct LimitTests {
  private func bench(_ change: (inout AuthLimits) -> Void = { _ in }) async throws -> AuthBench {
    try await AuthBench { settings in
      settings.isDevelopment = false
      settings.limits = AuthLimits()
      change(&settings.limits)
    }
  }

  @Test func `a request that comes again at once sends nothing, and a later one must wait`()
    async throws
  {
    let bench = try await bench()
    let body: JSON = ["phone": "+15552345678"]
    #expect(await bench.post("otp", body).status == 200)
    #expect(await bench.post("otp", body).status == 200)
    #expect(try await bench.database.messages(to: "+15552345678").count == 1)
    bench.clock.advance(seconds: 20)
    let early = await bench.post("otp", body)
    #expect(early.status == 429 && early.code == "over_sms_send_rate_limit")
    bench.clock.advance(seconds: 60)
    #expect(await bench.post("otp", body).status == 200)
    #expect(try await bench.database.messages(to: "+15552345678").count == 2)
  }

  @Test func `a target is sent so many messages in an hour, known or not`() async throws {
    let bench = try await bench {
      $0.messagesPerTarget = 2
      $0.secondsBetweenMessages = 0
    }
    for path in ["otp", "recover"] {
      let body: JSON = ["email": .string("\(path)@example.com")]
      #expect(await bench.post(path, body).status == 200)
      #expect(await bench.post(path, body).status == 200)
      let over = await bench.post(path, body)
      #expect(over.status == 429 && over.code == "over_email_send_rate_limit")
      bench.clock.advance(seconds: 3601)
      #expect(await bench.post(path, body).status == 200)
    }
  }

  @Test func `one network address may have so many messages sent, to whomever`() async throws {
    let bench = try await bench { $0.messagesPerAddress = 3 }
    for number in 0..<5 {
      let answer = await bench.post(
        "otp", ["phone": .string("+1555234567\(number)")], address: "192.0.2.1")
      #expect(answer.status == (number < 3 ? 200 : 429))
    }
    let other = await bench.post("otp", ["phone": "+15552345678"], address: "192.0.2.2")
    #expect(other.status == 200)
  }

  @Test func `guesses are counted by target and by network address`() async throws {
    let bench = try await bench {
      $0.guessesPerTarget = 3
      $0.guessesPerAddress = 5
    }
    func guess(_ email: String, from address: String) async -> String? {
      await bench.post(
        "token?grant_type=password", ["email": .string(email), "password": "Wrong-Horse-9"],
        address: address
      ).code
    }
    for _ in 0..<3 {
      #expect(await guess("a@example.com", from: "192.0.2.1") == "invalid_credentials")
    }
    #expect(await guess("a@example.com", from: "192.0.2.2") == "over_request_rate_limit")
    #expect(await guess("b@example.com", from: "192.0.2.1") == "invalid_credentials")
    #expect(await guess("c@example.com", from: "192.0.2.1") == "invalid_credentials")
    #expect(await guess("d@example.com", from: "192.0.2.1") == "over_request_rate_limit")
    bench.clock.advance(seconds: 901)
    #expect(await guess("a@example.com", from: "192.0.2.1") == "invalid_credentials")
  }

  @Test func `codes are guessed at no more often than passwords`() async throws {
    let bench = try await bench { $0.guessesPerTarget = 2 }
    for place in 0..<3 {
      let answer = await bench.post(
        "verify", ["type": "sms", "phone": "+15552345678", "token": "000000"])
      #expect(answer.code == (place < 2 ? "otp_expired" : "over_request_rate_limit"))
    }
  }

  @Test func `development has no limits but that of a code`() async throws {
    let bench = try await AuthBench()
    for _ in 0..<40 { #expect(await bench.post("otp", ["phone": "+15552345678"]).status == 200) }
    #expect(try await bench.database.messages(to: "+15552345678").count == 40)
  }
}

import Avro
import Calendar
@testable import DaybookAuth
import GRDB
import HTTPTypes
import Wire
import Testing

/// Rate limits of a production server.
@Suite(.tags(.unit)) struct LimitTests {
  private func bench(_ change: (inout AuthLimits) -> Void = { _ in }) async throws -> AuthBench {
    try await AuthBench { settings in
      settings.isDevelopment = false
      settings.limits = AuthLimits()
      change(&settings.limits)
    }
  }

  @Test func `an immediate repeat sends nothing, and a later one must wait`()
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

  @Test func `limits recorded while the clock was ahead end when it is corrected`() async throws {
    let (database, clock) = (try ServerDatabase(), TestClock())
    clock.advance(seconds: 365 * 86_400)
    let people: (inout AuthSettings) -> Void = {
      $0.isDevelopment = false
      $0.limits = AuthLimits()
    }
    let ahead = try await AuthBench(on: nil, database, clock: clock, people)
    let body: JSON = ["phone": "+15552345678"]
    #expect(await ahead.post("otp", body).status == 200)
    let code = try await ahead.code(to: "+15552345678")
    // The machine's clock is right again, and the server restarts.
    let bench = try await AuthBench(on: nil, database, people)
    let due = try await database.read {
      try Int64.fetchOne($0, sql: "SELECT max(due_at) FROM outbox") ?? 0
    }
    #expect(due <= bench.clock.now.milliseconds)
    let old = await bench.post(
      "verify", ["type": "sms", "phone": "+15552345678", "token": .string(code)])
    #expect(old.code == "otp_expired")
    #expect(await bench.post("otp", body).status == 200)
    #expect(try await database.messages(to: "+15552345678").count == 2)
    for (mark, isKept) in [("a", true), ("a", true), ("b", false)] {
      #expect(try await database.keeps(mark, as: "mark") == isKept)
    }
  }

  @Test func `a refused request is refused again on an immediate repeat`() async throws {
    let bench = try await bench()
    let unknown: JSON = ["email": "nobody@example.com", "create_user": false]
    for _ in 0..<3 { #expect(await bench.post("otp", unknown).code == "otp_disabled") }
    let body: JSON = ["phone": "+15552345678"]
    #expect(await bench.post("otp", body).status == 200)
    bench.clock.advance(seconds: 20)
    for _ in 0..<3 { #expect(await bench.post("otp", body).code == "over_sms_send_rate_limit") }
    #expect(try await bench.database.messages(to: "+15552345678").count == 1)
  }

  @Test(arguments: ["otp", "signup"])
  func `a message that could not be sent may be requested again at once`(_ path: String)
    async throws
  {
    let bench = try await bench()
    let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-9"]
    try await bench.database.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END
          """)
    }
    #expect(await bench.post(path, body).status == 500)
    try await bench.database.write { try $0.execute(sql: "DROP TRIGGER full") }
    #expect(await bench.post(path, body).status == 200)
    #expect(await bench.post(path, body).status == 200)
    #expect(try await bench.database.messages(to: "ada@example.com").count == 1)
  }

  @Test(arguments: ["otp", "signup"])
  func `simultaneous requests send one message`(_ path: String) async throws {
    let bench = try await bench()
    let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-9"]
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { await bench.post(path, body).status } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(statuses == [200])
    #expect(try await bench.database.messages(to: "ada@example.com").count == 1)
  }

  @Test func `rate limits do not reveal who has an account`() async throws {
    let bench = try await bench { $0.messagesPerTarget = 5 }
    _ = try await bench.signUp("ada@example.com")
    bench.clock.advance(seconds: 3601)
    for path in ["recover", "signup", "resend"] {
      var statuses: [[Int]] = []
      for email in ["ada@example.com", "nobody-\(path)@example.com"] {
        let body: JSON = [
          "email": .string(email), "password": "Correct-Horse-9", "type": "signup",
        ]
        var found: [Int] = []
        for seconds in [0, 20, 60] {
          bench.clock.advance(seconds: seconds)
          for _ in 0..<2 { found.append(await bench.post(path, body).status) }
        }
        statuses.append(found)
        bench.clock.advance(seconds: 3601)
      }
      #expect(statuses == Array(repeating: [200, 200, 429, 429, 200, 200], count: 2))
    }
  }

  @Test func `a target receives a limited number of messages an hour, known or not`() async throws {
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

  @Test func `one network address may cause a limited number of messages`() async throws {
    let bench = try await bench { $0.messagesPerAddress = 3 }
    for number in 0..<5 {
      let answer = await bench.post(
        "otp", ["phone": .string("+1555234567\(number)")], address: "192.0.2.1")
      #expect(answer.status == (number < 3 ? 200 : 429))
    }
    let other = await bench.post("otp", ["phone": "+15552345678"], address: "192.0.2.2")
    #expect(other.status == 200)
  }

  @Test func `guesses are limited by target and by network address`() async throws {
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

  @Test(arguments: [
    [
      "2001:db8:1:2::1", "2001:DB8:1:2:ffff:0:0:2", "2001:0db8:0001:0002::192.0.2.1",
      "2001:db8:1:2::5%eth0",
    ],
    [
      "192.0.2.1", "::ffff:192.0.2.1", "0:0:0:0:0:FFFF:c000:201", "192.0.2.1:80", "192.0.2.1:81",
      "[::ffff:192.0.2.1]:80",
    ],
    ["2001:db8:1:2::1", "[2001:db8:1:2::1]", "[2001:db8:1:2::9]:1000"], ["::1", "::2"],
    // Invalid addresses are counted with unknown ones.
    [
      nil, nil, "", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "g::", "::12345",
      "::ffff:192.0.2.300", "192.0.2.256", "[", "unknown",
    ],
  ])
  func `all addresses of one network share its limit`(_ addresses: [String?]) async throws {
    let bench = try await bench {
      $0.guessesPerAddress = 1
      $0.messagesPerAddress = 1
    }
    for (place, address) in addresses.enumerated() {
      let guessed = await bench.post(
        "verify", ["type": "sms", "phone": .string("+155523456\(10 + place)"), "token": "000000"],
        address: address)
      #expect(guessed.status == (place == 0 ? 403 : 429))
      let asked = await bench.post(
        "otp", ["phone": .string("+155523456\(10 + place)")], address: address)
      #expect(asked.status == (place == 0 ? 200 : 429))
    }
  }

  @Test func `different networks are counted separately`() async throws {
    let bench = try await bench { $0.guessesPerAddress = 1 }
    for address in [
      "2001:db8:1:2::1", "2001:db8:1:3::1", "::1", "192.0.2.1", "192.0.2.2", "::ffff:192.0.2.3",
      "fe80::1%eth0", nil,
    ] {
      let guessed = await bench.post(
        "token?grant_type=password", ["email": "a@example.com", "password": "Wrong-Horse-9"],
        address: address)
      #expect(guessed.code == "invalid_credentials", "\(address ?? "none")")
    }
  }

  @Test func `one network address may start a limited number of provider sign-ins`() async throws {
    let bench = try await AuthBench {
      $0.limits = AuthLimits()
      $0.limits.guessesPerAddress = 2
    }
    func setOut(from address: String) async -> Int {
      let target = "authorize?provider=google&redirect_to=motiv://back"
      return await bench.send(.get, target, address: address).status
    }
    for place in 0..<4 { #expect(await setOut(from: "192.0.2.1") == (place < 2 ? 302 : 429)) }
    #expect(await setOut(from: "192.0.2.2") == 302)
    let count = try await bench.database.read { database in
      try Int.fetchOne(database, sql: "SELECT count(*) FROM authorization_states")
    }
    #expect(count == 3)
  }

  @Test func `guesses at codes are limited like guesses at passwords`() async throws {
    let bench = try await bench { $0.guessesPerTarget = 2 }
    for place in 0..<3 {
      let answer = await bench.post(
        "verify", ["type": "sms", "phone": "+15552345678", "token": "000000"])
      #expect(answer.code == (place < 2 ? "otp_expired" : "over_request_rate_limit"))
    }
  }

  @Test func `development limits only the guesses at a code`() async throws {
    let bench = try await AuthBench()
    for _ in 0..<40 { #expect(await bench.post("otp", ["phone": "+15552345678"]).status == 200) }
    #expect(try await bench.database.messages(to: "+15552345678").count == 40)
  }
}

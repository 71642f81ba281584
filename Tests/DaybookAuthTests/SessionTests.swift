import Avro
import Daybook
@testable import DaybookAuth
import DaybookStore
import GRDB
import HTTPTypes
import Wire
import Testing
import Values

/// Sessions: how they continue, and end.
@Suite(.tags(.unit)) struct SessionTests {
  @Test func `each refresh token is used once and replaced by another (MC-2)`() async throws {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "ada@example.com")
    bench.clock.advance(seconds: 60)
    let second = try SignedIn(await bench.refresh(first.refreshToken))
    #expect(second.refreshToken != first.refreshToken && second.key == first.key)
    #expect(second.claims["session_id"] == first.claims["session_id"])
    #expect(second.claims["amr"]?.elements?.first?["method"] == "token_refresh")
    #expect(try SignedIn(await bench.refresh(second.refreshToken)).key == first.key)
  }

  @Test func `a used token returns its successor for ten seconds`()
    async throws
  {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "ada@example.com")
    let second = try SignedIn(await bench.refresh(first.refreshToken))
    bench.clock.advance(seconds: 10)
    let repeated = try SignedIn(await bench.refresh(first.refreshToken))
    #expect(repeated.refreshToken == second.refreshToken)
    #expect(await bench.refresh(repeated.refreshToken).status == 200)
  }

  @Test func `a used token ends its session after ten seconds`() async throws {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "ada@example.com")
    let second = try SignedIn(await bench.refresh(first.refreshToken))
    bench.clock.advance(seconds: 11)
    let theft = await bench.refresh(first.refreshToken)
    #expect(theft.status == 400 && theft.code == "refresh_token_already_used")
    let after = await bench.refresh(second.refreshToken)
    #expect(after.status == 400 && after.code == "refresh_token_not_found")
    #expect(throws: TokenError.endedSession) { try bench.service.claims(of: second.token) }
  }

  @Test func `simultaneous refreshes get the same successor`() async throws {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "ada@example.com")
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { try SignedIn(await bench.refresh(first.refreshToken)).refreshToken }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
  }

  @Test func `refresh tokens are stored only as hashes`() async throws {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "ada@example.com")
    let second = try SignedIn(await bench.refresh(first.refreshToken))
    let kept = try await bench.database.read { database in
      try String.fetchAll(
        database, sql: "SELECT hash || coalesce(successor, '') FROM refresh_tokens")
    }
    for token in [first.refreshToken, second.refreshToken] {
      #expect(!kept.contains { $0.contains(token) })
    }
    bench.clock.advance(seconds: 60)
    try await bench.service.sweep()
    let sealed = try await bench.database.read { database in
      try Int.fetchOne(database, sql: "SELECT count(successor) FROM refresh_tokens")
    }
    #expect(sealed == 0)
  }

  @Test func `an unknown refresh token is not found`() async throws {
    let bench = try await AuthBench()
    for body in [["refresh_token": "never-issued"], ["refresh_token": ""]] as [JSON] {
      let answer = await bench.post("token?grant_type=refresh_token", body)
      #expect(answer.status == 400 && answer.code == "refresh_token_not_found")
    }
    // A missing token is the client's mistake: the session continues.
    let missing = await bench.post("token?grant_type=refresh_token", [:])
    #expect(missing.status == 400 && missing.code == "validation_failed")
  }

  @Test(arguments: ["global", "local", "others", ""])
  func `signing out ends the sessions of its scope (MC-2)`(_ scope: String) async throws {
    let bench = try await AuthBench()
    let mine = try await bench.signIn(email: "ada@example.com")
    let other = try await bench.signIn(email: "ada@example.com")
    let target = scope.isEmpty ? "logout" : "logout?scope=\(scope)"
    let answer = await bench.send(.post, target, bearer: mine.token)
    #expect(answer.status == 204 && answer.response.body.isEmpty)
    let isMineOver = scope != "others"
    let isOtherOver = scope != "local"
    for (session, isOver) in [(mine, isMineOver), (other, isOtherOver)] {
      let user = await bench.send(.get, "user", bearer: session.token)
      #expect(user.status == (isOver ? 403 : 200))
      if isOver { #expect(user.code == "session_not_found") }
      #expect(await bench.refresh(session.refreshToken).status == (isOver ? 400 : 200))
    }
    if isMineOver {
      #expect(await bench.send(.post, target, bearer: mine.token).status == 204)
    }
  }

  @Test func `a session ended right after it began stays ended (MC-2)`()
    async throws
  {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "ada@example.com")
    let (writer, live) = (bench.database.writer, bench.service.live)
    let (found, continuation) = AsyncStream.makeStream(of: Bool.self)
    let began = DatabaseFunction("began", argumentCount: 1) { values in
      guard let session = values.first.flatMap(String.fromDatabaseValue).flatMap({ Key($0) })
      else { return nil }
      // The end of the session waits behind the transaction in which it starts.
      writer.asyncWriteWithoutTransaction { database in
        continuation.yield(live.isLive(session, of: first.key))
        live.end((try? Session.end(.all, of: first.key, in: database)) ?? [])
      }
      return nil
    }
    try await bench.database.write { database in
      database.add(function: began)
      try database.execute(
        sql: """
          CREATE TEMP TRIGGER began AFTER INSERT ON main.sessions
          BEGIN SELECT began(new.id); END
          """)
    }
    let second = try await bench.signIn(email: "ada@example.com")
    #expect(await found.first { _ in true } == true)
    for session in [first, second] {
      #expect(throws: TokenError.endedSession) { try bench.service.claims(of: session.token) }
    }
  }

  @Test func `a request for the user without a valid token is refused with the reason`()
    async throws
  {
    let bench = try await AuthBench { $0.anonymousKey = "sb_publishable_tests" }
    for (bearer, status, code) in [
      (nil, 401, "no_authorization"), ("sb_publishable_tests", 401, "no_authorization"),
      ("aaa.bbb.ccc", 403, "bad_jwt"), ("", 401, "no_authorization"),
    ] {
      for (method, path) in [
        (HTTPRequest.Method.get, "user"), (.put, "user"), (.post, "logout"),
      ] {
        let answer = await bench.send(method, path, [:], bearer: bearer)
        #expect(answer.status == status && answer.code == code, "\(method) \(path)")
      }
    }
    let signedIn = try await bench.signIn(email: "ada@example.com")
    bench.clock.advance(seconds: 3600)
    let late = await bench.send(.get, "user", bearer: signedIn.token)
    #expect(late.status == 403 && late.code == "bad_jwt")
  }

  @Test func `metadata is merged by name, and null removes a name`() async throws {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "a@example.com", data: ["name": "Bee", "x": 1])
    let changed = await bench.send(
      .put, "user", ["data": ["display_name": "Queen", "n": 1, "x": .null]],
      bearer: signedIn.token)
    #expect(changed.status == 200)
    let wanted: JSON = ["name": "Bee", "display_name": "Queen", "n": 1]
    #expect(changed.json["user_metadata"] == wanted)
    let read = await bench.send(.get, "user", bearer: signedIn.token)
    #expect(read.json["user_metadata"] == wanted)
    let large = JSON.string(String(repeating: "x", count: 3000))
    _ = await bench.send(.put, "user", ["data": ["a": large]], bearer: signedIn.token)
    let tooLarge = await bench.send(.put, "user", ["data": ["b": large]], bearer: signedIn.token)
    #expect(tooLarge.status == 400 && tooLarge.code == "validation_failed")
  }

  @Test func `a phone is linked once it is proven, and the account stays the same (HH-2)`()
    async throws
  {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com")
    let asked = await bench.send(
      .put, "user", ["phone": "+15552345678"], bearer: signedIn.token)
    #expect(asked.status == 200 && asked.json["phone"] == "")
    let message = try await bench.message(to: "+15552345678")
    #expect(message.template == "phone_change")
    let code = try #require(message.payload["code"])
    let early = await bench.post(
      "verify", ["type": "sms", "phone": "+15552345678", "token": code])
    #expect(early.code == "otp_expired")
    let linked = try SignedIn(
      await bench.post(
        "verify", ["type": "phone_change", "phone": "+15552345678", "token": code]))
    #expect(linked.key == signedIn.key && linked.user["phone"] == "15552345678")
    #expect(try await bench.signIn(phone: "+15552345678").key == signedIn.key)
    #expect(bench.account(signedIn.key)?.identities.count == 2)

    let other = try await bench.signIn(email: "ben@example.com")
    let taken = await bench.send(.put, "user", ["phone": "+15552345678"], bearer: other.token)
    #expect(taken.status == 422 && taken.code == "phone_exists")
    let mail = await bench.send(.put, "user", ["email": "ada@example.com"], bearer: other.token)
    #expect(mail.status == 422 && mail.code == "email_exists")
  }

  @Test func `a requested address is shown until it is proven, and can be sent to again`()
    async throws
  {
    let bench = try await AuthBench()
    let ada = try await bench.signIn(email: "ada@example.com")
    let asked = await bench.send(
      .put, "user", ["email": "lady@example.com", "phone": "+15552345678"], bearer: ada.token)
    #expect(
      asked.json["email"] == "ada@example.com" && asked.json["new_email"] == "lady@example.com")
    #expect(asked.json["new_phone"] == "15552345678" && asked.json["phone"] == "")
    #expect(asked.json["email_change_sent_at"]?.text == "2026-01-01T00:00:00Z")
    #expect(asked.json["phone_change_sent_at"] != nil)
    // Clients name their present address or the requested one.
    for address in ["ada@example.com", "lady@example.com"] {
      let former = try await bench.message(to: "lady@example.com").id
      let sent = await bench.post("resend", ["type": "email_change", "email": .string(address)])
      #expect(sent.status == 200 && sent.json == [:])
      #expect(try await bench.message(to: "lady@example.com").id != former, "\(address)")
    }
    #expect(try await bench.database.messages(to: "ada@example.com").count == 1)
    let code = try await bench.code(to: "lady@example.com")
    let changed = try SignedIn(
      await bench.post(
        "verify", ["type": "email_change", "email": "lady@example.com", "token": .string(code)]))
    #expect(changed.user["email"] == "lady@example.com" && changed.user["new_email"] == nil)
    #expect(changed.user["new_phone"] == "15552345678")
    // Another request replaces the first, whose code is void; an expired one is no longer shown.
    let old = try await bench.code(to: "+15552345678")
    let other = await bench.send(.put, "user", ["phone": "+15553456789"], bearer: ada.token)
    #expect(other.json["new_phone"] == "15553456789")
    let void = await bench.post(
      "verify", ["type": "phone_change", "phone": "+15552345678", "token": .string(old)])
    #expect(void.code == "otp_expired")
    bench.clock.advance(seconds: bench.service.settings.codeSeconds + 1)
    let later = await bench.send(.get, "user", bearer: ada.token)
    #expect(later.status == 200 && later.json["new_phone"] == nil)
    let none = await bench.post("resend", ["type": "email_change", "email": "lady@example.com"])
    #expect(none.status == 200)
    #expect(try await bench.database.messages(to: "lady@example.com").count == 3)
  }

  @Test func `a resend for a signed-in account does not reveal the rate limit`() async throws {
    let bench = try await AuthBench {
      $0.isDevelopment = false
      $0.limits.secondsBetweenMessages = 60
    }
    let ada = try await bench.signIn(email: "ada@example.com")
    bench.clock.advance(seconds: 61)
    _ = await bench.send(.put, "user", ["email": "lady@example.com"], bearer: ada.token)
    let named: JSON = ["type": "email_change", "email": "ada@example.com"]
    #expect(await bench.post("resend", named).status == 200)
    #expect(try await bench.database.messages(to: "lady@example.com").count == 1)
    bench.clock.advance(seconds: 61)
    #expect(await bench.post("resend", named).status == 200)
    #expect(try await bench.database.messages(to: "lady@example.com").count == 2)
    let unknown = await bench.post("resend", ["type": "email_change", "email": "no@example.com"])
    #expect(unknown.status == 200 && unknown.json == [:])
  }

  @Test(arguments: [
    "another password", "others signed out", "all signed out", "this one signed out",
  ])
  func `a change that another session requested ends with that session (DG-1)`(_ ending: String)
    async throws
  {
    let bench = try await AuthBench()
    let (own, foreign) = (
      try await bench.signIn(email: "ada@example.com"),
      try await bench.signIn(email: "ada@example.com")
    )
    #expect(own.key == foreign.key)
    _ = await bench.send(.put, "user", ["phone": "+15552345678"], bearer: foreign.token)
    let code = try await bench.code(to: "+15552345678")
    var changes: JSON = ["password": "Correct-Horse-9", "phone": "+15553456789"]
    switch ending {
    case "another password":
      #expect(await bench.send(.put, "user", changes, bearer: own.token).status == 200)
    case "others signed out":
      #expect(await bench.send(.post, "logout?scope=others", [:], bearer: own.token).status == 204)
    case "all signed out":
      #expect(await bench.send(.post, "logout", [:], bearer: own.token).status == 204)
    default:
      #expect(await bench.send(.post, "logout?scope=local", [:], bearer: own.token).status == 204)
    }
    let proof = await bench.post(
      "verify", ["type": "phone_change", "phone": "+15552345678", "token": .string(code)])
    guard ending != "this one signed out" else { return #expect(proof.status == 200) }
    #expect(proof.code == "otp_expired")
    guard ending == "another password" else { return }
    // A change requested with the new password is proven as usual.
    let asked = try await bench.code(to: "+15553456789")
    changes = ["type": "phone_change", "phone": "+15553456789", "token": .string(asked)]
    #expect(try SignedIn(await bench.post("verify", changes)).key == own.key)
  }

  @Test func `an e-mail address changes once the new one is proven, and the old one becomes free`()
    async throws
  {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com")
    _ = await bench.send(.put, "user", ["email": "lady@example.com"], bearer: signedIn.token)
    let code = try await bench.code(to: "lady@example.com")
    let changed = try SignedIn(
      await bench.post(
        "verify",
        ["type": "email_change", "email": "lady@example.com", "token": .string(code)]))
    #expect(changed.key == signedIn.key && changed.user["email"] == "lady@example.com")
    #expect(bench.service.people.email(of: signedIn.key) == "lady@example.com")
    #expect(try await bench.signIn(email: "lady@example.com").key == signedIn.key)
    #expect(try await bench.signIn(email: "ada@example.com").key != signedIn.key)
  }
}

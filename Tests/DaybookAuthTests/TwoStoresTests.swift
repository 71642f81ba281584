import Avro
import Calendar
import Daybook
@testable import DaybookAuth
import DaybookStore
import GRDB
import HTTPTypes
import Wire
import Testing
import Values

/// The book and the database: two stores, one truth.
@Suite(.tags(.unit)) struct TwoStoresTests {
  @Test func `an account that lost the database signs in again as the same account (HH-2, MO-1)`()
    async throws
  {
    let bench = try await AuthBench()
    let mail = try await bench.signIn(email: "ada@example.com", data: ["name": "Ada"])
    let phone = try await bench.signIn(phone: "+15552345678")
    let after = try await AuthBench(on: bench.book, clock: bench.clock)
    #expect(throws: TokenError.unknownKey) { try after.service.claims(of: mail.token) }
    #expect(await after.refresh(mail.refreshToken).code == "refresh_token_not_found")
    let again = try await after.signIn(email: "ADA@example.com")
    #expect(again.key == mail.key && again.user["email"] == "ada@example.com")
    #expect(try await after.signIn(phone: "+15552345678").key == phone.key)
    #expect(after.accountCount == 2)
    let known = await after.post("otp", ["phone": "+15552345678", "create_user": false])
    #expect(known.status == 200)
  }

  @Test func `an account that the book lost is created again with its key (HH-2)`() async throws {
    let bench = try await AuthBench()
    let mail = try await bench.signIn(email: "ada@example.com", data: ["name": "Ada"])
    let phone = try await bench.signIn(phone: "+15552345678")
    let password = try await bench.signUp("pat@example.com")
    let after = try await AuthBench(on: nil, bench.database, clock: bench.clock)
    #expect(after.accountCount == 0)
    #expect(throws: TokenError.endedSession) { try after.service.claims(of: mail.token) }
    #expect(try await after.signIn(email: "ada@example.com").key == mail.key)
    #expect(after.account(mail.key)?.identities.map(\.isVerified) == [true])
    #expect(throws: Never.self) { try after.service.claims(of: mail.token) }
    #expect(try SignedIn(await after.refresh(phone.refreshToken)).key == phone.key)
    #expect(after.account(phone.key)?.identities.count == 1)
    let signedIn = try SignedIn(
      await after.post(
        "token?grant_type=password",
        ["email": "pat@example.com", "password": "Correct-Horse-9"]))
    #expect(signedIn.key == password.key && after.accountCount == 3)
  }

  @Test func `the book holds no secret of the database in plain text`() async throws {
    let bench = try await AuthBench()
    let signedIn = try await bench.signUp("ada.lovelace@example.com", data: ["name": "Ada"])
    _ = try await bench.signIn(phone: "+15552345678")
    var text = ""
    let accounts = bench.book.read { $0.accounts }
    dump(accounts, to: &text)
    #expect(text.contains("Ada"))
    for secret in ["ada.lovelace", "5552345678", "Correct-Horse", signedIn.refreshToken] {
      #expect(!text.contains(secret))
    }
  }

  @Test func `an account erased while the server was down is forgotten at the start (ES-6)`()
    async throws
  {
    let bench = try await AuthBench()
    let signedIn = try await bench.signIn(email: "ada@example.com")
    let other = try await bench.signIn(email: "ben@example.com")
    _ = await bench.post("otp", ["email": "ada@example.com"])
    let number = try #require(bench.book.read { $0.accounts.number(of: signedIn.key) })
    try bench.book.erase(number)
    let after = try await AuthBench(on: bench.book, bench.database, clock: bench.clock)
    #expect(throws: TokenError.erasedAccount) { try after.service.claims(of: signedIn.token) }
    #expect(after.service.people.email(of: signedIn.key) == nil)
    for table in ["users", "identities", "sessions", "refresh_tokens"] {
      let count = try await after.database.read { database in
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
      }
      #expect(count == 1, "\(table)")
    }
    #expect(try await after.database.messages(to: "ada@example.com").isEmpty)
    #expect(throws: Never.self) { try after.service.claims(of: other.token) }
    #expect(try await after.signIn(email: "ada@example.com").key != signedIn.key)
  }

  @Test func `an account with an unproven address goes to the address's owner (HH-2)`()
    async throws
  {
    let bench = try await AuthBench()
    let key = Key()
    let hash = try bench.service.accounts.pepper.hash(.phone, "+15552345678")
    let number = try await bench.book.record(CreateAccount(key: key, name: "Ada"))
    try await bench.book.record(LinkIdentity(Identity(.phone, hash)), by: number)
    #expect(try await bench.signIn(phone: "+15552345678").key == key)
    #expect(bench.account(key)?.identities.map(\.isVerified) == [true])
  }

  @Test func `claiming another person's address first does not share an account`() async throws {
    let bench = try await AuthBench()
    let thief = try await bench.signIn(phone: "+15552345678")
    let hash = try bench.service.accounts.pepper.hash(.email, "ada@example.com")
    let number = try #require(bench.book.read { $0.accounts.number(of: thief.key) })
    try await bench.book.record(LinkIdentity(Identity(.email, hash)), by: number)
    let owner = try await bench.signIn(email: "ada@example.com")
    #expect(owner.key != thief.key)
    #expect(bench.account(thief.key)?.identities.count == 1)
  }

  @Test func `simultaneous sign-ins with one address make one account`() async throws {
    let bench = try await AuthBench()
    let keys = try await withThrowingTaskGroup(of: Key.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let facts = IdentityTokens.Facts(
            provider: .apple, subject: "001.a", email: Address(.email, "ada@example.com"),
            data: [:])
          return try await bench.service.admit(facts)
        }
      }
      return try await group.reduce(into: Set<Key>()) { $0.insert($1) }
    }
    #expect(keys.count == 1 && bench.accountCount == 1)
  }
}

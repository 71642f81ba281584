import Avro
import Daybook
@testable import DaybookAuth
import DaybookStore
import GRDB
import HTTPTypes
import Testing
import Values
import Wire

/// Addresses that an account claims before their owners arrive, where a sign-up needs no proof.
@Suite(.tags(.unit)) struct ClaimTests {
  private static let claim: JSON = ["email": "ada@example.com", "password": "Thieves-Horse-9"]
  private static let phone = "+15552345678"

  private func bench() async throws -> AuthBench {
    try await AuthBench { $0.confirmsAddresses = false }
  }

  /// Asks to prove a phone, so that a code is pending.
  private func askToProvePhone(_ claimed: SignedIn, in bench: AuthBench) async throws -> JSON {
    let asked = await bench.send(
      .put, "user", ["phone": .string(Self.phone)], bearer: claimed.token)
    #expect(asked.status == 200)
    let code = try await bench.code(to: Self.phone)
    return ["type": "phone_change", "phone": .string(Self.phone), "token": .string(code)]
  }

  /// An account that signed up with another person's address, and proved a phone of its own.
  private func claimer(in bench: AuthBench) async throws -> SignedIn {
    let claimed = try SignedIn(await bench.post("signup", Self.claim))
    let proof = try await askToProvePhone(claimed, in: bench)
    let proven = try SignedIn(await bench.post("verify", proof))
    #expect(proven.key == claimed.key && proven.user["email"] == "ada@example.com")
    return proven
  }

  @Test func `proving an address that another account claimed makes a new account (HH-2)`()
    async throws
  {
    let bench = try await bench()
    let claimer = try await claimer(in: bench)
    let owner = try await bench.signIn(email: "ada@example.com")
    #expect(owner.key != claimer.key && owner.user["phone"] == "")
    #expect(bench.account(claimer.key)?.identities.map(\.identity.kind) == [.phone])
    #expect(bench.account(owner.key)?.identities.map(\.isVerified) == [true])
    let seen = await bench.send(.get, "user", bearer: claimer.token)
    #expect(seen.status == 200 && seen.json["email"] == "")
    let thief = await bench.post("token?grant_type=password", Self.claim)
    #expect(thief.code == "invalid_credentials")
    #expect(try await bench.signIn(email: "ada@example.com").key == owner.key)
  }

  @Test func `a provider's proof of a claimed address makes a new account, too (DM-11)`()
    async throws
  {
    let bench = try await bench()
    let claimer = try await claimer(in: bench)
    let facts = IdentityTokens.Facts(
      provider: .apple, subject: "001.a", email: Address(.email, "ada@example.com"), data: [:])
    let owner = try await bench.service.admit(facts)
    #expect(owner != claimer.key && bench.service.people.email(of: owner) == "ada@example.com")
    #expect(bench.account(claimer.key)?.identities.map(\.identity.kind) == [.phone])
    #expect(bench.account(owner)?.identities.map(\.isVerified) == [true, true])
  }

  @Test func `an identity that an account gave up elsewhere does not lead back to it (HH-2)`()
    async throws
  {
    let bench = try await bench()
    let facts = IdentityTokens.Facts(provider: .apple, subject: "001.a", email: nil, data: [:])
    let mail = try await bench.signIn(email: "ada@example.com").key
    let apple = try await bench.service.admit(facts)
    let pepper = bench.service.accounts.pepper
    for (key, kind, value) in [
      (mail, IdentityKind.email, "ada@example.com"), (apple, .apple, "001.a"),
    ] {
      let number = try #require(bench.book.read { $0.accounts.number(of: key) })
      let identity = Identity(kind, try pepper.hash(kind, value))
      try await bench.book.record(UnlinkIdentity(identity), by: number)
    }
    let owner = try await bench.signIn(email: "ada@example.com")
    #expect(owner.key != mail && bench.account(mail)?.identities.isEmpty == true)
    #expect(bench.service.people.email(of: mail) == nil)
    #expect(try await bench.service.admit(facts) != apple)
    #expect(bench.account(apple)?.identities.isEmpty == true)
  }

  @Test func `a code requested before the owner proved the address is void (HH-2)`()
    async throws
  {
    let bench = try await bench()
    let claimed = try SignedIn(await bench.post("signup", Self.claim))
    let proof = try await askToProvePhone(claimed, in: bench)
    let owner = try await bench.signIn(email: "ada@example.com")
    #expect(owner.key == claimed.key)
    #expect(await bench.post("verify", proof).code == "otp_expired")
    #expect(bench.account(owner.key)?.identities.map(\.identity.kind) == [.email])
  }

  @Test func `a claim stays unproven in a book that lost the account (HH-2)`() async throws {
    let bench = try await bench()
    let claimed = try SignedIn(await bench.post("signup", Self.claim))
    let after = try await AuthBench(on: nil, bench.database, clock: bench.clock) {
      $0.confirmsAddresses = false
    }
    #expect(try SignedIn(await after.refresh(claimed.refreshToken)).key == claimed.key)
    #expect(after.account(claimed.key)?.identities.map(\.isVerified) == [false])
    #expect(after.service.provenEmail(of: claimed.key) == nil)
  }

  @Test func `a claim proven by a provider stays proven in a book that lost the account (HH-2)`()
    async throws
  {
    let bench = try await bench()
    let claimed = try SignedIn(await bench.post("signup", Self.claim))
    let facts = IdentityTokens.Facts(
      provider: .google, subject: "g1", email: Address(.email, "ada@example.com"),
      data: ["email": "ada@example.com", "email_verified": true])
    let owner = try await bench.service.admit(facts)
    #expect(owner == claimed.key)
    let after = try await AuthBench(on: nil, bench.database, clock: bench.clock) {
      $0.confirmsAddresses = false
    }
    let now = bench.clock.now
    let person = try await bench.database.read { try Person.fetch(owner, at: now, in: $0) }
    try await after.service.restore(try #require(person))
    #expect(after.account(owner)?.identities.map(\.isVerified) == [true, true])
  }

  @Test func `an address is not reported as proven until it is (DG-10)`() async throws {
    let bench = try await bench()
    let claimed = try SignedIn(await bench.post("signup", Self.claim))
    #expect(bench.service.people.email(of: claimed.key) == "ada@example.com")
    #expect(bench.service.provenEmail(of: claimed.key) == nil)
    let owner = try await bench.signIn(email: "ada@example.com")
    #expect(bench.service.provenEmail(of: owner.key) == "ada@example.com")
    let phone = try await bench.signIn(phone: Self.phone)
    #expect(bench.service.provenEmail(of: phone.key) == nil)
  }
}

import Avro
import Daybook
import Testing

/// Contacts in clients' rows: a hash or any other text, and a name.
@Suite(.tags(.unit)) struct SavedContactTests {
  private let hash = IdentityHash(padding: 1...32)

  private func named(_ edit: (inout ContactNamed) -> Void) -> Event { .contactNamed(make(edit)) }

  private func contacts(_ scenario: Scenario) -> [Account.Contact] {
    scenario.state.accounts[First.account]?.contacts ?? []
  }

  @Test func `a text of 64 hexadecimal digits is the hash itself, and is not kept (HH-6)`() throws {
    let expected = named {
      $0.hash = hash
      $0.name = "Carol"
    }
    for text in [hash.description, hash.description.uppercased()] {
      #expect(try given().when(SaveContact(text, name: " Carol ")) == [expected])
    }
    let scenario = try given().and(SaveContact(hash.description, name: "Carol"))
    #expect(
      scenario.rows("contact_hashes").map(\.encoded) == [
        #"{"user_id":"\#(person(1).key)","contact_hash":"\#(hash)","display_name":"Carol","#
          + #""created_at":"2026-03-02T12:00:00Z"}"#
      ])
  }

  @Test func `any other text is kept, and found by its SHA-256 (HH-6)`() throws {
    // sha256("abc"), FIPS 180-2, appendix B.1.
    let digest = try #require(
      IdentityHash("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    let expected = named {
      $0.hash = digest
      $0.text = "abc"
    }
    #expect(try given().when(SaveContact("abc")) == [expected])
    let scenario = try given().and(SaveContact("abc"))
    #expect(contacts(scenario).map(\.hash) == [digest])
    #expect(scenario.rows("contact_hashes").map { $0["contact_hash"]?.text } == ["abc"])
    #expect(scenario.rows("contact_hashes").map { $0["display_name"] } == [.null])
  }

  @Test func `saving the same contact changes nothing, and another name does (HH-6)`() throws {
    let scenario = try given().and(SaveContact("abc", name: "Carol"))
    #expect(try scenario.when(SaveContact("abc", name: "Carol")) == [])
    let hash = IdentityHash(ofContact: "abc").description
    #expect(try scenario.when(SaveContact(hash, name: "Carol")) == [])
    // Saved again by its hash, the contact keeps the client's text.
    #expect(contacts(try scenario.and(SaveContact(hash, name: "Dan"))).map(\.text) == ["abc"])
    let later = moment("2026-03-03T12:00:00Z")
    let renamed = try scenario.and(SaveContact("abc", name: "Caroline"), at: later)
    #expect(contacts(renamed).map(\.name) == ["Caroline"])
    #expect(contacts(renamed).map(\.created) == [Scenario.noon])
    let nameless = try renamed.and(SaveContact("abc"))
    #expect(contacts(nameless).map(\.name) == [nil])
    #expect(contacts(nameless).map(\.text) == ["abc"])
  }

  @Test func `a saved contact names an uploaded one, and is removed by its hash (HH-6)`() throws {
    let uploaded = try given().and(UploadContacts([hash]))
    let scenario = try uploaded.and(SaveContact(hash.description, name: "Carol")).and(
      SaveContact("abc"))
    #expect(contacts(scenario).count == 2)
    #expect(contacts(scenario).map(\.hash) == contacts(scenario).map(\.hash).sorted())
    #expect(try scenario.when(UploadContacts(contacts(scenario).map(\.hash))) == [])
    let known = contacts(scenario).map(\.hash)
    #expect(contacts(try scenario.and(RemoveContacts([known[0]]))).map(\.hash) == [known[1]])
    #expect(contacts(try scenario.and(RemoveContacts(nil))) == [])
  }

  @Test func `an empty name is kept, and differs from none (HH-6)`() throws {
    for name in ["", " "] {
      let scenario = try given().and(SaveContact("abc", name: name))
      #expect(contacts(scenario).map(\.name) == [""])
      #expect(contacts(try scenario.and(SaveContact("abc"))).map(\.name) == [nil])
    }
  }

  @Test func `an invalid contact text or name is refused`() throws {
    for text in ["", "a\nb"] {
      #expect(throws: Rejection.invalidContact) { try given().when(SaveContact(text)) }
    }
    #expect(throws: Rejection.invalidDisplayName) {
      try given().when(SaveContact("abc", name: "a\u{7}b"))
    }
    #expect(throws: Rejection.beyond(.name, "contact_hash")) {
      try given().when(SaveContact(String(repeating: "a", count: 201)))
    }
    let many = (0..<10_000).map { IdentityHash(padding: [UInt8($0 & 255), UInt8($0 >> 8)]) }
    let full = try given().and(UploadContacts(many))
    #expect(throws: Rejection.beyond(.contacts, "contact_hash")) {
      try full.when(SaveContact("abc"))
    }
    #expect(try full.when(SaveContact(many[7].description, name: "Carol")).count == 1)
  }

  @Test func `a line uses the specification's names`() throws {
    let request = try Request(
      try JSON(parsing: #"{"do":"save_contact","contact_hash":"abc","display_name":"Carol"}"#),
      given().state, actor: First.account)
    #expect(request.json(in: given().state)?["contact_hash"] == "abc")
    let command = try #require(request.body as? SaveContact)
    let scenario = try given().and(command)
    let row = command.row(of: First.account, in: scenario.state)
    #expect(scenario.rows("contact_hashes") == [row])
    #expect(throws: Rejection.missingField("contact_hash")) {
      try Request(try JSON(parsing: #"{"do":"save_contact"}"#), given().state)
    }
  }

  @Test func `a request for the paid version is counted, and unlocks nothing (MO-7)`() throws {
    let asked: UpgradeRequested = make { $0.price = "3.99 a month" }
    let command = RequestUpgrade(price: " 3.99 a month ")
    #expect(try given().when(command) == [.upgradeRequested(asked)])
    #expect(given().rows("profiles").first?["upgrade_requests"] == nil)
    let later = moment("2026-03-03T12:00:00Z")
    let scenario = try given().and(command).and(RequestUpgrade(price: "39 a year"), at: later)
    let interest = scenario.state.accounts[First.account]?.upgradeInterest
    #expect(interest?.count == 2 && interest?.price == "39 a year" && interest?.last == later)
    let row = try #require(scenario.rows("profiles").first)
    #expect(row["upgrade_requests"] == 2 && row["upgrade_price"] == "39 a year")
    #expect(row["upgrade_requested_at"] == "2026-03-03T12:00:00Z")
    for price in ["", " ", "a\nb"] {
      #expect(throws: Rejection.invalidPrice) { try given().when(RequestUpgrade(price: price)) }
    }
    #expect(throws: Rejection.accountNotFound) {
      try Scenario().when(command)
    }
  }
}

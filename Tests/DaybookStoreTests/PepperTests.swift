import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// Plain values are hashed with the pepper as they arrive, and are nowhere in the book.
@Suite(.tags(.unit)) struct PepperTests {
  static let secret = "a pepper of the tests, and of nothing else"

  @Test func `a hash is SHA-256 of the pepper, then the normalised value (HH-6)`() throws {
    // printf 'a pepper of the tests, and of nothing else+442079460958' | sha256sum
    let hash = try Pepper(Self.secret).hash(.phone, "+44 20 7946 0958")
    #expect(hash.description == "b9b56f00931a8c976282ee5fdc34714d8933adac468a6f0af343e8ebfe782a88")
    #expect(try Pepper(" \(Self.secret)\n").hash(.phone, "+442079460958") == hash)
    #expect(try Pepper(Array(Self.secret.utf8)).hash(.phone, "+442079460958") == hash)
    #expect(try Pepper(Self.secret + "!").hash(.phone, "+442079460958") != hash)
    #expect(throws: Rejection.invalidIdentity(.phone)) {
      try Pepper(Self.secret).hash(.phone, "7946 0958")
    }
  }

  @Test func `a short pepper is refused, and a pepper is never printed`() throws {
    for text in ["", "salt", "  fifteen bytes!   "] {
      #expect(throws: Rejection.pepperTooShort) { try Pepper(text) }
    }
    let pepper = try Pepper("sixteen bytes!!!")
    var dumped = ""
    dump(pepper, to: &dumped)
    #expect(!"\(pepper) \(String(reflecting: pepper)) \(dumped)".contains("sixteen"))
    let refusal = #expect(throws: Rejection.pepperTooShort) { try Pepper("salt") }
    #expect(refusal?.code == "pepper_too_short")
  }

  @Test func `a book with a pepper accepts plain values, and stores none of them (HH-6)`() throws {
    let storage = MemoryStorage()
    let book = try Book(at: "book", storage: storage, pepper: Pepper(Self.secret))
    let lines = [
      #"{"do":"create_account","display_name":"Ada","timezone":"UTC"}"#,
      #"{"do":"link_identity","kind":"phone","value":"+44 20 7946 0958","verified":true}"#,
      #"{"do":"link_identity","kind":"email","value":"Ada@Example.org"}"#,
      #"{"do":"upload_contacts","phones":["+1 212 555 0123"]}"#,
    ]
    let ada = Account.ID(1)
    for line in lines {
      let outcome = try book.record(line: line, by: ada)
      #expect(outcome.isAccepted, "\(outcome.json.encoded)")
    }
    let phone = try Pepper(Self.secret).hash(.phone, "+442079460958")
    #expect(book.read { $0.account(having: Identity(.phone, phone)) } == ada)
    try book.seal()
    let export = try ExchangeWorld.export(book).joined() + book.read { $0.dump.encoded }
    for value in ["2079460958", "7946", "xample", "2125550123", "0123\"", Self.secret] {
      #expect(!export.contains(value), "\(value)")
    }
    #expect(export.contains(phone.description))
  }

  @Test func `a book without a pepper refuses plain values, and records nothing`() throws {
    let book = try Book(at: "book", storage: MemoryStorage())
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let line = #"{"do":"link_identity","kind":"phone","value":"+442079460958"}"#
    let outcome = try book.record(line: line, by: ada)
    #expect(outcome.json["error"]?["code"]?.text == "pepper_missing")
    #expect(book.read { $0.position } == 1)
  }
}

import Avro
import Daybook
import PropertyTesting
import Testing

/// The normal form of identities, and what is stored of them.
@Suite(.tags(.unit)) struct IdentityTests {
  @Test func `different spellings of a phone number are one number (HH-6)`() throws {
    let written = [
      "+442079460958", "+44 20 7946 0958", "+44-20-7946-0958", "+44.20.7946.0958",
      " +44 (20) 7946\u{A0}0958 ", "+44\u{2011}20\u{2013}7946[0958]", "+44\t2079460958",
    ]
    for text in written {
      #expect(try IdentityKind.phone.normalised(text) == "+442079460958", "\(text)")
    }
    #expect(try IdentityKind.phone.normalised("+12345678") == "+12345678")
    #expect(try IdentityKind.phone.normalised("+123456789012345") == "+123456789012345")
  }

  @Test func `an invalid phone number is refused, and not repeated (HH-6, DM-15)`() {
    let bad = [
      "", "+", "441632960111", "0044 20 7946 0958", "+1234567", "+1234567890123456",
      "+44 20 7946 O958", "+44+2079460958", "++442079460958", "+４４２０７９４６０９５８",
      "+0442079460958", "+44/2079460958", "+44 20 7946 0958 ext 1",
    ]
    for text in bad {
      let refusal = #expect(throws: Rejection.invalidIdentity(.phone), "\(text)") {
        try IdentityKind.phone.normalised(text)
      }
      if text.count > 3 { #expect(refusal?.description.contains(text) == false) }
    }
  }

  @Test func `a mail address is trimmed and lowercased (DG-1, MO-1)`() throws {
    #expect(try IdentityKind.email.normalised(" Ada@Example.ORG\n") == "ada@example.org")
    #expect(try IdentityKind.email.normalised("a+b.c@mail.example.org") == "a+b.c@mail.example.org")
    let bad = [
      "", "ada", "ada@", "@example.org", "ada@example", "ada@@example.org", "ada@.org",
      "ada@example.", "ada@example..org", "a da@example.org", "ada@exam ple.org",
      "ada\u{7}@example.org", "a@b@example.org",
      String(repeating: "a", count: 243) + "@example.org",
    ]
    for text in bad {
      #expect(throws: Rejection.invalidIdentity(.email), "\(text)") {
        try IdentityKind.email.normalised(text)
      }
    }
  }

  @Test func `a subject is kept unchanged (DM-11)`() throws {
    for kind in [IdentityKind.apple, .google] {
      #expect(try kind.normalised("000042.AbC.1") == "000042.AbC.1")
      for text in ["", "a\u{0}b", String(repeating: "a", count: 256)] {
        #expect(throws: Rejection.invalidIdentity(kind)) { try kind.normalised(text) }
      }
    }
  }

  @Test func `normalising twice is normalising once`() {
    let texts = Generator<String>.unicode(count: 0...20)
    let numbers = Generator { source in
      var text = "+"
      try source.repeated(0...18) { source in
        text += try source.draw(.element(of: ["1", "2", "0", "9", " ", "-", "("]))
      }
      return text
    }
    let report = check("once is enough", .oneOf(texts, numbers), cases: 3000) { text in
      for kind in IdentityKind.allCases {
        guard let once = try? kind.normalised(text) else { continue }
        try expectEqual(try kind.normalised(once), once)
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a hash has bytes, digits and an order`() throws {
    let pairs = Generator.zip(
      Generator<UInt8>.integer().array(count: 32...32),
      Generator<UInt8>.integer().array(count: 32...32))
    let report = check("hashes", pairs, cases: 1000) { one, other in
      let hash = IdentityHash(padding: one)
      try expectEqual(hash.bytes, one)
      try expectEqual(IdentityHash(one), hash)
      try expectEqual(IdentityHash(hash.description), hash)
      try expectEqual(IdentityHash(hash.description.uppercased()), hash)
      try expectEqual(try IdentityHash(encoded: hash.encoded), hash)
      try expectEqual(hash.encoded, one)
      try expectEqual(hash < IdentityHash(padding: other), one.lexicographicallyPrecedes(other))
    }
    #expect(report.passed, "\(report)")
    let text = IdentityHash(padding: 1...32).description
    #expect(text == "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20")
    for bad in [String(text.dropLast()), text + "0", "g" + text.dropFirst(), "", "0x" + text] {
      #expect(IdentityHash(bad) == nil)
    }
    #expect(IdentityHash([UInt8](1...31)) == nil)
    #expect(IdentityHash([UInt8](1...33)) == nil)
  }

  @Test func `a name is abbreviated (DG-1)`() {
    let names = [
      ("", "Profile"), (" \t", "Profile"), ("Ada", "Ada"), ("Ada Lovelace", "Ada L."),
      ("Ada King Lovelace", "Ada L."), ("  ada  lovelace ", "ada L."), ("Ada L.", "Ada L."),
      ("José Ñandú", "José Ñ."), ("葛 飾 北斎", "葛 北."), ("Bee 1a2b3c", "Bee 1."),
    ]
    for (name, short) in names { #expect(Account.shortName(of: name) == short, "\(name)") }
    let key = Key(high: 0x1A2B_3C4D_0000_4000, low: 1 << 63)
    #expect(Account.signUpName(of: key) == "Bee 1a2b3c", "HH-1")
  }
}

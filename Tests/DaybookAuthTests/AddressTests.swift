import Daybook
import Testing

@testable import DaybookAuth

@Suite(.tags(.unit)) struct AddressTests {
  @Test(arguments: [
    ["Zo\u{EB}@example.com", "zoe\u{308}@example.com", "ZOE\u{308}@EXAMPLE.com"],
    [
      "a@b\u{FC}cher.example", "a@bu\u{308}cher.example", "A@B\u{DC}CHER.example",
      "a@xn--bcher-kva.example", "a@XN--bcher-kva.example",
    ],
    ["a@example.com", " A@Example.COM "],
    ["\u{914}\u{93F}@example.com"],
  ])
  func `different spellings of an address are one address (HH-2, DG-1)`(texts: [String]) throws {
    let addresses = texts.map { Address(.email, $0) }
    let first = try #require(addresses.first ?? nil)
    #expect(addresses.allSatisfy { $0?.value.utf8.elementsEqual(first.value.utf8) == true })
    #expect(Address(.email, first.value) == first)
  }

  @Test(arguments: [
    "pa\u{200B}t@example.com", "pat@exam\u{200D}ple.com", "pat@\u{202E}example.com",
    "pat@b\u{FC}cher.example/x", "pat@b\u{FC}cher.example:80", "pat@[b\u{FC}cher.example]",
    "pat@b\u{FC}cher..example", "\u{FEFF}pat@example.com", "pat@b\u{FC}cher.example?x",
    "pat@b\u{FC}cher.example#x", "pat@b\u{FC}cher%2e.example",
  ])
  func `invisible characters and malformed domains are refused in addresses`(text: String) {
    #expect(Address(.email, text) == nil)
  }
}

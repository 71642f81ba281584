/// Percent-encoding for the query of an address or for a form (RFC 3986, section 2).
package enum PercentCode {
  /// Whether a byte never needs encoding.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Encoded names and values, joined by `&`.
  package static func query(_ items: [(String, String)]) -> String {
    items.map { encoded($0) + "=" + encoded($1) }.joined(separator: "&")
  }

  /// A text with all but unreserved bytes percent-encoded.
  package static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%")] + byte.hexDigits
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// The byte as two hexadecimal digits, in upper case.
  package var hexDigits: [UInt8] {
    [Self.hexDigits[Int(self >> 4)], Self.hexDigits[Int(self & 15)]]
  }
}

import Daybook
import Foundation

/// A phone number or an e-mail address, in the one form that all ways to write it have.
struct Address: Hashable, Sendable {
  /// `phone` or `email`.
  let kind: IdentityKind
  /// A phone with its `+`; an address in lower case, its letters composed and its domain in ASCII (RFC 5891).
  let value: String

  /// Reads what a person typed; nothing when it is neither. A phone may come without its `+`.
  init?(_ kind: IdentityKind, _ text: String) {
    var text = text
    if kind == .phone {
      let digits = text.drop { $0.isWhitespace }
      if let first = digits.utf8.first, (0x30...0x39).contains(first) { text = "+" + digits }
    }
    guard let value = try? kind.normalised(text),
      let plain = kind == .email ? Self.plain(email: value) : value
    else { return nil }
    self.kind = kind
    self.value = plain
  }

  /// An address in the one form of all that look alike: letters may be composed or not, and a domain be written in letters
  /// of its language, or as ASCII stands for them.
  private static func plain(email: String) -> String? {
    if email.utf8.allSatisfy({ $0 < 0x80 }) { return email }
    let parts = email.precomposedStringWithCanonicalMapping.split(separator: "@")
    guard parts.count == 2, parts[1].unicodeScalars.allSatisfy(isOfDomain),
      let domain = URL(string: "http://\(parts[1])/")?.host(percentEncoded: false),
      !domain.isEmpty, domain.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return "\(parts[0])@\(domain.lowercased())"
  }

  /// Whether a scalar may stand in a domain: nothing of ASCII else but letters, digits, hyphens and dots.
  private static func isOfDomain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar == "-" || scalar == "." || scalar.properties.isAlphabetic
      || scalar.properties.numericType != nil
  }

  /// By what messages go there.
  var channel: OutboxMessage.Channel { kind == .phone ? .sms : .email }

  /// As clients are shown it: a phone without its `+`.
  static func shown(phone: String?) -> String { String((phone ?? "").drop { $0 == "+" }) }
}

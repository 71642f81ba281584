import Daybook
import Foundation

/// A phone number or an e-mail address in its normal form.
struct Address: Hashable, Sendable {
  /// `phone` or `email`.
  let kind: IdentityKind
  /// A phone with its `+`, or an e-mail address in lower case with composed letters and its domain in ASCII (RFC
  /// 5891).
  let value: String

  /// Reads a person's input; `nil` if it is invalid. A phone may come without its `+`.
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

  /// The normal form of an e-mail address: letters may be composed or not, and a domain may be written in its own
  /// letters or in the ASCII that encodes them.
  private static func plain(email: String) -> String? {
    if email.utf8.allSatisfy({ $0 < 0x80 }) { return email }
    let parts = email.precomposedStringWithCanonicalMapping.split(separator: "@")
    guard parts.count == 2, parts[1].unicodeScalars.allSatisfy(isOfDomain),
      let domain = URL(string: "http://\(parts[1])/")?.host(percentEncoded: false),
      !domain.isEmpty, domain.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return "\(parts[0])@\(domain.lowercased())"
  }

  /// Whether a scalar may occur in a domain: of ASCII, only letters, digits, hyphens and dots.
  private static func isOfDomain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar == "-" || scalar == "." || scalar.properties.isAlphabetic
      || scalar.properties.numericType != nil
  }

  /// The channel for messages to it.
  var channel: OutboxMessage.Channel { kind == .phone ? .sms : .email }

  /// The form shown to clients: a phone without its `+`.
  static func shown(phone: String?) -> String { String((phone ?? "").drop { $0 == "+" }) }
}

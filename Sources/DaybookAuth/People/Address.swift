import Daybook

/// A phone number or an e-mail address, in the one form that all ways to write it have.
struct Address: Hashable, Sendable {
  /// `phone` or `email`.
  let kind: IdentityKind
  /// A phone with its `+`, an address in lower case.
  let value: String

  /// Reads what a person typed; nothing when it is neither. A phone may come without its `+`.
  init?(_ kind: IdentityKind, _ text: String) {
    var text = text
    if kind == .phone {
      let digits = text.drop { $0.isWhitespace }
      if let first = digits.utf8.first, (0x30...0x39).contains(first) { text = "+" + digits }
    }
    guard let value = try? kind.normalised(text) else { return nil }
    self.kind = kind
    self.value = value
  }

  /// By what messages go there.
  var channel: OutboxMessage.Channel { kind == .phone ? .sms : .email }

  /// As clients are shown it: a phone without its `+`.
  static func shown(phone: String?) -> String { String((phone ?? "").drop { $0 == "+" }) }
}

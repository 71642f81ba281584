/// Numbers and texts as SVG writes them.
package enum SVG {
  /// A length with at most two decimals, the same on every machine.
  package static func length(_ length: Double) -> String {
    let hundredths = Int((length * 100).rounded())
    let fraction = abs(hundredths % 100)
    let whole = "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100)"
    return fraction == 0 ? whole : whole + "." + (fraction < 10 ? "0" : "") + "\(fraction)"
  }

  /// Escapes text for XML and HTML; characters that XML does not allow are dropped.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: mayNeedEscape) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n", "\r": escaped += " "
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whether a byte is one of a scalar that ``escaped(_:)`` may replace: a sign, a control character, or the first byte of
  /// U+FFFE and U+FFFF.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), 0x00...0x1F, 0xEF:
      true
    default: false
    }
  }
}

/// Colours and weights of terminal text; plain text where they are not supported.
enum Style {
  case bold
  case faint
  case color(RGB)

  /// Ends every style.
  static let end = "\u{1B}[0m"

  /// The text in this style, if the screen supports it.
  func callAsFunction(_ text: String) -> String {
    guard Output.screen.hasColor, !text.isEmpty else { return text }
    switch self {
    case .bold: return "\u{1B}[1m\(text)\(Self.end)"
    case .faint: return "\u{1B}[2m\(text)\(Self.end)"
    case .color(let color):
      return "\u{1B}[38;2;\(color.red);\(color.green);\(color.blue)m\(text)\(Self.end)"
    }
  }
}

/// A colour with eight bits per channel.
struct RGB: Hashable {
  var red: Int
  var green: Int
  var blue: Int

  init(_ hexadecimal: Int) {
    red = hexadecimal >> 16 & 255
    green = hexadecimal >> 8 & 255
    blue = hexadecimal & 255
  }

  /// `#RRGGBB`.
  var text: String {
    let digits = String(red << 16 | green << 8 | blue, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

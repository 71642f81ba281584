import Pictures

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

extension String {
  /// The text on one line, with control characters and line ends replaced by spaces.
  var onOneLine: String { replacingControls { _ in false } }

  /// The text made safe for a terminal, whoever wrote it: control characters become spaces, except those of
  /// Daybook's own styles on a screen that supports them.
  var withoutSteering: String {
    let isPlain = utf8.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 > 0xC2 || 0x80..<0xC0 ~= $0 }
    guard !isPlain else { return self }
    let hasStyles = Output.screen.hasColor
    return replacingControls { rest in
      switch rest.first {
      case "\n", "\t": true
      case "\u{1B}": hasStyles && Style.begins(rest)
      default: false
      }
    }
  }

  private func replacingControls(
    keeping isKept: (Substring.UnicodeScalarView) -> Bool
  ) -> String {
    var text = String.UnicodeScalarView()
    for place in unicodeScalars.indices {
      let scalar = unicodeScalars[place]
      let isControl = scalar.properties.generalCategory == .control
      text.append(!isControl || isKept(unicodeScalars[place...]) ? scalar : " ")
    }
    return String(text)
  }
}

extension Style {
  /// Whether a text begins with the start or end of a style.
  fileprivate static func begins(_ text: Substring.UnicodeScalarView) -> Bool {
    let body = text.dropFirst().prefix(20)
    guard body.first == "[", let end = body.firstIndex(of: "m") else { return false }
    let codes = String(body[..<end].dropFirst())
    guard codes.unicodeScalars.allSatisfy({ "0"..."9" ~= $0 || $0 == ";" }) else { return false }
    return ["0", "1", "2"].contains(codes) || codes.hasPrefix("38;2;")
  }
}

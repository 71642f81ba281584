extension String {
  /// The text on one line, without tags and with character references decoded.
  ///
  /// Pages put HTML into their data, and escape more than necessary.
  var plainText: String { withoutMarkup.foldedSpaces }

  /// The non-empty lines of the text, without tags; paragraphs, breaks and list items end a line.
  var plainLines: [String] {
    withoutMarkup.split(whereSeparator: \.isNewline).map { String($0).foldedSpaces }
      .filter { !$0.isEmpty }
  }

  /// The text without outer spaces, and with every inner run of spaces reduced to one.
  var foldedSpaces: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  private var withoutMarkup: String {
    guard contains("<") || contains("&") else { return self }
    var plain = ""
    var rest = Substring(self)
    // No tag can end after the last ">", so the search stops there.
    let lastEnd = lastIndex(of: ">") ?? startIndex
    while let mark = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      plain += rest[..<mark]
      rest = rest[mark...]
      if mark < lastEnd, let tag = Self.takeTag(from: &rest) {
        plain += tag
      } else if let character = Self.takeReference(from: &rest) {
        plain.append(character)
      } else {
        plain.append(rest.removeFirst())
      }
    }
    return plain + rest
  }

  /// The replacement for a tag: nothing, or a line break. A "<" before anything but a letter or a slash
  /// starts no tag.
  private static func takeTag(from rest: inout Substring) -> String? {
    guard rest.first == "<", let second = rest.dropFirst().first, second.isLetter || second == "/",
      let end = rest.firstIndex(of: ">")
    else { return nil }
    let name = rest[..<end].dropFirst().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
    rest = rest[end...].dropFirst()
    let endsLine = ["p", "br", "li", "div", "ol", "ul", "h1", "h2", "h3", "h4", "tr"]
      .contains(name.lowercased())
    return endsLine ? "\n" : ""
  }

  /// Decodes `&amp;`, `&#189;`, `&#xBD;` and the named references that recipes use.
  private static func takeReference(from rest: inout Substring) -> Character? {
    guard rest.first == "&", let end = rest.prefix(12).firstIndex(of: ";") else { return nil }
    let name = rest[..<end].dropFirst()
    let character: Character?
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      let code =
        digits.first?.lowercased() == "x"
        ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      character = code.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    } else {
      character = references[String(name)]
    }
    if character != nil { rest = rest[end...].dropFirst() }
    return character
  }

  private static let references: [String: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "frac12": "½",
    "frac14": "¼", "frac34": "¾", "frac13": "⅓", "frac23": "⅔", "deg": "°", "times": "×",
    "ndash": "–", "mdash": "—", "rsquo": "’", "lsquo": "‘", "rdquo": "”", "ldquo": "“",
    "hellip": "…", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
    "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
  ]
}

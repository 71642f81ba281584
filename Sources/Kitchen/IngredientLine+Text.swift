/// Finds the brackets and commas of a line.
extension Substring {
  /// The index after the bracket that closes the one at `start`; `nil` when there is none.
  func endOfBracket(from start: Index) -> Index? {
    var depth = 0
    for index in self[start...].indices {
      if self[index] == "(" { depth += 1 }
      if self[index] == ")" { depth -= 1 }
      if depth == 0 { return self.index(after: index) }
    }
    return nil
  }

  /// The start of the bracket that ends the text, if a space precedes it. "Ei(er)" is a word; a bracket that
  /// is the whole text names the food.
  var trailingBracket: Index? {
    guard last == ")" else { return nil }
    var start = startIndex
    while let bracket = self[start...].firstIndex(of: "(") {
      guard let end = endOfBracket(from: bracket) else { return nil }
      guard end != endIndex else {
        guard bracket != startIndex, self[index(before: bracket)].isBeforeBracket else {
          return nil
        }
        return bracket
      }
      start = end
    }
    return nil
  }

  /// The first comma that is followed by a space and outside brackets.
  var firstComma: Index? { commas.first }

  /// The commas that are followed by a space and outside brackets.
  var commas: [Index] {
    var depth = 0
    return indices.filter { index in
      switch self[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case ",": return depth <= 0 && self[index...].dropFirst().first == " "
      default: break
      }
      return false
    }
  }

  /// The text without spaces at either end.
  var droppingSpace: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Character {
  /// Whether the character belongs to a script without spaces between words.
  var isIdeographic: Bool {
    unicodeScalars.first.map { (0x2E80...0x9FFF).contains($0.value) } ?? false
  }

  /// Whether a bracket after this character is separate from the word: the character is a space, or its
  /// script uses none.
  fileprivate var isBeforeBracket: Bool { self == " " || isIdeographic }
}

extension String {
  /// The text without spaces and commas at either end.
  var trimmed: String {
    let isEdge = { (character: Character) in character.isWhitespace || character == "," }
    guard let first = firstIndex(where: { !isEdge($0) }),
      let last = lastIndex(where: { !isEdge($0) })
    else { return "" }
    return String(self[first...last])
  }

  /// The text with full-width ASCII made plain, table separators turned into spaces, and invisible characters
  /// removed.
  var withPlainForms: String {
    guard !utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "|") }) else { return self }
    var plain = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E:
        plain.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      case 0x7C: plain += " "
      case 0x200B, 0xFEFF: break
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}

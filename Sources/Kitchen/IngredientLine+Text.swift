/// Where brackets and commas of a line are.
extension Substring {
  /// The place after the bracket that closes the one at a place; nothing when none does.
  func endOfBracket(from start: Index) -> Index? {
    var depth = 0
    for index in self[start...].indices {
      if self[index] == "(" { depth += 1 }
      if self[index] == ")" { depth -= 1 }
      if depth == 0 { return self.index(after: index) }
    }
    return nil
  }

  /// Where the bracket begins that ends the text, behind a space. "Ei(er)" is a word; a bracket that is all there
  /// is says what the food is.
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

  /// The first comma before a space that is in no bracket.
  var firstComma: Index? { commas.first }

  /// The commas before a space that are in no bracket.
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

  /// Without spaces at either end.
  var droppingSpace: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Character {
  /// Whether it is of a script that sets no spaces between words.
  var isIdeographic: Bool {
    unicodeScalars.first.map { (0x2E80...0x9FFF).contains($0.value) } ?? false
  }

  /// Whether a bracket behind it stands apart from the word: behind a space, or in a script that sets none.
  fileprivate var isBeforeBracket: Bool { self == " " || isIdeographic }
}

extension String {
  /// Without spaces and commas at either end.
  var trimmed: String {
    let isEdge = { (character: Character) in character.isWhitespace || character == "," }
    guard let first = firstIndex(where: { !isEdge($0) }),
      let last = lastIndex(where: { !isEdge($0) })
    else { return "" }
    return String(self[first...last])
  }

  /// With ASCII for the wide forms of it, spaces for what parts the cells of a table, and nothing for what is not seen.
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

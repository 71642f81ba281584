extension String {
  /// The number of terminal columns that the text occupies, without escapes.
  ///
  /// The width is that of POSIX's wcwidth as current terminals implement it: marks and joiners take none,
  /// East Asian wide letters and emoji take two, and a cluster (a flag, a family, a syllable of several
  /// letters) takes at most two.
  var columnCount: Int {
    var count = 0
    for piece in displayPieces {
      if case .character(_, let columns) = piece { count += columns }
    }
    return count
  }

  /// Whether a terminal displays part of the text from right to left, or it contains directional controls.
  var isBidirectional: Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF,
        0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
        true
      default: false
      }
    }
  }

  /// The text, enclosed in a first strong isolate if necessary, so that right-to-left text stays in its own
  /// columns (Unicode Standard Annex #9).
  var isolated: String { isBidirectional ? "\u{2068}\(self)\u{2069}" : self }

  /// The pieces of the text.
  var displayPieces: [DisplayPiece] {
    var pieces: [DisplayPiece] = []
    pieces.reserveCapacity(utf8.count)
    var escape = ""
    for character in self {
      if character == "\u{1B}" || !escape.isEmpty {
        escape.append(character)
        if character.isLetter {
          pieces.append(.escape(escape))
          escape = ""
        }
      } else {
        pieces.append(.character(character, columns: character.columnCount))
      }
    }
    return pieces
  }
}

/// A piece of text for a terminal.
enum DisplayPiece {
  /// Sets or ends a style (SGR).
  case escape(String)
  /// A character displayed as one, and the number of its columns.
  case character(Character, columns: Int)
}

extension Character {
  /// The number of terminal columns of the character: 0, 1 or 2; more only when a skin tone follows something
  /// that cannot have one.
  var columnCount: Int {
    if let ascii = asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    var (first, count, toneCount) = (Unicode.Scalar?.none, 0, 0)
    var isJoined = false
    for scalar in unicodeScalars {
      defer { isJoined = scalar.value == 0x200D }
      switch scalar.value {
      // A digit with the variation selector is an emoji, too.
      case 0xFE0F: if first?.properties.isEmoji ?? false { count = 2 }
      case 0xFE0E: if first?.properties.isEmojiPresentation ?? false { count = 1 }
      // A character after a joiner is merged into the one before it.
      case _ where isJoined && first != nil: continue
      case 0x1F3FB...0x1F3FF where first != nil:
        if !(first?.properties.isEmojiModifierBase ?? false) { toneCount += 2 }
      default:
        if first == nil, scalar.columnCount > 0 { first = scalar }
        count += scalar.columnCount
      }
    }
    return min(count, 2) + toneCount
  }
}

extension Unicode.Scalar {
  /// The marks that join two letters into one although they are spacing marks
  /// (Indic_Syllabic_Category=Virama).
  private static let joiningMarks: Set<UInt32> = [
    0x1B44, 0xA9C0, 0x111C0, 0x11235, 0x1134D, 0x116B6,
  ]

  /// The number of columns of the scalar, alone or after others.
  fileprivate var columnCount: Int {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: return 0
    // The vowels and finals of Hangul syllables are drawn within their initials; the fillers are invisible.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x3164, 0xFFA0: return 0
    // Format characters that are nevertheless visible.
    case 0xAD, 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: return 1
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
    case .spacingMark: return Self.joiningMarks.contains(value) ? 0 : 1
    default: return WideScalars.contains(self) ? 2 : 1
    }
  }
}

extension Generator where Value == Character {
  /// A printable ASCII character; `a` is the simplest.
  public static func ascii() -> Generator {
    element(of: Alphabet.ascii)
  }

  /// A character of any script, including combining marks, emoji sequences, right-to-left letters, invisible
  /// and control characters, and unassigned code points; `a` is the simplest.
  public static func unicode() -> Generator {
    let combined = Generator { source in
      var text = String(try source.draw(.ascii()))
      try source.repeated(1...3) { source in
        text.unicodeScalars.append(try source.draw(.element(of: Alphabet.marks)))
      }
      return Character.first(of: text)
    }
    let anyScalar = Generator { source in
      // The surrogates, 0xD800 to 0xDFFF, are not scalars and are skipped.
      let number = try source.draw(Generator<UInt32>.integer(in: 0...0x10_F7FF))
      let scalar = Unicode.Scalar(number < 0xD800 ? number : number + 0x800)
      return Character(scalar ?? "a")
    }
    return frequency(
      (6, .ascii()),
      (2, .element(of: Alphabet.latin)),
      (2, combined),
      (2, .element(of: Alphabet.emoji)),
      (2, .element(of: Alphabet.rightToLeft)),
      (1, .element(of: Alphabet.eastAsian)),
      (1, .element(of: Alphabet.invisible)),
      (1, anyScalar))
  }
}

extension Generator where Value == String {
  /// Text of printable ASCII characters; shorter is simpler.
  public static func ascii(count: ClosedRange<Int>) -> Generator {
    Generator<Character>.ascii().array(count: count).map { String($0) }
  }

  /// Text of characters from any script; shorter is simpler.
  ///
  /// Adjacent characters may combine into one, so the text can have fewer than were drawn.
  public static func unicode(count: ClosedRange<Int>) -> Generator {
    Generator<Character>.unicode().array(count: count).map { String($0) }
  }
}

/// The characters that make up texts, simple ones first.
private enum Alphabet {
  static let ascii = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
      + "-_.,:;!?'\"()[]{}<>/\\|@#$%&*+=^`~")

  /// Composed and decomposed forms, letters that change length with their case, ligatures.
  static let latin: [Character] = [
    "\u{E9}", "e\u{301}", "\u{DF}", "\u{1E9E}", "\u{130}", "\u{131}", "\u{F1}", "n\u{303}",
    "\u{C5}", "\u{212B}", "\u{FB01}", "\u{1C5}", "\u{3A3}", "\u{3C2}", "\u{416}",
  ]

  static let marks: [Unicode.Scalar] = [
    "\u{301}", "\u{308}", "\u{303}", "\u{327}", "\u{323}", "\u{489}", "\u{20D7}", "\u{FE0F}",
  ]

  /// Plain emoji, and ones with a skin tone, joined families, flags, keycaps, text presentation.
  static let emoji: [Character] = [
    "\u{1F600}", "\u{1F44D}\u{1F3FD}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
    "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F1E9}\u{1F1EA}", "\u{31}\u{FE0F}\u{20E3}",
    "\u{2764}\u{FE0F}", "\u{263A}\u{FE0E}", "\u{1F9D1}\u{1F3FB}\u{200D}\u{1F4BB}",
  ]

  /// Hebrew with points, Arabic with marks and joined forms, Syriac, Thaana.
  static let rightToLeft: [Character] = [
    "\u{5D0}", "\u{5E9}\u{5C1}", "\u{5DD}", "\u{627}", "\u{644}", "\u{628}\u{651}", "\u{6A9}",
    "\u{FDFD}", "\u{710}", "\u{780}",
  ]

  static let eastAsian: [Character] = [
    "\u{4E2D}", "\u{65E5}", "\u{3042}", "\u{30AB}\u{3099}", "\u{D55C}", "\u{1112}\u{1161}\u{11AB}",
    "\u{FF21}", "\u{20000}",
  ]

  static let invisible: [Character] = [
    "\n", "\r\n", "\t", "\u{0}", "\u{7F}", "\u{A0}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{202E}",
    "\u{2028}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}",
  ]
}

extension Character {
  /// The first character of a text, which must not be empty.
  fileprivate static func first(of text: String) -> Character {
    text.first ?? "a"
  }
}

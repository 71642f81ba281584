extension ICalendar {
  /// The TEXT value of a property (RFC 5545, 3.3.11).
  enum Text {
    /// Decodes a value: `\n` is a line break; `\,`, `\;` and `\\` are the characters themselves. A backslash
    /// before anything else stays, which is what careless writers mean. Control characters are forbidden and
    /// are dropped.
    static func unescaped(_ value: String) -> String {
      // 0xC2 begins, among others, the control characters beyond ASCII.
      let isPlain = value.utf8.allSatisfy { byte in
        byte != UInt8(ascii: "\\") && byte >= 0x20 && byte != 0x7F && byte != 0xC2
      }
      if isPlain { return value }
      var text = ""
      var isEscaped = false
      for scalar in value.unicodeScalars {
        if isEscaped {
          isEscaped = false
          switch scalar {
          case "n", "N": text.unicodeScalars.append("\n")
          case "\\", ";", ",": text.unicodeScalars.append(scalar)
          default:
            text.unicodeScalars.append("\\")
            if isAllowed(scalar) { text.unicodeScalars.append(scalar) }
          }
        } else if scalar == "\\" {
          isEscaped = true
        } else if isAllowed(scalar) {
          text.unicodeScalars.append(scalar)
        }
      }
      return isEscaped ? text + "\\" : text
    }

    /// Whether a character may be in a value.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "\t" || scalar.properties.generalCategory != .control
    }

    /// Encodes text as a value. Line ends of any kind become `\n`; control characters, which a value may not
    /// contain, are dropped.
    static func escaped(_ text: String) -> String {
      var value = ""
      var lastWasReturn = false
      for scalar in text.unicodeScalars {
        if scalar == "\n", lastWasReturn {
          lastWasReturn = false
          continue
        }
        lastWasReturn = scalar == "\r"
        switch scalar {
        case "\n", "\r": value += "\\n"
        case "\\", ";", ",":
          value.unicodeScalars.append("\\")
          value.unicodeScalars.append(scalar)
        default: if isAllowed(scalar) { value.unicodeScalars.append(scalar) }
        }
      }
      return value
    }
  }
}

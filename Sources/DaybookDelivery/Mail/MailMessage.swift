import Calendar
import Foundation
import Values
import Wire

/// A mail as bytes (RFC 5322, RFC 2045): ASCII headers, and the text as quoted-printable UTF-8.
struct MailMessage {
  var id: Key
  var sender: MailAddress
  var senderName: String
  var recipient: MailAddress
  var subject: String
  var text: String
  var isPage = false
  var date: Instant

  /// The mail with CRLF line ends; dots are not doubled.
  var bytes: [UInt8] {
    let name = MailHeader.phrase(senderName)
    // A line with an encoded word may have 76 characters at most.
    let space = name.hasPrefix("=?") ? "\r\n " : " "
    let from = senderName.isEmpty ? sender.text : "\(name)\(space)<\(sender.text)>"
    let headers = [
      "From: \(from)", "To: \(recipient.text)",
      "Subject: \(MailHeader.text(subject, after: "Subject: ".count))",
      "Date: \(date.internetDate) +0000",
      // The same for every attempt, so that a mailbox can recognise a duplicate.
      "Message-ID: <\(id)@\(sender.domain)>", "MIME-Version: 1.0",
      "Content-Type: text/\(isPage ? "html" : "plain"); charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable", "Auto-Submitted: auto-generated",
    ]
    return Array((headers.joined(separator: "\r\n") + "\r\n\r\n").utf8)
      + QuotedPrintable.encoded(text)
  }
}

/// Encodes the values of headers.
enum MailHeader {
  /// A text as a header's value: unchanged if it is short ASCII, else as encoded words (RFC 2047). Characters that
  /// would end the header become spaces.
  static func text(_ text: String, after column: Int) -> String {
    let clean = cleaned(text)
    let isPlain = clean.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    guard !isPlain || clean.utf8.count > 76 - column || clean.contains("=?") else { return clean }
    return encodedWords(clean)
  }

  /// A name before an address.
  static func phrase(_ name: String) -> String {
    let clean = cleaned(name)
    let isPlain = clean.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    return isPlain && clean.utf8.count <= 40 ? "\"\(clean)\"" : encodedWords(clean)
  }

  private static func cleaned(_ text: String) -> String {
    var clean = ""
    for scalar in text.unicodeScalars {
      // A joiner, as within a family emoji, does not end a line.
      let isJoiner = scalar.value == 0x200D || scalar.value == 0x200C
      clean.unicodeScalars.append(scalar.isMailControl && !isJoiner ? " " : scalar)
    }
    return clean
  }

  /// Encoded words of whole characters, on lines of their own, short enough to follow `Subject: `.
  private static func encodedWords(_ text: String) -> String {
    var words: [[UInt8]] = []
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // 39 bytes are 52 characters in base 64; the encoding adds twelve more.
      if let last = words.last, last.count + bytes.count <= 39 {
        words[words.count - 1] = last + bytes
      } else {
        words.append(bytes)
      }
    }
    return words.map { "=?UTF-8?B?\(Base64.encoded($0))?=" }.joined(separator: "\r\n ")
  }
}

/// Encodes text as lines of ASCII (RFC 2045, section 6.7).
enum QuotedPrintable {
  /// The longest line, without the `=` of a soft line break.
  private static let width = 75

  /// The text's UTF-8 bytes: lines of at most 76 characters, each ended by CRLF.
  static func encoded(_ text: String) -> [UInt8] {
    var encoded: [UInt8] = []
    let lines = normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false)
    for line in lines {
      var column = 0
      for (place, byte) in line.enumerated() {
        let isLast = place == line.count - 1
        let isPlain =
          (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
          || (byte == 0x20 || byte == 0x09) && !isLast
        let piece: [UInt8] =
          isPlain ? [byte] : [UInt8(ascii: "=")] + byte.hexDigits
        if column + piece.count > width {
          encoded += [UInt8(ascii: "="), 0x0D, 0x0A]
          column = 0
        }
        encoded += piece
        column += piece.count
      }
      encoded += [0x0D, 0x0A]
    }
    return encoded
  }

  /// The bytes, with every line end as one LF.
  private static func normalized(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isAfterReturn = false
    for byte in text.utf8 {
      if byte == 0x0D {
        bytes.append(0x0A)
      } else if byte != 0x0A || !isAfterReturn {
        bytes.append(byte)
      }
      isAfterReturn = byte == 0x0D
    }
    return bytes
  }
}

/// Base 64 (RFC 4648), with padding.
enum Base64 {
  static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }
}

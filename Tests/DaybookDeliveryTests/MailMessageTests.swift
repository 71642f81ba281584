import Calendar
import Foundation
import PropertyTesting
import Testing
import Values

@testable import DaybookDelivery

/// The encoded form of a mail.
@Suite(.tags(.unit)) struct MailMessageTests {
  private static func mail(_ subject: String, _ text: String, name: String) throws -> String {
    let address = try #require(MailAddress("ada@example.org"))
    let mail = MailMessage(
      id: Key(high: 1, low: 2), sender: address, senderName: name, recipient: address,
      subject: subject, text: text, date: .first)
    return String(decoding: mail.bytes, as: UTF8.self)
  }

  @Test(.tags(.law))
  func `no subject, name or text adds a header, a long line, or anything but ASCII`() throws {
    let texts = Generator<String>.unicode(count: 0...200)
    let report = check("mails", Generator.zip(texts, texts)) { first, second in
      let wild = first + "\r\nBcc: eve@example.org\r\n\r\n" + second
      let mail = try Self.mail(wild, wild, name: wild)
      let end = try #require(mail.range(of: "\r\n\r\n"))
      let headers = mail[..<end.lowerBound].components(separatedBy: "\r\n")
      let names = headers.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
      try expectEqual(
        names.map(String.init),
        [
          "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type",
          "Content-Transfer-Encoding", "Auto-Submitted",
        ])
      for line in mail.components(separatedBy: "\r\n") {
        try expectEqual(line.utf8.count <= 78, true, line)
        try expectEqual(line.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 9 }, true, line)
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test(.tags(.law)) func `dot-stuffing leaves no line of a single dot, and is reversible`() {
    let bytes = Generator<UInt8>.element(of: [0x2E, 0x0D, 0x0A, 0x61]).array(count: 0...60)
    let report = check("dots", bytes) { bytes in
      let lines = [[0x61, 0x0A]] + [bytes]
      let whole = lines.flatMap { $0 }
      let stuffed = MailConversation.stuffed(whole)
      let split = stuffed.split(separator: 0x0A, omittingEmptySubsequences: false)
      try expectEqual(split.contains([0x2E]) || split.contains([0x2E, 0x0D]), false)
      let back = split.map { $0.first == 0x2E ? $0.dropFirst() : $0 }.joined(separator: [0x0A])
      try expectEqual(Array(back), whole)
    }
    #expect(report.passed, "\(report)")
  }

  @Test(.tags(.law)) func `a header's encoded words decode to the original text`() {
    let report = check("words", Generator<String>.unicode(count: 0...120)) { text in
      let header = MailHeader.text(text, after: 9)
      guard header.hasPrefix("=?") else { return }
      let words = header.components(separatedBy: "\r\n ")
      var bytes: [UInt8] = []
      for word in words {
        try expectEqual(word.utf8.count <= 75, true)
        let piece = word.dropFirst("=?UTF-8?B?".count).dropLast("?=".count)
        let data = try #require(Data(base64Encoded: String(piece)))
        // Each word decodes by itself: no character is split.
        _ = try #require(String(validating: data, as: UTF8.self))
        bytes += data
      }
      let kept = text.unicodeScalars.filter { !$0.isMailControl }.map { $0 }
      let said = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0 != " " }
      try expectEqual(
        said.filter { $0.value != 0x200D && $0.value != 0x200C }.map { $0 },
        kept.filter { $0 != " " })
    }
    #expect(report.passed, "\(report)")
  }
}

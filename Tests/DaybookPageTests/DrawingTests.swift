import Foundation
import Pictures
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Pictures that the page and the program share.
@Suite(.tags(.unit)) struct DrawingTests {
  private static let hostile = "<script>x</script>\"'&\u{301}\u{0}]]>"

  // MARK: QR codes

  /// For each version: the most bytes that it holds, and the FNV-1a hash of the modules that another encoder (PyPI's
  /// qrcode 8) makes of that many bytes. The mask is the version modulo eight.
  private static let others: [(byteCount: Int, hash: UInt64)] = [
    (14, 0xCB3E03B7A14C43CF),
    (26, 0x0D16B4BE16C7C52B),
    (42, 0x91EE8CFB859FC2D5),
    (62, 0xA88A2F8CED0C53FF),
    (84, 0x5B8A81D6E936DDA8),
    (106, 0x237E082C5B9F4917),
    (122, 0x62EAFE17729A8E7D),
    (152, 0x4EAD4D5B3CEA561F),
    (180, 0x29BB3B96EAD8572E),
    (213, 0xF2C7700832A45777),
    (251, 0x507DEBA3F0D04479),
    (287, 0x7F028F0759CD1743),
    (331, 0x8E5B751ADFED0D47),
    (362, 0xC597D0A573A78E7B),
    (412, 0x30B2F4D66DD25F16),
    (450, 0x5BFBF9AE5C4C2563),
    (504, 0x66D567C09C7E9EC0),
    (560, 0x3F6D33670B325E31),
    (624, 0xD2CE3B0745C4DBEF),
    (666, 0xF5E05CC213FECA9B),
    (711, 0xDABDEC7DD0904738),
    (779, 0x3B70F45FE2E3CF3B),
    (857, 0x3268C4A8F045B1D1),
    (911, 0x49CFD9811C405495),
    (997, 0x25402BAB2138EFB2),
    (1059, 0xD2A33D6A1A86C5C9),
    (1125, 0x0249A4A2609D8909),
    (1190, 0x3F880769A319817C),
    (1264, 0xFA178EF21E13A97E),
    (1370, 0x2C48F2336B76F3CA),
    (1452, 0x9FA3B0EB1DACA568),
    (1538, 0x4A96308E5976AD69),
    (1628, 0x1E714265844C2EB0),
    (1722, 0x77FE5FCBB0ADA5B1),
    (1809, 0xEC5EAAABC6DC2AF7),
    (1911, 0xF51D21E02C326599),
    (1989, 0x252C6A5FE8B1927B),
    (2099, 0x3D22A60B7F61AA75),
    (2213, 0x3EC2C3EED65E5636),
    (2331, 0x150FFBA67CE47F01),
  ]

  private func hash(_ code: QRCode) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for y in 0..<code.size {
      for x in 0..<code.size {
        hash = (hash ^ (code.isDark(x, y) ? 1 : 0)) &* 0x100_0000_01B3
      }
    }
    return hash
  }

  private func text(_ byteCount: Int) -> String {
    let words = "https://daybook.example/join?code=0123456789abcdef&"
    return String(String(repeating: words, count: 50).prefix(byteCount))
  }

  @Test func `a QR code of every version is what another encoder makes`() throws {
    for (place, other) in Self.others.enumerated() {
      let version = place + 1
      let code = try #require(QRCode(text(other.byteCount), mask: version % 8))
      #expect(code.version == version)
      #expect(hash(code) == other.hash, "version \(version)")
      let next = QRCode(text(other.byteCount + 1))
      #expect(next?.version == (version < 40 ? version + 1 : nil))
    }
  }

  @Test func `a QR code has a mask of its own, and another text another code`() throws {
    let codes = try ["", "a", "b", "ä€😀"].map { try #require(QRCode($0)) }
    #expect(Set(codes.map(hash)).count == codes.count)
    for code in codes { #expect((0...7).contains(code.mask)) }
    let all = try (0...7).map { hash(try #require(QRCode("a", mask: $0))) }
    #expect(Set(all).count == 8)
    #expect(all.contains(hash(codes[1])))
  }

  // MARK: Pictures

  private func isValid(_ xml: String) -> Bool { XMLParser(data: Data(xml.utf8)).parse() }

  @Test func `every picture is XML, whatever its texts`() throws {
    let columns = (0..<30).map {
      ColumnChart.Column(
        label: Self.hostile, share: $0 == 3 ? nil : Double($0) / 20, hint: Self.hostile)
    }
    for svg in [
      try #require(QRCode(Self.hostile)?.svg(label: Self.hostile)),
      Ring(done: 3, of: 4).svg(label: Self.hostile),
      ColumnChart(columns, ticks: ["0", Self.hostile, "1"]).svg(label: Self.hostile),
      ColumnChart([], ticks: []).svg(label: ""),
    ] {
      #expect(isValid(svg), "\(svg)")
      #expect(!svg.contains("<script>"))
    }
    #expect(!isValid("<svg><text>&</text></svg>"), "the parser tells")
  }

  @Test func `a ring is as full as its share, and never more`() {
    #expect(Ring(done: 1, of: 4).body.contains("stroke-dasharray=\"25 100\""))
    #expect(Ring(done: 9, of: 4).body.contains("stroke-dasharray=\"100 100\""))
    #expect(Ring(done: 0, of: 0).body.contains("stroke-dasharray=\"0 100\""))
  }

  @Test func `columns stand on an axis, and labels leave each other room (DG-5)`() {
    func chart(_ count: Int) -> String {
      ColumnChart(
        (0..<count).map { .init(label: "1 Jan", share: $0 == 0 ? nil : 0.5, hint: "\($0)") },
        ticks: ["0 %", "50 %", "100 %"]
      ).body
    }
    let (few, many) = (chart(4), chart(40))
    #expect(few.components(separatedBy: "class=\"axis\"").count == 4)
    #expect(few.components(separatedBy: "class=\"share\"").count == 4, "nothing due, no column")
    #expect(few.components(separatedBy: ">1 Jan<").count == 5)
    #expect((8...20).contains(many.components(separatedBy: ">1 Jan<").count))
    #expect(many.contains(">100 %<"))
  }
}

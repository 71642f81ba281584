import Avro
import PropertyTesting
import Testing

/// JSON text written piece by piece equals the text of the whole value.
@Suite(.tags(.unit)) struct JSONWriterTests {
  @Test func `written JSON parses back to the same value`() {
    let report = check("written and parsed", Self.values, cases: 3000) { value in
      var writer = JSONWriter()
      writer.value(value)
      try expectEqual(try JSON(parsing: writer.bytes), value)
      try expectEqual(JSON(written: { $0.value(value) }), value)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `only characters that JSON requires to be escaped are escaped`() {
    let text = "\u{0}\u{1}\u{1f} \"\\\n\r\t/\u{7f}é🐝"
    #expect(
      JSON.string(text).encoded == #""\u0000\u0001\u001f \"\\\n\r\t/"# + "\u{7f}é🐝\"")
  }

  @Test func `rows are separated by commas or line ends, and their contents by commas`() {
    func rows(_ writer: JSONWriter) -> String {
      var writer = writer
      for number in 0..<3 {
        writer.object { row in
          row.name("n")
          row.array { json in
            json.number(Int64(number))
            json.bool(true)
            json.null()
          }
          row.name("s")
          row.plain { $0 += [0x61] }
        }
      }
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    let row = { (number: Int) in #"{"n":[\#(number),true,null],"s":"a"}"# }
    #expect(rows(JSONWriter()) == (0..<3).map(row).joined(separator: ","))
    #expect(rows(.lines) == (0..<3).map(row).joined(separator: "\n"))
  }

  @Test(arguments: [
    (0, 1, "0"), (7, 3, "007"), (1000, 3, "1000"), (UInt64.max, 1, "18446744073709551615"),
  ])
  func `decimal digits are padded with zeros`(number: UInt64, width: Int, text: String) {
    var bytes: [UInt8] = [0x2D]
    bytes.append(decimal: number, width: width)
    #expect(String(decoding: bytes, as: UTF8.self) == "-" + text)
  }

  @Test func `the smallest integer is written in full`() {
    #expect(JSON(written: { $0.number(.min) }) == .number("-9223372036854775808"))
  }

  /// Values of a few levels, with texts that must be escaped.
  private static let values = Generator<JSON> { source in try value(&source, depth: 0) }

  private static func value(_ source: inout Source, depth: Int) throws -> JSON {
    let texts = ["", "bee", "\"", "\\", "a\nb\u{1}", "é🐝"]
    switch try source.draw(.integer(in: 0...(depth < 3 ? 5 : 3))) {
    case 0: return .null
    case 1: return .bool(try source.draw(.bool()))
    case 2: return .number(try source.draw(.element(of: ["0", "-1", "2.50", "1e9"])))
    case 3: return .string(try source.draw(.element(of: texts)))
    case 4:
      var elements: [JSON] = []
      try source.repeated(0...3) { source in
        elements.append(try value(&source, depth: depth + 1))
      }
      return .array(elements)
    default:
      var members: [JSON.Member] = []
      try source.repeated(0...3) { source in
        members.append(.init("\(members.count)\"", try value(&source, depth: depth + 1)))
      }
      return .object(members)
    }
  }
}

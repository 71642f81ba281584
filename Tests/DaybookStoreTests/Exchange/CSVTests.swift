import Testing

@testable import DaybookStore

@Suite(.tags(.unit)) struct CSVTests {
  static let texts: [(String, [[String]])] = [
    ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
    ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
    ("\u{FEFF}a\rb\r", [["a"], ["b"]]),
    ("\n\na\n\n,\n", [["a"], ["", ""]]),
    ("\"a,\"\"b\"\"\r\nc\",d", [["a,\"b\"\r\nc", "d"]]),
    ("a\"b,\"\",c", [["a\"b", "", "c"]]),
    ("", []),
  ]

  @Test(arguments: texts) func `records are read according to RFC 4180`(
    text: String, records: [[String]]
  ) throws {
    #expect(try read(text).map(\.fields) == records)
  }

  @Test func `a record knows the line on which it begins`() throws {
    let records = try read("a\r\n\"b\nb\r\nb\",c\n\n\"\r\r\"\nd")
    #expect(records.map(\.line) == [1, 2, 6, 9])
    #expect(records.map { $0.fields[0] } == ["a", "b\nb\r\nb", "\r\r", "d"])
  }

  static let wrong: [(String, Int, String)] = [
    ("a\nb,\"c\nd", 2, "never closed"), ("a\n\"b\"c\n", 2, "follows a closing"),
    ("\"a\n\"b", 2, "follows a closing"), ("\"", 1, "never closed"),
  ]

  @Test(arguments: wrong) func `misplaced quotation marks are reported with their line`(
    text: String, line: Int, reason: String
  ) throws {
    let error = #expect(throws: ExchangeError.self) { try read(text) }
    #expect(error?.description.hasPrefix("a.csv, line \(line): ") == true)
    #expect(error?.description.contains(reason) == true)
  }

  @Test func `text that is not UTF-8 is reported with its line`() throws {
    var reader = CSVReader([0x61, 0x0A, 0xFF], file: "a.csv")
    _ = try reader.next()
    #expect(throws: ExchangeError.self) { try reader.next() }
  }

  @Test func `written records read back, whatever the fields hold`() throws {
    let pieces = ["", "a", ",", "\"", "\n", "\r", "\r\n", "é", " ", "\u{FEFF}"]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          let fields = ["x", first + second + third, second, third]
          #expect(try read(CSVWriter.record(fields)).map(\.fields) == [fields])
        }
      }
    }
  }

  @discardableResult
  private func read(_ text: String) throws -> [CSVReader.Record] {
    var reader = CSVReader(Array(text.utf8), file: "a.csv")
    var records: [CSVReader.Record] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }
}

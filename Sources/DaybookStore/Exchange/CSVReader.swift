/// Reads comma-separated values (RFC 4180), a record at a time.
///
///     record = field *("," field) (CRLF | LF | CR | end)
///     field  = text without `,` and line ends | `"` text with `""` for `"`, `"`
///
/// It skips a byte-order mark at the start, and empty lines. A quotation mark inside an unquoted
/// field stands for itself.
struct CSVReader {
  /// The fields of a record, and the line where it begins, from 1.
  struct Record: Hashable {
    var line: Int
    var fields: [String]
  }

  let file: String
  private let bytes: [UInt8]
  /// How many bytes were read.
  private(set) var offset = 0
  private var line = 1

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The next record that is not empty; `nil` after the last.
  mutating func next() throws(ExchangeError) -> Record? {
    while offset < bytes.count {
      let record = try record()
      if record.fields != [""] { return record }
    }
    return nil
  }

  private mutating func record() throws(ExchangeError) -> Record {
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(try field())
      guard offset < bytes.count else { return record }
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: ",") { continue }
      if byte == UInt8(ascii: "\r"), offset < bytes.count, bytes[offset] == UInt8(ascii: "\n") {
        offset += 1
      }
      line += 1
      return record
    }
  }

  /// Reads a field; a comma, a line end or nothing follows it.
  private mutating func field() throws(ExchangeError) -> String {
    let start = line
    var content: [UInt8] = []
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") {
      offset += 1
      try quoted(&content)
    } else {
      let end = bytes[offset...].firstIndex(where: Self.endsField) ?? bytes.count
      content = Array(bytes[offset..<end])
      offset = end
    }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .malformed(file: file, line: start, reason: "the text is not valid UTF-8")
    }
    return text
  }

  private mutating func quoted(_ content: inout [UInt8]) throws(ExchangeError) {
    let start = line
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      guard byte == UInt8(ascii: "\"") else {
        let isSecondOfTwo = byte == UInt8(ascii: "\n") && content.last == UInt8(ascii: "\r")
        if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && !isSecondOfTwo { line += 1 }
        content.append(byte)
        continue
      }
      guard offset < bytes.count, !Self.endsField(bytes[offset]) else { return }
      guard bytes[offset] == UInt8(ascii: "\"") else {
        throw .malformed(file: file, line: line, reason: "text follows a closing quotation mark")
      }
      content.append(byte)
      offset += 1
    }
    throw .malformed(file: file, line: start, reason: "a quotation mark is never closed")
  }

  private static func endsField(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
  }
}

/// Writes comma-separated values (RFC 4180).
enum CSVWriter {
  /// A record with its line end; fields are quoted where they must be.
  static func record(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
        || byte == UInt8(ascii: "\n")
    }
    guard needsQuotes else { return field }
    var text = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text += "\"\"" } else { text.unicodeScalars.append(scalar) }
    }
    return text + "\""
  }
}

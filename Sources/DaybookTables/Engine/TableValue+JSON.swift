package import Avro
import Calendar
import HTTPTypes
import Values

extension TableValue {
  /// Writes the value as it appears in answers.
  package func write(to json: inout JSONWriter) { json.digits { append(to: &$0) } }

  /// Appends the value as it appears in answers: JSON.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let number):
      if number < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(decimal: number.magnitude)
    case .decimal(let digits): bytes.append(contentsOf: digits.utf8)
    case .text(let text): bytes.append(quoted: text)
    case .uuid(let key): bytes.appendQuoted { key.appendText(to: &$0) }
    case .timestamp(let instant): bytes.appendQuoted { instant.appendTimestamp(to: &$0) }
    case .date(let day): bytes.appendQuoted { day.appendText(to: &$0) }
    case .json(let value):
      var json = JSONWriter()
      json.value(value)
      bytes.append(contentsOf: json.bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(quoted: element)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  var json: JSON {
    if case .json(let value) = self { return value }
    return JSON(written: { write(to: &$0) })
  }

  /// The value as text; `nil` for NULL.
  var text: String? {
    switch self {
    case .null: nil
    case .text(let text), .decimal(let text): text
    case .array(let elements):
      "{\(elements.map { Self.quoted($0) }.joined(separator: ","))}"
    case .json(let value): value.encoded
    case .timestamp, .uuid, .date, .bool, .integer: json.text ?? json.encoded
    }
  }

  private static func quoted(_ element: String) -> String {
    let isPlain =
      !element.isEmpty && element.lowercased() != "null"
      && !element.utf8.contains { "{},\"\\ ".utf8.contains($0) || $0 < 0x20 }
    if isPlain { return element }
    var text = "\""
    for scalar in element.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }

  /// Reads a column's value from a body.
  ///
  /// - Parameters:
  ///   - json: The value in the body.
  ///   - type: The column's type.
  ///   - now: The meaning of "now"; `nil` where "now" is not a valid literal.
  /// - Throws: ``TableError``: `22P02`, `22007`, `22008`.
  init(_ json: JSON, _ type: ColumnType, at now: Instant? = nil) throws(TableError) {
    if type == .json {
      self = json == .null ? .null : .json(json)
      return
    }
    switch (json, type) {
    case (.null, _): self = .null
    case (.array(let elements), .textArray):
      var texts: [String] = []
      for element in elements {
        guard element != .null else {
          throw TableError(.badRequest, "22004", "null values are not kept in arrays")
        }
        texts.append(try Self.plainText(element))
      }
      self = .array(texts)
    default: self = try Literal(try Self.plainText(json), type, at: now).value
    }
  }

  /// The text that a JSON value stands for.
  private static func plainText(_ json: JSON) throws(TableError) -> String {
    guard let text = json.text else { return json.encoded }
    guard !text.utf8.contains(0) else {
      throw TableError(
        .badRequest, "22P05", "unsupported Unicode escape sequence",
        details: "\\u0000 cannot be converted to text.")
    }
    return text
  }
}

extension [UInt8] {
  /// Appends a text as a JSON string.
  mutating func append(quoted text: String) {
    let span = text.utf8Span.span
    for place in span.indices {
      let byte = span[place]
      guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
        var json = JSONWriter()
        json.string(text)
        return append(contentsOf: json.bytes)
      }
    }
    // Nearly every text needs no escapes.
    appendQuoted { $0.append(contentsOf: text.utf8) }
  }

  /// Appends text that needs no escapes, in quotation marks.
  fileprivate mutating func appendQuoted(_ append: (inout [UInt8]) -> Void) {
    self.append(UInt8(ascii: "\""))
    append(&self)
    self.append(UInt8(ascii: "\""))
  }
}

extension Instant {
  /// Appends the instant as clients read it: in UTC, with `T`, milliseconds and the offset `+00:00`. Some clients
  /// accept no other form, or ignore the offset.
  fileprivate func appendTimestamp(to bytes: inout [UInt8]) {
    appendText(to: &bytes)
    bytes.removeLast()
    if milliseconds % 1000 == 0 { bytes.append(contentsOf: ".000".utf8) }
    bytes.append(contentsOf: "+00:00".utf8)
  }
}

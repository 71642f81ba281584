package import Avro
import Calendar
import HTTPTypes
import Values

extension Value {
  /// Writes the value as answers have it.
  package func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .bool(let value): json.bool(value)
    case .integer(let number): json.number(number)
    case .decimal(let digits): json.digits(digits)
    case .text(let text): json.string(text)
    case .uuid(let key): json.plain { key.appendText(to: &$0) }
    case .timestamp(let instant): json.plain { instant.appendTimestamp(to: &$0) }
    case .date(let day): json.plain { day.appendText(to: &$0) }
    case .json(let value): json.value(value)
    case .array(let elements):
      json.array { json in
        for element in elements { json.string(element) }
      }
    }
  }

  /// The value as JSON.
  var json: JSON {
    if case .json(let value) = self { return value }
    return JSON(written: { write(to: &$0) })
  }

  /// The value as text; nothing for NULL.
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

  /// Reads what a body gives for a column.
  ///
  /// - Throws: ``TableError``: `22P02`, `22007`, `22008`.
  init(_ json: JSON, _ type: ColumnType) throws(TableError) {
    if type == .json {
      self = json == .null ? .null : .json(json)
      return
    }
    switch (json, type) {
    case (.null, _): self = .null
    case (.array(let elements), .textArray):
      var texts: [String] = []
      for element in elements { texts.append(try Self.plainText(element)) }
      self = .array(texts)
    default: self = try Literal(try Self.plainText(json), type).value
    }
  }

  /// A value of JSON as the text that it stands for.
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

extension Instant {
  /// Appends the instant as clients read it: in UTC, with `T`, milliseconds and the offset `+00:00`. Some take no other
  /// form, and overlook any other offset.
  fileprivate func appendTimestamp(to bytes: inout [UInt8]) {
    appendText(to: &bytes)
    bytes.removeLast()
    if milliseconds % 1000 == 0 { bytes.append(contentsOf: ".000".utf8) }
    bytes.append(contentsOf: "+00:00".utf8)
  }
}

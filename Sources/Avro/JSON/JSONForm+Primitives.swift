extension Bool: JSONForm {
  /// "true or false".
  public static var jsonWords: String { "true or false" }
  /// A boolean.
  public static var jsonSchema: JSON { ["type": "boolean"] }
  /// Both values.
  public static var examples: (Bool, Bool) { (false, true) }
  /// Reads `true` or `false`.
  ///
  /// - Throws: ``JSONFault/form`` for anything else.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let value = json.boolean else { throw .form }
    self = value
  }
  /// `true` or `false`.
  public func json(_ keys: some EntityKeys) -> JSON { .bool(self) }
}

extension String: TextForm {
  /// "a string".
  public static var jsonWords: String { "a string" }
  /// A string.
  public static var jsonSchema: JSON { ["type": "string"] }
  /// Two short texts.
  public static var examples: (String, String) { ("a", "b") }
  /// Any string.
  public init?(formText: String) { self = formText }
  /// The text itself.
  public var formText: String { self }
}

/// A whole number whose JSON form is a number.
public protocol IntegerForm: JSONForm, FixedWidthInteger {}

extension IntegerForm {
  /// "a whole number".
  public static var jsonWords: String { "a whole number" }
  /// An integer.
  public static var jsonSchema: JSON { ["type": "integer"] }
  /// One and two.
  public static var examples: (Self, Self) { (1, 2) }
  /// Reads a whole number that fits the type.
  ///
  /// - Throws: ``JSONFault/form`` for anything else.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let value = json.integer.flatMap(Self.init(exactly:)) else { throw .form }
    self = value
  }
  /// The number.
  public func json(_ keys: some EntityKeys) -> JSON { .number(self) }
}

extension Int: IntegerForm {}
extension Int32: IntegerForm {}
extension Int64: IntegerForm {}

extension Double: JSONForm {
  /// "a number".
  public static var jsonWords: String { "a number" }
  /// A number.
  public static var jsonSchema: JSON { ["type": "number"] }
  /// One and two.
  public static var examples: (Double, Double) { (1, 2) }
  /// Reads a finite number.
  ///
  /// - Throws: ``JSONFault/form`` for anything else.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard case .number(let text) = json, let value = Double(text), value.isFinite else {
      throw .form
    }
    self = value
  }
  /// The shortest form of the number.
  public func json(_ keys: some EntityKeys) -> JSON { .number(description) }
}

extension AvroBytes: TextForm {
  /// "bytes in hexadecimal digits".
  public static var jsonWords: String { "bytes in hexadecimal digits" }
  /// Pairs of digits.
  public static var jsonSchema: JSON {
    ["type": "string", "pattern": "^([0-9a-f]{2})*$"]
  }
  /// One byte each.
  public static var examples: (AvroBytes, AvroBytes) { (AvroBytes([0]), AvroBytes([1])) }
  /// Reads pairs of digits.
  public init?(formText: String) {
    let digits = Array(formText.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: digits[place]), let low = Self.value(of: digits[place + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }
  /// Pairs of digits.
  public var formText: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}

extension Optional: JSONForm where Wrapped: JSONForm {
  /// The form of the wrapped type, or null.
  public static var jsonWords: String { "\(Wrapped.jsonWords), or null" }
  /// The schema of the wrapped type, or null.
  public static var jsonSchema: JSON {
    if case .string(let type)? = Wrapped.jsonSchema["type"], Wrapped.jsonSchema["enum"] == nil {
      return .object(
        (Wrapped.jsonSchema.members ?? []).map { member in
          member.name == "type" ? .init("type", [.string(type), "null"]) : member
        })
    }
    return ["anyOf": [Wrapped.jsonSchema, ["type": "null"]]]
  }
  /// An optional accepts null.
  public static var takesNull: Bool { true }
  /// The examples of the wrapped type.
  public static var examples: (Wrapped?, Wrapped?) { Wrapped.examples }
  /// Reads null or a value.
  ///
  /// - Throws: ``JSONFault``.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    self = json == .null ? nil : .some(try Wrapped(json: json, keys))
  }
  /// The value, or null.
  public func json(_ keys: some EntityKeys) -> JSON { self?.json(keys) ?? .null }
}

extension Array: JSONForm where Element: JSONForm {
  /// "a list, each item a string".
  public static var jsonWords: String { "a list, each item \(Element.jsonWords)" }
  /// An array.
  public static var jsonSchema: JSON { ["type": "array", "items": Element.jsonSchema] }
  /// Lists of one element.
  public static var examples: ([Element], [Element]) {
    ([Element.examples.0], [Element.examples.1])
  }
  /// Reads a list.
  ///
  /// - Throws: ``JSONFault``.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let elements = json.elements else { throw .form }
    self = []
    reserveCapacity(elements.count)
    for element in elements { append(try Element(json: element, keys)) }
  }
  /// The list.
  public func json(_ keys: some EntityKeys) -> JSON { .array(map { $0.json(keys) }) }
}

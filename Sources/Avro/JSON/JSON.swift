/// A JSON value (RFC 8259) that preserves the order of an object's members, and numbers exactly as written.
public enum JSON: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number as it was written: `2.50` is not `2.5`.
  case number(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object, with its members in the order in which they were written.
  case object([Member])

  /// A name and value of an object.
  public struct Member: Hashable, Sendable {
    /// The name; the parser ensures that it is unique in its object.
    public var name: String
    /// The value.
    public var value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// A whole number.
  public static func number(_ value: some BinaryInteger) -> JSON { .number(String(value)) }

  /// The value of the member with this name, if this is an object that has one.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text, if this is a string.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The elements, if this is an array.
  public var elements: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members, if this is an object.
  public var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The whole number, if this is one and fits an `Int`.
  public var integer: Int? {
    guard case .number(let text) = self else { return nil }
    return Int(text)
  }

  /// The Boolean, if this is one.
  public var boolean: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The kind of value, in words for an error message.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object, with its members in the given order.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}

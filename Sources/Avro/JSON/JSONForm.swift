/// A type whose values have a JSON form, in which clients send and receive them.
///
/// The form is made for people and their programs: a day is `"2026-03-01"`, an entity is its key. (For Avro's
/// own JSON encoding see ``SchemaTranscoder``.)
public protocol JSONForm: Sendable {
  /// The description of the form, worded as the end of a sentence: "a date such as 2026-03-01".
  static var jsonWords: String { get }
  /// The form in JSON Schema (draft 2020-12).
  static var jsonSchema: JSON { get }
  /// Whether `null` is a value of the type.
  static var takesNull: Bool { get }
  /// Two different values, so that every value differs from at least one of them.
  static var examples: (Self, Self) { get }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - json: The JSON form.
  ///   - keys: Maps keys to entity numbers.
  /// - Throws: ``JSONFault`` when the form is wrong, or names nothing.
  init(json: JSON, _ keys: some EntityKeys) throws(JSONFault)

  /// The JSON form of the value; `keys` maps entity numbers to keys.
  func json(_ keys: some EntityKeys) -> JSON
}

extension JSONForm {
  /// By default a type does not accept null.
  public static var takesNull: Bool { false }
}

/// A reason why JSON is not a value of a type.
public enum JSONFault: Error, Hashable {
  /// It has another form.
  case form
  /// It is a key, but not of an entity of this kind, which is named as in the schema: "habit-number".
  case unknown(String)
}

/// Maps between entity numbers, which records contain, and keys, which clients use.
public protocol EntityKeys {
  /// The number of an entity.
  ///
  /// - Throws: ``JSONFault`` when the JSON is not a key, or not one of an entity of that kind.
  func number(of key: JSON, in kind: StaticString) throws(JSONFault) -> Int32
  /// The key of an entity; null when there is no such entity.
  func key(of number: Int32, in kind: StaticString) -> JSON
}

/// A type whose JSON form is a string.
public protocol TextForm: JSONForm {
  /// Reads the string; `nil` for any other.
  init?(formText: String)
  /// The string.
  var formText: String { get }
}

extension TextForm {
  /// Reads a value.
  ///
  /// - Throws: ``JSONFault/form`` when it is not the form of a value.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let text = json.text, let value = Self(formText: text) else { throw .form }
    self = value
  }

  /// The string.
  public func json(_ keys: some EntityKeys) -> JSON { .string(formText) }
}

/// A type whose values have one form in JSON, in which clients say them and are told them.
///
/// It is made for people and their programs: a day is `"2026-03-01"`, an entity its key. (What Avro itself calls the
/// JSON encoding is ``SchemaTranscoder``'s.)
public protocol JSONForm: Sendable {
  /// What its form is, as the end of a sentence: "a date such as 2026-03-01".
  static var jsonWords: String { get }
  /// Its form, as JSON Schema (draft 2020-12) has it.
  static var jsonSchema: JSON { get }
  /// Whether `null` is a value of the type.
  static var takesNull: Bool { get }
  /// Two different values: every value differs from one of them at least.
  static var examples: (Self, Self) { get }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - json: Its form.
  ///   - keys: Tells which number an entity has.
  /// - Throws: ``JSONFault`` when it is no such form, or names nothing.
  init(json: JSON, _ keys: some EntityKeys) throws(JSONFault)

  /// The value's form; the keys tell how clients name entities.
  func json(_ keys: some EntityKeys) -> JSON
}

extension JSONForm {
  /// Only what may be absent takes null.
  public static var takesNull: Bool { false }
}

/// Why JSON is no value of a type.
public enum JSONFault: Error, Hashable {
  /// It has another form.
  case form
  /// It is a key, but of nothing of this kind, which is named as in the schema: "habit-number".
  case unknown(String)
}

/// Numbers of entities as records have them, and their keys as clients say them.
public protocol EntityKeys {
  /// The number of an entity.
  ///
  /// - Throws: ``JSONFault`` when the key is none, or of nothing of that kind.
  func number(of key: JSON, in kind: StaticString) throws(JSONFault) -> Int32
  /// The key of an entity; null when there is none.
  func key(of number: Int32, in kind: StaticString) -> JSON
}

/// A type whose form in JSON is a string.
public protocol TextForm: JSONForm {
  /// Reads the string; nothing for another.
  init?(formText: String)
  /// The string.
  var formText: String { get }
}

extension TextForm {
  /// Reads a value.
  ///
  /// - Throws: ``JSONFault/form`` when it is no such string.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let text = json.text, let value = Self(formText: text) else { throw .form }
    self = value
  }

  /// The string.
  public func json(_ keys: some EntityKeys) -> JSON { .string(formText) }
}

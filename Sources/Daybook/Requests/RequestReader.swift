package import Values
package import Calendar
public import Avro

/// Reads the fields of a command's JSON object, and refuses any that are left over.
public struct RequestReader {
  /// The state in which keys are looked up.
  public package(set) var state: BookState
  /// The word for what is read: "command", "question".
  package var noun = "command"
  /// Hashes normalised values with the pepper, if one is set: the domain does not know it.
  public let hashing: Request.Hashing?
  /// The actor, if there is one: values that are left out may follow from it.
  public package(set) var actor: Account.ID?
  /// The account whose view is used: the key of something that it may not see names nothing. Nobody when everything is
  /// visible.
  package var viewer: Account.ID?
  /// Looks up the command to undo.
  let past: Request.Past?
  private let members: [JSON.Member]
  /// Whether each member was read.
  private var used: [Bool]
  /// Whether the visited columns belong to a patch: an absent one is left alone, and null clears.
  var isPatching = false
  /// The changes of the patch so far, and the index of the next column.
  var changes: [ColumnChange] = []
  var nextPlace = 0

  /// Reads from an object.
  ///
  /// - Throws: ``Rejection`` when it is not an object.
  public init(
    _ json: JSON, _ state: BookState, hashing: Request.Hashing? = nil, past: Request.Past? = nil
  ) throws(Rejection) {
    guard let members = json.members else {
      throw .notAnObject(json)
    }
    self.members = members
    used = Array(repeating: false, count: members.count)
    self.state = state
    self.hashing = hashing
    self.past = past
  }

  /// Refuses fields that were not read.
  ///
  /// - Throws: ``Rejection`` that names the first.
  public func finish() throws(Rejection) {
    if let place = used.firstIndex(of: false) {
      throw .unknownField(members[place].name, of: noun)
    }
  }

  /// The value of a field, if it is there.
  mutating func value(_ name: String) -> JSON? {
    guard let place = members.firstIndex(where: { $0.name == name }) else { return nil }
    used[place] = true
    return members[place].value
  }

  /// A field that may be absent or null, read by a closure that returns `nil` for a value it does not accept.
  mutating func optional<Value>(
    _ name: String, _ what: String, _ read: (JSON) -> Value?
  ) throws(Rejection) -> Value? {
    guard let json = value(name), json != .null else { return nil }
    guard let value = read(json) else { throw .invalidField(name, "\(json.shown) is not \(what)") }
    return value
  }

  mutating func required<Value>(
    _ name: String, _ what: String, _ read: (JSON) -> Value?
  ) throws(Rejection) -> Value {
    guard let value = try optional(name, what, read) else { throw .missingField(name, of: noun) }
    return value
  }
}

extension JSON {
  /// The value for an error message, cut to a readable length.
  var shown: String {
    let text = encoded
    return text.count > 60 ? String(text.prefix(57)) + "..." : text
  }
}

extension RequestReader {
  package mutating func text(_ name: String) throws(Rejection) -> String {
    try required(name, "a string") { $0.text }
  }

  package mutating func optionalText(_ name: String) throws(Rejection) -> String? {
    try optional(name, "a string") { $0.text }
  }

  package mutating func optionalKey(_ name: String) throws(Rejection) -> Key? {
    try optional(name, "a UUID") { $0.text.flatMap { Key($0) } }
  }

  package mutating func optionalDay(_ name: String) throws(Rejection) -> Day? {
    try optional(name, "a date such as 2026-03-01") { $0.text.flatMap { Day($0) } }
  }

  package mutating func optionalInstant(_ name: String) throws(Rejection) -> Instant? {
    try optional(name, "a time such as 2026-03-01T12:00:00Z") { $0.text.flatMap { Instant($0) } }
  }

  /// The day of a log: `day` if given, else `p_at`, else the book's clock.
  mutating func dayChoice() throws(Rejection) -> DayChoice {
    let day = try optionalDay("day")
    let instant = try optionalInstant("p_at")
    if let day { return .day(day) }
    return instant.map { .dayOf($0) } ?? .today
  }
}

extension Amount {
  static let words = "a number from 0 to 1000000000 with at most three fraction digits"
}

extension JSON {
  var amount: Amount? {
    guard case .number(let text) = self else { return nil }
    return Amount(text)
  }
}

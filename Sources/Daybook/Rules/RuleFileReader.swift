import Avro
import Streaks

/// Reads the fields of a rule file from JSON, and refuses unknown ones.
struct RuleFileReader: RuleFieldVisitor {
  /// The path of the fields in the file: "grace.".
  private let path: String
  private let members: [JSON.Member]
  private var used: Set<String> = []

  /// Reads from an object.
  ///
  /// - Throws: ``Rejection`` when it is not an object.
  init(_ json: JSON, at path: String = "") throws(Rejection) {
    guard let members = json.members else {
      let field = path.isEmpty ? "rule" : String(path.dropLast())
      throw .invalidField(field, "\(json.shown) is not an object")
    }
    self.members = members
    self.path = path
  }

  /// The value of a field, if it is there.
  mutating func value(_ name: String) -> JSON? {
    used.insert(name)
    return members.first { $0.name == name }?.value
  }

  /// Refuses fields that were not read.
  ///
  /// - Throws: ``Rejection`` that names the first.
  func finish() throws(Rejection) {
    if let member = members.first(where: { !used.contains($0.name) }) {
      throw .unknownField(path + member.name, of: "rule")
    }
  }

  mutating func word<Word: RuleWord>(
    _ name: String, _ value: inout Word?, _ doc: String, isNeeded: Bool
  ) throws(Rejection) {
    guard let json = try given(name, isNeeded) else { return }
    value = nil
    guard json != .null else { return }
    guard let word = json.text.flatMap({ Word(word: $0) }) else {
      throw .invalidField(
        path + name, "\(json.shown) is none of \(Word.words.joined(separator: ", "))")
    }
    value = word
  }

  mutating func number(
    _ name: String, _ value: inout Int?, _ bounds: ClosedRange<Int>, _ doc: String, isNeeded: Bool
  ) throws(Rejection) {
    guard let json = try given(name, isNeeded) else { return }
    value = nil
    guard json != .null else { return }
    guard let number = json.integer, bounds.contains(number) else {
      throw .invalidField(
        path + name,
        "\(json.shown) is not a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    value = number
  }

  mutating func group<Group: RuleGroup>(
    _ name: String, _ value: inout Group?, _ doc: String
  ) throws(Rejection) {
    guard let json = self.value(name) else { return }
    value = nil
    guard json != .null else { return }
    var reader = try RuleFileReader(json, at: path + name + ".")
    var group = Group.blank
    try group.visitFields(&reader)
    try reader.finish()
    value = group
  }

  /// The value of a field, or null where that is allowed; nothing when the field is absent.
  ///
  /// - Throws: ``Rejection`` when the field is required.
  private mutating func given(_ name: String, _ isNeeded: Bool) throws(Rejection) -> JSON? {
    let json = value(name)
    if isNeeded, json ?? .null == .null { throw .missingField(path + name, of: "rule") }
    return json
  }
}

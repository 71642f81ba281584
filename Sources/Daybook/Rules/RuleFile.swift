import Calendar
package import Avro
package import Streaks

/// A streak rule as a file of JSON that anybody can write (`Docs/Rules.md`).
///
/// Judging by any file takes one pass and a state of fixed size, because every number in a file is bounded.
package enum RuleFile {
  /// The maximum size of a rule file.
  package static let maximumByteCount = 65_536
  /// The maximum number of days on which a rule changes.
  static let maximumChangeCount = 32
  /// The maximum length of the sentence about a rule.
  static let maximumAboutLength = 300

  /// Reads a rule file.
  ///
  /// - Throws: ``Rejection`` that names the field.
  package static func rule(_ bytes: [UInt8]) throws(Rejection) -> RuleDefinition {
    guard bytes.count <= maximumByteCount else {
      throw .invalidField("rule", "a rule file has at most \(maximumByteCount) bytes")
    }
    let json: JSON
    do { json = try JSON(parsing: bytes) } catch {
      throw .invalidField("rule", error.description)
    }
    return try rule(json)
  }

  /// Reads a rule that anybody may have written.
  ///
  /// - Throws: ``Rejection`` that names the field; also when it has the name of a rule that comes with Daybook but
  ///   judges differently.
  package static func rule(_ json: JSON) throws(Rejection) -> RuleDefinition {
    let rule = try read(json)
    if let own = shipped.first(where: { $0.id == rule.id }), !own.judges(as: rule) {
      throw .invalidField(
        "name",
        "\(rule.id) is the name of a different rule that comes with Daybook; choose another name"
      )
    }
    return rule
  }

  /// Reads a rule, whatever its name.
  ///
  /// - Throws: ``Rejection`` that names the field.
  static func read(_ json: JSON) throws(Rejection) -> RuleDefinition {
    var reader = try RuleFileReader(json)
    // Editors use the member to find the schema.
    _ = reader.value("$schema")
    let name = try Self.name(reader.value("name"))
    var version: Int? = 1
    try reader.number("version", &version, 1...1_000_000, "", isNeeded: false)
    let about = try Self.about(reader.value("about"))
    var base: RuleDefinition.Base? = .daybook
    try reader.word("base", &base, "", isNeeded: false)
    let holds = try Self.holds(reader.value("holds"))
    var clauses = RuleClauses()
    try visit(&clauses, &reader, "")
    let changes = try Self.changes(reader.value("changes"), after: clauses)
    try reader.finish()
    return RuleDefinition(
      id: name, version: version ?? 1, about: about, base: base ?? .daybook, clauses,
      changes: changes, holds: holds)
  }

  private static func visit(
    _ clauses: inout RuleClauses, _ reader: inout RuleFileReader, _ path: String
  ) throws(Rejection) {
    try clauses.visitFields(&reader)
    if let grace = clauses.grace, grace.misses == nil, grace.inARow == nil {
      throw .missingField("\(path)grace.misses", of: "rule")
    }
  }

  private static func name(_ json: JSON?) throws(Rejection) -> String {
    guard let json else { throw .missingField("name", of: "rule") }
    guard let name = json.text, (1...64).contains(name.utf8.count),
      name.utf8.allSatisfy({ isNameByte($0) })
    else {
      throw .invalidField("name", "\(json.shown) is not 1 to 64 of a-z, 0-9 and -")
    }
    return name
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
  }

  private static func about(_ json: JSON?) throws(Rejection) -> String {
    guard let json, json != .null else { return "" }
    guard let text = json.text, text.count <= maximumAboutLength else {
      throw .invalidField(
        "about", "it is not a sentence of at most \(maximumAboutLength) characters")
    }
    return text
  }

  private static func holds(_ json: JSON?) throws(Rejection) -> [StreakLaw] {
    guard let json, json != .null else { return [] }
    guard let elements = json.elements else {
      throw .invalidField("holds", "\(json.shown) is not a list of laws")
    }
    var laws: [StreakLaw] = []
    for element in elements {
      guard let law = element.text.flatMap({ StreakLaw(word: $0) }) else {
        throw .invalidField(
          "holds", "\(element.shown) is none of \(StreakLaw.words.joined(separator: ", "))")
      }
      if !laws.contains(law) { laws.append(law) }
    }
    return laws
  }

  /// The changes; fields that a change leaves out stay as they were before.
  private static func changes(
    _ json: JSON?, after clauses: RuleClauses
  ) throws(Rejection) -> [RuleDefinition.Stage] {
    guard let json, json != .null else { return [] }
    guard let elements = json.elements, elements.count <= maximumChangeCount else {
      throw .invalidField("changes", "it is not a list of at most \(maximumChangeCount) changes")
    }
    var stages: [RuleDefinition.Stage] = []
    for (index, element) in elements.enumerated() {
      let path = "changes[\(index)]."
      var reader = try RuleFileReader(element, at: path)
      guard let day = reader.value("from")?.text.flatMap({ Day($0) }) else {
        throw .invalidField(path + "from", "it is not a date such as 2026-03-01")
      }
      if let last = stages.last, last.from >= day {
        throw .invalidField(path + "from", "\(day) is not after \(last.from)")
      }
      var changed = stages.last?.clauses ?? clauses
      try visit(&changed, &reader, path)
      try reader.finish()
      stages.append(RuleDefinition.Stage(from: day, changed))
    }
    return stages
  }
}

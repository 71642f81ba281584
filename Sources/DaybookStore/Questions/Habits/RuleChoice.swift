package import Avro
package import Daybook

/// A streak rule as a question gives it: the name of one that comes with Daybook, or the contents
/// of a rule file.
package struct RuleChoice: Sendable, Hashable {
  private let json: JSON

  /// Chooses a rule that comes with Daybook, or a rule made of clauses; a rule in code has no JSON form.
  package init(_ rule: StreakRule) {
    let isShipped = StreakRule.shipped(named: rule.id)?.definition == rule.definition
    json = isShipped ? .string(rule.id) : rule.definition.map { RuleFile.json($0) } ?? .null
  }

  /// No rule yet.
  init() { json = .null }

  /// Finds the rule.
  ///
  /// - Parameter field: The field that names it.
  /// - Returns: The rule.
  /// - Throws: ``Rejection`` for the field when there is no such rule, or its definition is not
  ///   valid.
  package func rule(in field: String) throws(Rejection) -> StreakRule {
    guard let text = json.text else {
      do { return StreakRule(try RuleFile.rule(json)) } catch {
        throw .invalidField(field, String(error.description.dropLast()))
      }
    }
    guard let rule = StreakRule.shipped(named: text) else {
      let names = StreakRule.shipped.map(\.id).joined(separator: ", ")
      throw .invalidField(field, "\"\(text)\" is none of the rules \(names)")
    }
    return rule
  }
}

extension RuleChoice: JSONForm {
  package static var jsonWords: String { "the name of a rule, or a rule" }

  package static var jsonSchema: JSON {
    [
      "anyOf": [
        ["enum": .array(StreakRule.shipped.map { .string($0.id) })],
        ["type": "object", "description": "a rule, as a rule file has it"],
      ]
    ]
  }

  package static var examples: (RuleChoice, RuleChoice) {
    (RuleChoice(.daybook), RuleChoice(.loop))
  }

  package init(json: JSON, _ keys: some Avro.EntityKeys) throws(JSONFault) {
    guard json.text != nil || json.members != nil else { throw .form }
    self.json = json
  }

  package func json(_ keys: some Avro.EntityKeys) -> JSON { json }
}

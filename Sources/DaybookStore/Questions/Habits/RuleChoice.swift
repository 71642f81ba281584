package import Avro
package import Daybook

/// A streak rule as a question names it: one that comes with Daybook by its name, or any other as a rule file has it.
package struct RuleChoice: Sendable, Hashable {
  private let json: JSON

  /// Names a rule that comes with Daybook or is made of clauses; one in code of one's own has no form in JSON.
  package init(_ rule: StreakRule) {
    let isShipped = StreakRule.shipped(named: rule.id)?.definition == rule.definition
    json = isShipped ? .string(rule.id) : rule.definition.map { RuleFile.json($0) } ?? .null
  }

  /// None yet.
  init() { json = .null }

  /// Finds the rule.
  ///
  /// - Parameter field: By which it is named.
  /// - Returns: The rule.
  /// - Throws: ``Rejection`` that names the field: there is no such rule, or it is none.
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

package import Avro
package import Daybook

/// `rules`: the streak rules that come with Daybook.
package struct RulesQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "rules", "The streak rules that come with Daybook.",
    answer: "a list of name, version, about, base, holds", asker: .anybody, [])
  package static let defaults = RulesQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  package func answer(from view: BookView, for asker: Account.ID?) -> RuleList { RuleList() }
}

/// The streak rules that come with Daybook; listing them needs no book.
package struct RuleList: Listing, QuestionAnswer {
  package let rules = RuleFile.shipped

  /// All of them.
  package init() {}

  /// How many there are.
  package var stepCount: Int { rules.count }

  /// Writes one row for each rule.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for rule in rules[steps] {
      let row = RuleFile.json(rule).members ?? []
      let head = ["name", "version", "about", "base", "holds"]
      rows.value(.object(row.filter { head.contains($0.name) }))
    }
  }
}

/// A rule in the form of a rule file.
package struct RuleFileAnswer: QuestionAnswer {
  private let rule: RuleDefinition

  /// Shows a rule.
  package init(_ rule: RuleDefinition) { self.rule = rule }

  /// Writes the rule.
  package func write(to json: inout JSONWriter) { json.value(RuleFile.json(rule)) }

  /// The rule, one clause on each line.
  package var lines: [String] {
    let members = RuleFile.json(rule).members ?? []
    let all = members.map { "  \(JSON.string($0.name).encoded): \($0.value.encoded)" }
    return ["{"] + all.dropLast().map { $0 + "," } + all.suffix(1) + ["}"]
  }
}

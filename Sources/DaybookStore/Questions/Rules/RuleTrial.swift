package import Avro
package import Daybook

/// The result of testing a rule: whether each law, or the comparison with another rule, holds, and
/// if not, the smallest history that shows it.
package struct RuleTrial: QuestionAnswer {
  /// The result for one law.
  package struct Line: Sendable {
    /// The name of the law, or of the rule compared with.
    package var name: String
    /// The law in one sentence.
    package var sentence: String
    /// Whether the rule claims that the law holds; nil where it claims nothing.
    package var isClaimed: Bool?
    /// Whether this is a comparison with another rule, not a law.
    package var isComparison: Bool
    /// In how many histories it held.
    package var caseCount: Int
    /// The smallest history in which it does not hold, and why.
    package var counterExample: (history: HabitHistory, because: String, seed: String)?

    package init(
      name: String, sentence: String, isClaimed: Bool?, caseCount: Int,
      counterExample: (history: HabitHistory, because: String, seed: String)?,
      isComparison: Bool = false
    ) {
      self.name = name
      self.sentence = sentence
      self.isClaimed = isClaimed
      self.caseCount = caseCount
      self.counterExample = counterExample
      self.isComparison = isComparison
    }

    /// Whether the rule claims that the law holds, or claims nothing, and it does not hold.
    package var isBroken: Bool { counterExample != nil && isClaimed ?? true }
  }

  private let rule: StreakRule
  /// The results.
  package let lines: [Line]

  package init(_ rule: StreakRule, _ lines: [Line]) {
    self.rule = rule
    self.lines = lines
  }

  /// Writes the result of each.
  package func write(to json: inout JSONWriter) {
    json.object { row in
      row.member("rule", rule.id)
      row.member("version", rule.version)
      row.member("checked", lines) { json, line in json.value(self.json(line)) }
    }
  }

  private func json(_ line: Line) -> JSON {
    var members: [JSON.Member] = [
      .init("name", .string(line.name)), .init("holds", .bool(line.counterExample == nil)),
      .init("claimed", line.isClaimed.map { .bool($0) } ?? .null),
      .init("cases", .number(line.caseCount)),
    ]
    if let found = line.counterExample {
      let commands = HistoryCommands(found.history)
      members += [
        .init("because", .string(found.because)), .init("seed", .string(found.seed)),
        .init("as_of", .string("\(commands.asOf)")),
        .init("commands", .array(commands.lines.compactMap { try? JSON(parsing: $0) })),
      ]
    }
    return .object(members)
  }
}

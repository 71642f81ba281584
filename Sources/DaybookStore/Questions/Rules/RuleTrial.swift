package import Avro
package import Daybook

/// What came of putting a rule to the test: for each law, or for the rule that it is compared with, whether it holds, and
/// if not, the smallest history that shows it.
package struct RuleTrial: QuestionAnswer {
  /// What came of one law.
  package struct Line: Sendable {
    /// The law, or the rule that it is compared with.
    package var name: String
    /// In a sentence.
    package var sentence: String
    /// Whether the rule says that it holds; nothing where it says nothing.
    package var isClaimed: Bool?
    /// Whether it is another rule, and no law.
    package var isComparison: Bool
    /// How many histories held it.
    package var caseCount: Int
    /// The smallest history on which it does not hold, and why.
    package var counterExample: (history: HabitHistory, because: String, seed: String)?

    /// What came of it.
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

    /// Whether the rule says that it holds, or says nothing, and it does not.
    package var isBroken: Bool { counterExample != nil && isClaimed ?? true }
  }

  private let rule: StreakRule
  /// What came of each.
  package let lines: [Line]

  /// What came of it.
  package init(_ rule: StreakRule, _ lines: [Line]) {
    self.rule = rule
    self.lines = lines
  }

  /// Writes the outcome of each.
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

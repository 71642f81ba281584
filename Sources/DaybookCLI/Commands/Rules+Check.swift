import ArgumentParser
import Daybook
import DaybookStore
import PropertyTesting
import StreakLaws

extension Rules {
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Test a rule: does it hold the laws that it claims to hold?",
      discussion: """
        Each law is tried over random histories. If the rule breaks a law, the smallest history \
        that shows it is printed: its days, the commands that make it (for `daybook apply`), and \
        the seed that finds it again. The exit code is 1 if the rule breaks a law that it claims \
        to hold.
        """)

    @Argument(help: "The rule: a name of `daybook rules`, or a rule file.")
    var rule: String

    @Option(help: "How many histories are tried for each law.")
    var cases = 1000

    @Option(help: "Try the histories of this seed (default: different ones each time).")
    var seed: String?

    @Option(help: "This law alone; may be given again (default: all of them).")
    var law: [String] = []

    @Option(help: "Look for the smallest history on which this rule gives a different streak.")
    var against: String?

    @Flag(name: .long, help: "Answer in JSON.")
    var json = false

    func run() throws {
      guard (1...10_000_000).contains(cases) else {
        throw ValidationError("--cases is 1 to 10000000")
      }
      let rule = try tested()
      let seed = try seed.map { try Self.seed($0) }
      var lines: [RuleTrial.Line] = []
      if let against {
        let other = try RuleArgument.rule(against)
        let report = StreakLaws.check(rule, against: other, cases: cases, seed: seed)
        lines.append(
          Self.line(
            other.id, "the same streaks as \(rule.id)", isClaimed: false, report,
            isComparison: true))
      } else {
        for report in StreakLaws.check(rule, laws: try laws(), cases: cases, seed: seed) {
          lines.append(
            Self.line(
              report.law.rawValue, report.law.sentence, isClaimed: report.isClaimed, report.report))
        }
      }
      let trial = RuleTrial(rule, lines)
      if json { Output.answer(trial) } else { Self.print(trial, rule) }
      if lines.contains(where: \.isBroken) { throw ExitCode(1) }
    }

    /// The rule as its file defines it, if there is one, since a file lists the laws it claims.
    private func tested() throws -> StreakRule {
      if let shipped = RuleFile.shipped.first(where: { $0.id == rule }) {
        return StreakRule(shipped)
      }
      return try RuleArgument.rule(rule)
    }

    private func laws() throws -> [StreakLaw] {
      guard !law.isEmpty else { return StreakLaw.allCases }
      return try law.map { name in
        guard let law = StreakLaw(rawValue: name) else {
          let names = StreakLaw.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("there is no law \(quoted(name)); the laws are \(names)")
        }
        return law
      }
    }

    private static func seed(_ text: String) throws -> UInt64 {
      let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
      guard let seed = UInt64(digits, radix: text.hasPrefix("0x") ? 16 : 10) else {
        throw ValidationError("--seed: \(quoted(text)) is not a seed such as 7 or 0x1f")
      }
      return seed
    }

    private static func line(
      _ name: String, _ sentence: String, isClaimed: Bool?, _ report: Report<HabitHistory>,
      isComparison: Bool = false
    ) -> RuleTrial.Line {
      RuleTrial.Line(
        name: name, sentence: sentence, isClaimed: isClaimed, caseCount: report.cases,
        counterExample: report.counterExample.map { found in
          let because = (found.error as? Falsified)?.message ?? "\(found.error)"
          let seed = "0x" + String(found.seed ?? 0, radix: 16)
          return (found.minimal, because, seed)
        }, isComparison: isComparison)
    }

    private static func print(_ trial: RuleTrial, _ rule: StreakRule) {
      for line in trial.lines {
        guard let found = line.counterExample else {
          let cases = line.caseCount == 1 ? "1 history" : "\(line.caseCount) histories"
          Output.line("✓ \(line.name): \(line.sentence), in \(cases)")
          continue
        }
        // A rule does not claim to equal another rule.
        let sentence =
          line.isComparison
          ? "streaks that differ from those of \(rule.id)"
          : line.sentence
            + (line.isClaimed.map {
              $0 ? "; it claims to hold" : "; it does not claim to hold"
            } ?? "")
        Output.line(Style.bold("✕ \(line.name): \(sentence)"))
        Output.line("  \(found.because) (seed \(found.seed))")
        for week in HistoryComb(found.history, rule).lines { Output.line("  " + week) }
        let commands = HistoryCommands(found.history)
        Output.line(
          Style.faint("  for `daybook apply`, asked with --as-of \(commands.asOf):"))
        for command in commands.lines { Output.line("  " + command) }
      }
    }
  }
}

/// Formats a history as a comb: one line for each week, with the mark of each day and the streak after it.
private struct HistoryComb {
  private let days: [JudgedDay]

  init(_ history: HabitHistory, _ rule: StreakRule) {
    let last = history.today
    days = rule.judgement(of: history).days.filter { $0.day <= last }
  }

  var lines: [String] {
    var weeks: [(monday: Day, cells: [String])] = []
    for day in days {
      let monday = day.day.advanced(by: -day.day.weekday)
      if weeks.last?.monday != monday {
        weeks.append((monday, [String](repeating: "", count: 7)))
      }
      weeks[weeks.count - 1].cells[day.day.weekday] = "\(day.mark.symbol) \(day.streak)"
    }
    let cells = weeks.map { week in
      Self.line("\(week.monday)  ", week.cells)
    }
    return [Self.line("week of     ", Day.weekdayNames)] + cells
  }

  /// The cells of a week, each in its column, without trailing spaces.
  private static func line(_ head: String, _ cells: [String]) -> String {
    let last = cells.lastIndex { !$0.isEmpty } ?? 0
    return head + cells[..<last].map { $0.padded(to: 5) }.joined() + cells[last]
  }
}

extension String {
  /// The text padded with trailing spaces.
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - columnCount))
  }
}

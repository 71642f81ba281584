import ArgumentParser
import Daybook
import DaybookStore

struct Rules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract:
      "List the streak rules; show one as a file, or test one. It needs no book.",
    subcommands: [List.self, Show.self, Check.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the rules that come with Daybook (the default).")

    @Flag(name: .long, help: "Answer in JSON.")
    var json = false

    func run() {
      let list = RuleList()
      if json { return Output.answer(list) }
      var table = TextTable([.whole("rule", 9), .number("", 1), .text("what it says", 8)])
      for rule in list.rules { table.add([rule.id, String(rule.version), rule.about]) }
      table.print()
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a rule in the form of a rule file: a start for your own."
    )

    @Argument(help: "The rule: a name of `daybook rules`, or a rule file.")
    var rule: String

    @Flag(name: .long, help: "On one line.")
    var json = false

    func run() throws {
      let answer = RuleFileAnswer(try RuleArgument.file(rule))
      if json { return Output.answer(answer) }
      for line in answer.lines { Output.line(line) }
    }
  }
}

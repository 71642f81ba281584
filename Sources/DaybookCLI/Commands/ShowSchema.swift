import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct ShowSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "What `apply` and `ask` take: commands, questions and their columns; it needs no book.",
    discussion: """
      daybook schema create_habit
      daybook schema --questions heatmap
      daybook schema rule
      daybook schema --json

      With --json it is a JSON Schema (draft 2020-12) of one of them, or of all.
      """)

  @Argument(
    help: """
      A command such as create_habit, or a question (default: all of them); or rule: what a rule file may say, as \
      JSON Schema.
      """)
  var name: String?

  @Flag(help: "Questions instead of commands.")
  var questions = false

  @Flag(help: "By which words people carry out each command of `apply`; a tab stands between.")
  var words = false

  @Flag(help: "As JSON Schema.")
  var json = false

  @OptionGroup var screen: ScreenOptions

  /// What is shown of a command or a question.
  private struct Described {
    let name: String
    let summary: String
    let columns: [Column]
    let answer: String
    let schema: JSON

    init(_ command: any ColumnCommand.Type) {
      (name, summary, answer) = (command.form.name, command.form.summary, command.form.answer)
      (columns, schema) = (command.columns, command.schema)
    }

    init(_ question: any Question.Type) {
      (name, summary, answer) = (question.form.name, question.form.summary, question.form.answer)
      (columns, schema) = (question.columns + question.form.commonColumns, question.schema)
    }
  }

  mutating func validate() throws {
    guard !words || !questions && !json && name == nil else {
      throw ValidationError("--words stands alone")
    }
  }

  mutating func run() throws {
    guard !words else { return Self.writeWords() }
    if name == "rule" { return Output.line(RuleFile.schema.encoded) }
    let all =
      questions
      ? QuestionRequest.names.compactMap { QuestionRequest.types[$0].map { Described($0) } }
      : Request.columnTypes.map { Described($0) }
    let chosen = all.filter { name == nil || $0.name == name }
    guard let first = chosen.first else {
      let noun = questions ? "question" : "command"
      throw ValidationError(
        "there is no \(noun) \"\(name ?? "")\"; `daybook schema\(questions ? " --questions" : "")` lists them"
      )
    }
    guard !json else {
      let whole = questions ? QuestionRequest.schema : Request.schema
      return Output.line((name == nil ? whole : first.schema).encoded)
    }
    for (place, described) in chosen.enumerated() {
      if place > 0 { Output.line("") }
      Self.write(described)
    }
  }

  private static func writeWords() {
    for name in Request.names {
      switch CommandWords.all[name] {
      case .words(let words)?: Output.whole("\(name)\tdaybook \(words)")
      case .applyOnly(let reason)?: Output.whole("\(name)\tapply only: \(reason)")
      case nil: Output.whole("\(name)\t")
      }
    }
  }

  private static func write(_ described: Described) {
    Output.line(Style.bold(described.name) + "  " + described.summary)
    var table = Table([.whole("column", 9), .text("holds", 6), .text("", 4), .text("", 7)])
    for column in described.columns {
      let need = column.isNeeded ? "needed" : column.usual.map { "usually \($0.encoded)" } ?? ""
      table.add([column.name, column.holds, need, column.doc])
    }
    table.write(withHeader: false)
    Output.line("→ \(described.answer)")
  }
}

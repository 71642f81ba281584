import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct ShowSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "What `apply` and `ask` take, and the rows of the tables, with their columns; it needs no book.",
    discussion: """
      daybook schema create_habit
      daybook schema --questions heatmap
      daybook schema --rows habits
      daybook schema rule
      daybook schema --json

      With --json it is a JSON Schema (draft 2020-12) of one of them, or of all.
      """)

  @Argument(
    help: """
      A command such as create_habit, a question or a table (default: all of them); or rule: what a rule file may \
      say, as JSON Schema.
      """)
  var name: String?

  @Flag(help: "Questions instead of commands.")
  var questions = false

  @Flag(
    help: "The rows of the tables, as in answers and `dump --json`, instead of commands.")
  var rows = false

  @Flag(help: "The words by which people carry out each command of `apply`, after a tab.")
  var words = false

  @Flag(help: "As JSON Schema.")
  var json = false

  @OptionGroup var screen: ScreenOptions

  /// The description of a command, a question or a table.
  private struct Described {
    let name: String
    let summary: String
    let columns: [Column]
    /// The form of the answer; `nil` for a table.
    let answer: String?
    let schema: JSON

    init(_ table: String, _ columns: [Column]) {
      (name, summary, answer) = (table, "", nil)
      (self.columns, schema) = (columns, .rowSchema(columns))
    }

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
    guard !words || !questions && !rows && !json && name == nil else {
      throw ValidationError("--words takes no other option")
    }
    guard !questions || !rows else {
      throw ValidationError("give --questions or --rows, not both")
    }
  }

  func run() throws {
    guard !words else { return Self.writeWords() }
    if name == "rule" { return Output.line(RuleFile.schema.encoded) }
    let (noun, flag, all, whole) = catalogue
    let chosen = all.filter { name == nil || $0.name == name }
    guard let first = chosen.first else {
      throw ValidationError(
        "there is no \(noun) \"\(name ?? "")\"; `daybook schema\(flag)` lists them")
    }
    guard !json else { return Output.line((name == nil ? whole : first.schema).encoded) }
    for (place, described) in chosen.enumerated() {
      if place > 0 { Output.line("") }
      Self.print(described)
    }
  }

  /// The catalogue to choose from: its noun, its flag, all entries, and a single schema of them all.
  private var catalogue: (noun: String, flag: String, all: [Described], whole: JSON) {
    if questions {
      let all = QuestionRequest.names.compactMap { QuestionRequest.types[$0] }
      return ("question", " --questions", all.map { Described($0) }, QuestionRequest.schema)
    }
    if rows {
      let all = BookState.tableColumns.map { Described($0.name, $0.columns) }
      return ("table", " --rows", all, BookState.schema)
    }
    return ("command", "", Request.columnTypes.map { Described($0) }, Request.schema)
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

  private static func print(_ described: Described) {
    let summary = described.summary.isEmpty ? "" : "  " + described.summary
    Output.line(Style.bold(described.name) + summary)
    var table = TextTable([.whole("column", 9), .text("holds", 6), .text("", 4), .text("", 7)])
    for column in described.columns {
      let need = described.answer == nil ? presence(of: column) : need(of: column)
      table.add([column.name, column.holds, need, column.doc])
    }
    table.print(withHeader: false)
    if let answer = described.answer { Output.line("→ \(answer)") }
  }

  /// Whether a request must include the column.
  private static func need(of column: Column) -> String {
    column.isNeeded ? "needed" : column.usual.map { "usually \($0.encoded)" } ?? ""
  }

  /// Whether a row always has a value in the column.
  private static func presence(of column: Column) -> String {
    guard column.isNeeded else { return "not always there" }
    return column.takesNull ? "or null" : ""
  }
}

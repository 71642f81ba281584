import ArgumentParser
import Avro
import Daybook

struct ShowSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "What `apply` takes: the commands and their columns; it needs no book.",
    discussion: """
      daybook schema create_habit
      daybook schema --json

      With --json it is a JSON Schema (draft 2020-12) of one command, or of all of them.
      """)

  @Argument(help: "A command, such as create_habit (default: all of them).")
  var command: String?

  @Flag(help: "As JSON Schema.")
  var json = false

  mutating func run() throws {
    let types = Request.columnTypes.filter { command == nil || $0.form.name == command }
    guard !types.isEmpty else {
      throw ValidationError(
        "there is no command \"\(command ?? "")\"; `daybook schema` lists them")
    }
    if json {
      return Output.line((command == nil ? Request.schema : types[0].schema).encoded)
    }
    for (place, type) in types.enumerated() {
      if place > 0 { Output.line("") }
      Output.line(Style.bold(type.form.name) + "  " + type.form.summary)
      var table = Table(header: ["column", "holds", "", ""])
      for column in type.columns {
        let need = column.isNeeded ? "needed" : column.usual.map { "usually \($0.encoded)" } ?? ""
        table.add([column.name, column.holds, need, column.doc])
      }
      table.write(withHeader: false)
      Output.line("→ \(type.form.answer)")
    }
  }
}

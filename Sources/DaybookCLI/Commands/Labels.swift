import ArgumentParser
import Daybook
import DaybookStore

struct Labels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels",
    abstract: "List the labels of tasks; add, edit or delete one.",
    subcommands: [List.self, Add.self, Edit.self, Delete.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the labels (the default).")
    @OptionGroup var read: ReadOptions

    func run() throws {
      let context = try read.context()
      let account = try read.actor.account(in: context.state)
      let labels = try context.ask(LabelsQuestion(), by: account)
      if read.json { return Output.answer(labels) }
      guard !labels.lines.isEmpty else {
        return Output.line("No labels yet. Make one: `daybook labels add home`.")
      }
      var table = TextTable([.text("label", 9), .whole("colour", 3), .number("open tasks", 6)])
      for line in labels.lines {
        table.add(["#\(line.label.name)", line.label.color, String(line.openTaskCount)])
      }
      table.print()
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateLabel.self]
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Make a label.")
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @Argument(help: "What it is called.")
    var name: String
    @Option(help: "Its colour.")
    var color: String = CreateLabel.usualColor
    @OptionGroup var key: KeyOption
    @OptionGroup var clock: ClockOptions

    func run() throws {
      let command = CreateLabel(
        key: try key.given(), name: name, color: color)
      try CommandAnswer(options, actor, clock).run(command) { number, state in
        "#\(state.labels[number]?.name ?? "") is a label now."
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateLabel.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change a label's name or colour.")
    @OptionGroup var change: LabelChangeOptions
    @Option(help: "What it is called.")
    var name: String?
    @Option(help: "Its colour.")
    var color: String?

    func run() throws {
      try change.run { label in
        UpdateLabel(label) { content in
          if let name { content.name = name }
          if let color { content.color = color }
        }
      } words: { number, state in
        let label = state.labels[number]
        return "#\(label?.name ?? ""), \(label?.color ?? "")."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteLabel.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a label; the tasks that have it lose it.")
    @OptionGroup var change: LabelChangeOptions

    func run() throws {
      try change.run(isUndoable: true) {
        DeleteLabel($0)
      } words: { number, state in
        let name = state.labels[number]?.name ?? ""
        return "#\(name) is deleted."
      }
    }
  }

  /// The options of a command that changes a named label.
  struct LabelChangeOptions: JoinedOptions {
    var options = BookOptions()
    var actor = ActorOptions()
    @Argument(help: "The label: a prefix of its name, or its key.")
    var label: String
    var clock = ClockOptions()

    static var parts: [OptionPart<Self>] {
      [
        OptionPart(\.options), OptionPart(\.actor), OptionPart("label", \._label),
        OptionPart(\.clock),
      ]
    }

    func run<C: RequestBody>(
      isUndoable: Bool = false, _ command: (TaskLabel.ID) throws -> C,
      words: (C.Answer, BookState) -> String
    ) throws {
      try CommandAnswer(options, actor, clock).run(
        isUndoable: isUndoable,
        { state, account in
          try command(try TaskChoice.label(label, in: state, for: account))
        }
      ) { words($0, $1) }
    }
  }
}

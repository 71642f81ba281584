import ArgumentParser
import Avro
import Daybook
import DaybookStore

extension Import {
  struct Todoist: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "todoist",
      abstract: "Import a Todoist project (CSV), or the archive of a backup.",
      discussion: """
        Tasks come with subtasks, notes, labels, the project as one, dates and how they repeat. Priorities, sections, \
        durations and who is responsible are left out, and counted. A task that was imported before, known by where it \
        stands and what it is called, is left alone.
        """)

    @OptionGroup var source: TaskFile
    func run() throws { try source.importFile(from: .todoist) }
  }

  struct Taskwarrior: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "taskwarrior",
      abstract: "Import what `task export` wrote.",
      discussion: """
        Tasks come with annotations, projects and tags as labels, when they are due, how they repeat, and whether they are \
        done. A task that was imported before is known by its uuid, and left alone.

        Left out, and counted: deleted tasks, instances of repeating tasks, attributes that you or an extension defined, \
        whatever is not understood, and for open tasks priority, depends, wait, scheduled, until, start and end. A due \
        date, an end or a repetition that is not understood is kept in the notes. Left out without a count: \
        Taskwarrior's own bookkeeping, such as entry, modified, id, urgency and mask.
        """)

    @OptionGroup var source: TaskFile
    func run() throws { try source.importFile(from: .taskwarrior) }
  }

  /// The options for an export of another task program.
  struct TaskFile: ParsableArguments {
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions

    @Argument(help: "The file of the export.", completion: .file())
    var path: String

    @OptionGroup var clock: ClockOptions
    @OptionGroup var trial: TrialOptions

    func importFile(from program: TaskExport.Program) throws {
      let export = try TaskExport(at: path, from: program)
      let at = try clock.instant { try actor.dayClock(in: options) }
      let book = try options.open()
      let account = try book.read { try actor.account(in: $0) }
      let summary = try book.importTasks(export, for: account, at: at, trying: trial.dryRun)
      if options.json { return Output.line(summary.json(trying: trial.dryRun).encoded) }
      Output.line(
        trial.verb("Imported", "Would import") + " \(summary.tasksMade.counted("task"))"
          + (summary.tasksDone > 0 ? ", \(summary.tasksDone) of them done" : "")
          + (summary.labelsMade > 0 ? ", and \(summary.labelsMade.counted("label"))." : "."))
      if summary.tasksFound > 0 {
        Output.line("\(summary.tasksFound.counted("task was", "tasks were")) here already.")
      }
      for item in summary.leftOut { Output.line("Left out: \(item.what) (\(item.count)).") }
    }
  }
}

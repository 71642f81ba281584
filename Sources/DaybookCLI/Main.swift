import ArgumentParser
import DaybookStore

/// `daybook`: the command-line program.
struct DaybookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook",
    abstract: "The book of what you do every day: log it, ask why, look back.",
    discussion: """
      A book is a directory. Name it with --book, or with the variable DAYBOOK; without either it is \
      ./my.daybook. Habits are named by a prefix of their name, or by their key.

      Every question takes --as-of (what did the book know then?), those about days --on (what is known now \
      about that day?), and all --json for scripts; --width, --color and --no-pager say how an answer is laid out. Exit \
      codes: 0 done, 1 refused or not found, 2 wrong use, 3 the book is damaged, 4 the book is held by another writer, \
      130 interrupted.
      """,
    version: DaybookVersion.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Every day",
        subcommands: [
          Today.self, Log.self, Skip.self, Clear.self, Habits.self, Goals.self, Focus.self,
          PauseAccount.self, ResumeAccount.self, UndoCommand.self,
        ]),
      CommandGroup(
        name: "Tasks", subcommands: [ListTasks.self, ChangeTasks.self, Labels.self]),
      CommandGroup(
        name: "Why, and looking back",
        subcommands: [
          Streaks.self, AuditStreak.self, WhatIf.self, Diff.self, ShowHeatmap.self, Stats.self,
          ShowInsights.self, ReplayHabit.self, History.self, ReadFeed.self, ListAwards.self,
          Rules.self,
        ]),
      CommandGroup(
        name: "With others",
        subcommands: [
          Hives.self, ShowHive.self, Invite.self, Join.self, Households.self, Chores.self,
          HouseholdCalendar.self, Recipes.self, RecipeCommand.self, Plan.self, Groceries.self,
          Pantry.self, Convert.self,
        ]),
      CommandGroup(
        name: "Who uses the book",
        subcommands: [Accounts.self, Profile.self, Matches.self, EraseAccount.self]),
      CommandGroup(
        name: "The book",
        subcommands: [
          Init.self, OpenPage.self, Demo.self, Import.self, Export.self, Backup.self, Restore.self,
          Verify.self,
          Seal.self, ShowHead.self, Prove.self, CheckProof.self, SalvageBook.self,
        ]),
      CommandGroup(
        name: "Offline",
        subcommands: [
          CloneBook.self, SyncBook.self, RecordOnDevice.self, ListPending.self, ListConflicts.self,
        ]),
      CommandGroup(
        name: "For programs",
        subcommands: [
          Apply.self, AskBook.self, ServeTools.self, ShowSchema.self, ListRejections.self,
          CompletionScripts.self,
          Dump.self, Tail.self,
          Due.self, SettleHives.self, ShowMetrics.self, ListOccurrences.self, Bench.self,
        ]),
    ])
}

@main
enum Main {
  static func main() async {
    let given = Array(CommandLine.arguments.dropFirst())
    StandardStreams.hold()
    Interruption.watch()
    Output.isForPrograms = CommandLineWords.wantJSON(given)
    do {
      let words = try CommandLineWords.understood(given)
      var command = try DaybookCommand.parseAsRoot(words)
      if CommandLineWords.isBare(given), let today = command as? Today, try today.isWithoutBook {
        WelcomeText.print(at: today.read.options.path)
      } else if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Output.finish()
    } catch {
      CommandFailure.exit(with: error, inJSON: CommandLineWords.wantJSON(given))
    }
  }
}

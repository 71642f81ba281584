import ArgumentParser

/// `daybook`: the command-line program.
struct DaybookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook",
    abstract: "The book of what you do every day: log it, ask why, look back.",
    discussion: """
      A book is a directory. Name it with --book, or with the variable DAYBOOK; without either it is \
      ./my.daybook. Habits are named by a prefix of their name, or by their key.

      Every question takes --as-of (what did the book know then?), those about days --on (what is known now \
      about that day?), and all --json for scripts. Exit codes: 0 done, 1 refused or not found, 2 wrong use, 3 the book \
      is damaged, 4 the book is held by another writer.
      """,
    version: "0.1.0",
    subcommands: [
      Init.self, Demo.self, Habits.self, Log.self, Clear.self, Skip.self, Today.self, Streaks.self,
      AuditStreak.self, ShowHeatmap.self, History.self, Tail.self, Stats.self, ReadFeed.self,
      ListAwards.self, Apply.self, AskBook.self, Dump.self, Import.self, Export.self, Seal.self,
      Verify.self,
      ShowHead.self, SalvageBook.self, Backup.self, Restore.self, EraseAccount.self, Goals.self,
      Focus.self,
      ListTasks.self, ChangeTasks.self, Labels.self, UndoCommand.self,
      Hives.self, ShowHive.self, Invite.self, Join.self, SettleHives.self, ShowInsights.self,
      ShowMetrics.self, Due.self, Households.self, Chores.self, Recipes.self, OneRecipe.self,
      Plan.self, Groceries.self, Pantry.self, ShowCalendar.self, ListOccurrences.self,
      Accounts.self, Profile.self, Matches.self, ListRejections.self, ShowSchema.self,
      Bench.self,
    ])
}

@main
enum Main {
  static func main() async {
    do {
      var command = try DaybookCommand.parseAsRoot(
        Arguments.rearranged(Array(CommandLine.arguments.dropFirst())))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Output.flush()
    } catch {
      Output.flush()
      Failure.exit(with: error)
    }
  }
}

/// The words of the command line.
enum Arguments {
  /// Moves `--book DIR` and `--json` from before the command to behind it, where they are looked for:
  /// `daybook --book DIR today` is `daybook today --book DIR`.
  static func rearranged(_ words: [String]) -> [String] {
    var leading: [String] = []
    var rest = words[...]
    while let word = rest.first {
      if word == "--book", rest.count >= 2 {
        leading += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if word == "--json" || word.hasPrefix("--book=") {
        leading.append(word)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    guard !rest.isEmpty else { return words }
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return Array(rest[..<end]) + leading + Array(rest[end...])
  }
}

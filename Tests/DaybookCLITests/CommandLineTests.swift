import ArgumentParser
import Avro
import Foundation
import Testing

@testable import DaybookCLI

/// How the program parses its words, and its output for wrong ones.
@Suite(.tags(.program)) struct CommandLineTests {
  @Test func `singular and plural command names are alike, and a bare noun lists`() throws {
    let forms = [
      "habit add x": "habits add x", "streak": "streaks", "tasks add x": "task add x",
      "task": "tasks", "task --json": "tasks --json", "hive add x": "hives add x",
      "hive": "hives", "hives Readers": "hive Readers", "hive Readers": "hive Readers",
      "hives log Readers": "hives log Readers", "recipe": "recipes",
      "recipes add x": "recipe add x",
      "grocery": "groceries", "households": "household", "award": "awards",
      "chore done x":
        "chores done x", "": "today", "--book b": "today --book b", "--json": "today --json",
      "--book b --json log x": "log x --book b --json", "--help": "--help",
      "log x -- --book": "log x -- --book", "help log": "help log", "task --help": "task --help",
    ]
    for (given, understood) in forms {
      let words = given.split(separator: " ").map(String.init)
      #expect(
        try CommandLineWords.understood(words).joined(separator: " ") == understood, "\(given)")
    }
  }

  @Test func `a mistyped command is answered with a suggestion`() throws {
    try expect(
      """
      % lgo Read
      ! "lgo" is not a command. Did you mean `daybook log`? `daybook --help` lists them.
      exit code 2
      % tody
      ! "tody" is not a command. Did you mean `daybook today`? `daybook --help` lists them.
      exit code 2
      % frobnicate
      ! "frobnicate" is not a command. `daybook --help` lists them.
      exit code 2
      % habits remove Read
      ! "remove" is not a command of `habits`. Did you mean `daybook habits delete`? `daybook habits --help` lists them.
      exit code 2
      % task finsh x
      ! "finsh" is not a command of `task`. `daybook task --help` lists them.
      exit code 2
      % task complete x
      ! "complete" is not a command of `task`. Did you mean `daybook task done`? `daybook task --help` lists them.
      exit code 2
      """, of: AdasBook(), at: "2026-03-01T09:00:00Z")
  }

  @Test func `the edit distance counts deletions, insertions, replacements and swaps`() {
    let words = [
      ("log", "log", 0), ("lgo", "log", 1), ("loog", "log", 1), ("lg", "log", 1), ("dog", "log", 1),
      ("", "log", 3), ("log", "", 3), ("tasks", "awards", 4),
    ]
    for (left, right, distance) in words {
      #expect(EditDistance.between(left, right) == distance, "\(left) \(right)")
      #expect(EditDistance.between(right, left) == distance, "\(right) \(left)")
    }
  }

  @Test func `daybook alone shows today, or how to begin`() throws {
    let empty = try Program()
    let run = try empty()
    #expect(run.status == 0)
    #expect(
      run.output == """
        There is no book at my.daybook yet. Create one:

          daybook init --name NAME   your book, in this directory; $DAYBOOK or --book names another
          daybook habits add Read    something to do every day
          daybook log Read           done today

        `daybook demo` gives a tour of a book of two years; `daybook --help` lists the commands.

        """)
    let ada = try AdasBook()
    #expect(try ada.daybook().output == ada.daybook("today").output)
    #expect(try ada.daybook("--json").output == ada.daybook("today", "--json").output)
  }

  /// Commands that read or change a book, each with its required arguments.
  static let commands = [
    "today", "log x", "skip x", "clear x", "habits", "habits add x", "habits edit x --name y",
    "goals", "goals add x", "focus", "pause", "resume", "undo 1", "tasks", "task add x", "labels",
    "labels add x", "streaks", "audit x", "heatmap x", "stats", "insights", "history x", "feed",
    "awards", "hives", "hives add x", "hive x", "invite x", "join 000000000000", "household",
    "household create x", "chores", "chores add x", "calendar", "calendar add x today", "recipes",
    "recipe x", "plan", "groceries", "pantry", "accounts", "accounts add x", "profile",
    "profile edit --name x", "matches", "erase-account x --yes", "export", "backup b", "verify",
    "seal", "head", "salvage s", "dump", "tail", "due --from 2026-03-01T00:00:00Z", "settle",
    "metrics",
  ]

  @Test func `every command without a book gives the same error, in text and in JSON`() throws {
    let program = try Program()
    let sentence = "There is no book at my.daybook; `daybook --book my.daybook init` makes one."
    for command in Self.commands {
      let words = command.split(separator: " ").map(String.init)
      let run = try program.run(words)
      #expect(
        run.status == 1 && run.error == sentence + "\n" && run.output.isEmpty, "\(command): \(run)")
    }
    let run = try program("log", "x", "--json")
    #expect(run.output == #"{"error":{"code":"no_book","message":"\#(sentence)"}}"# + "\n")
    #expect(run.error.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.directory).allSatisfy {
        $0.hasPrefix(".")
      })
  }

  @Test func `with --json a refusal is JSON, too`() throws {
    let ada = try AdasBook()
    let codes = [
      ("log Nope --json", "habit_not_found", 1), ("lgo --json", "wrong_use", 2),
      ("log --json", "wrong_use", 2), ("--json log Read --day 2999-01-01", "future_day", 1),
      ("log Read --day never --json", "wrong_use", 2), ("log Read --id 7 --json", "wrong_use", 2),
      ("habits add Read --json", "habit_exists", 1),
    ]
    for (command, code, status) in codes {
      let run = try ada.daybook.run(command.split(separator: " ").map(String.init))
      let error = try run.json()["error"]
      #expect(error?["code"]?.text == code, "\(run)")
      #expect(error?["message"]?.text?.isEmpty == false)
      #expect(run.status == status && run.error.isEmpty, "\(run)")
    }
    let run = try ada.daybook("log", "--json")
    #expect(
      run.output
        == #"{"error":{"code":"wrong_use","message":"Missing expected argument '<habit>'"}}"#
        + "\n")
  }

  @Test func `a second entity of the same name needs --yes`() throws {
    try expect(
      """
      $ habits add read
      ! There is a habit "Read" already; give --yes for another one.
      exit code 1
      $ habits add Read --key \(AdasBook.read)
      Read is a habit now, daily.
      $ task add "Buy milk"
      Buy milk: added to This week.
      $ task add "buy milk "
      ! There is a task "Buy milk" already; give --yes for another one.
      exit code 1
      $ task add "Buy milk" --yes
      Buy milk: added to This week.
      $ task done buy
      ! "buy" may be 1 "Buy milk" or 2 "Buy milk"; give more of the name, or the number.
      exit code 1
      $ task done 2
      Buy milk is done. Undo: `daybook undo 5`.
      $ task add "2 eggs"
      2 eggs: added to This week.
      $ task done 2
      2 eggs is done. Undo: `daybook undo 7`.
      """, of: AdasBook(), at: "2026-03-01T09:00:00Z")
  }

  @Test func `deleting an entity with contents needs --yes`() throws {
    try expect(
      """
      $ habits add Run
      Run is a habit now, daily.
      $ habits delete Run
      Run is deleted. `daybook undo` brings it back.
      $ log Read
      Read, 2026-03-01: 1 of 1. Streak: 1 day.
      $ habits delete Read
      ! This would delete "Read" with 1 logged day; give --yes if you mean it.
      exit code 1
      $ goals add Fit
      Fit is a goal now.
      $ goals attach Fit Read
      Read serves the goal now.
      $ goals delete Fit
      ! This would delete "Fit" with its habits Read; give --yes if you mean it.
      exit code 1
      $ goals delete Fit --yes
      The goal is deleted with its habits. `daybook undo` brings it back.
      $ hives add Bees
      Bees is a hive now. Invite others: `daybook invite "Bees"`.
      $ hives delete Bees
      ! This would delete "Bees" with its days, for all 1 member; give --yes if you mean it.
      exit code 1
      $ household create Home
      Home is a household now. Add others: `daybook household add PERSON`.
      $ household leave
      ! This would leave "Home" with all that belongs to it, which goes with its last member; give --yes if you mean it.
      exit code 1
      $ household delete
      ! This would delete "Home" with all that belongs to it, for all its members; give --yes if you mean it.
      exit code 1
      $ household delete --yes
      Home is deleted. `daybook undo` brings it back.
      """, of: AdasBook(), at: "2026-03-01T09:00:00Z")
  }

  @Test func `DAYBOOK_AS names the actor, and an answer about several accounts names each`()
    throws
  {
    let ada = try AdasBook()
    try expect(
      """
      $ accounts add Ben --timezone UTC
      Ben has an account now (UTC, day from 04:00); say `--as "Ben"` to act as them.
      $ habits add Swim --as Ben
      Swim is a habit now, daily.
      ? today
      2026-03-01
         whose  habit  done  streak  last 14 days
      o  Ada    Read    0/1       0               o
      o  Ben    Swim    0/1       0               o
      0 of 2 done
      ? streaks
      whose  habit  current  longest    full days  completion  strength
      Ada    Read         0        0            0           –        0%
      Ben    Swim         0        0            0           –        0%
      ? today --as Ben
      2026-03-01
         habit  done  streak  last 14 days
      o  Swim    0/1       0               o
      0 of 1 done
      """, of: ada, at: "2026-03-01T09:00:00Z")
    let own = try ada.daybook.run(["habits"], environment: ["DAYBOOK_AS": "ben"])
    #expect(own.output.contains("Swim") && !own.output.contains("Read"))
    let other = try ada.daybook.run(["habits", "--as", "Ada"], environment: ["DAYBOOK_AS": "ben"])
    #expect(other.output.contains("Read") && !other.output.contains("Swim"))
    let nobody = try ada.daybook.run(["habits"], environment: ["DAYBOOK_AS": "Cyd"])
    #expect(nobody.error.contains("The name comes from $DAYBOOK_AS."))
    // A question about everybody stays one without a name: a backup must not become one person's.
    let whole = try ada.daybook.run(["export"], environment: ["DAYBOOK_AS": "ben"])
    #expect(try whole.output == ada.daybook("export").output)
    let line = #"{"do":"log_habit","habit":"\#(AdasBook.read)","at":"2026-03-01T10:00:00Z"}"#
    let apply = try ada.daybook.run(["apply"], input: line, environment: ["DAYBOOK_AS": "Ada"])
    #expect(apply.status == 0, "\(apply)")
  }

  @Test func `the completions and the manual page follow from the declarations`() throws {
    let ada = try AdasBook()
    let run = try ada.daybook("completions", "install", "--shell", "fish", "--home", "home")
    #expect(
      run.output == """
        Wrote \(ada.daybook.path("home/.config/fish/completions/daybook.fish")). New shells use them.
        Wrote \(ada.daybook.path("home/.local/share/man/man1/daybook.1")). `man daybook` shows it.

        """)
    let usual = try ada.daybook.run(
      ["completions", "install"],
      environment: ["SHELL": "/usr/bin/zsh", "HOME": ada.daybook.path("own")])
    #expect(
      usual.output.hasPrefix(
        "Wrote \(ada.daybook.path("own/.local/share/zsh/site-functions/_daybook")). "))
    let page = try String(
      contentsOfFile: ada.daybook.path("home/.local/share/man/man1/daybook.1"), encoding: .utf8)
    #expect(try page == ada.daybook("completions", "print", "man").output)
    for command in DaybookCommand.configuration.subcommands {
      let name = command._commandName.replacing("-", with: "\\-")
      #expect(page.contains("\n.SS daybook \(name)"), "\(name)")
    }
    #expect(
      page.split(separator: "\n").filter { $0.hasPrefix(".") }.allSatisfy { line in
        [".TH", ".SH", ".SS", ".B ", ".TP", ".PP"].contains(String(line.prefix(3)))
      })
    // One run writes each of them: making one takes a second without optimization.
    for file in [
      "home/.config/fish/completions/daybook.fish",
      "own/.local/share/zsh/site-functions/_daybook",
    ] {
      let script = try String(contentsOfFile: ada.daybook.path(file), encoding: .utf8)
      #expect(script.contains("from-habit"), "\(file)")
    }
    #expect(try ada.daybook("completions", "print", "bash").output.contains("from-habit"))
    try ada.daybook("habits", "add", "Read aloud", "--at", "2026-03-01T08:03:00Z")
    let names = try ada.daybook(
      "---completion", "log", "--", "positional@0", "2", "4", "daybook", "log", "")
    #expect(names.output == "Read\nRead aloud\n", "\(names)")
    #expect(try ada.daybook("completions", "install", "--shell", "man").status == 2)
  }
}

import Testing

/// `undo`: one's last command, or an earlier one.
@Suite(.tags(.unit)) struct UndoCommandTests {
  private static let fit = "00000000-0000-4000-8000-0000000000f1"

  @Test func `the days of habits are taken back to what they were`() throws {
    let ada = try AdasBook()
    try ada.daybook("habits", "edit", "Read", "--target", "20", "--at", "2026-03-01T08:02:00Z")
    try expect(
      """
      $ log Read 5 --note "on the train"
      Read, 2026-03-02: 5 of 20. Streak: 0 days.
      $ log Read 20
      Read, 2026-03-02: 20 of 20. Streak: 1 day.
      $ undo
      Undone: entry 5. Read, 2026-03-02: 5. Streak: 0 days.
      $ undo 4
      ! position: what it changed was changed again by entry 6; undo that first.
      exit code 1
      $ skip Read --note "a fever"
      Read, 2026-03-02: skipped. Streak: 0 days.
      $ clear Read
      Read, 2026-03-02: cleared. Streak: 0 days.
      $ undo
      Undone: entry 8. Read, 2026-03-02: skipped. Streak: 0 days.
      $ log Read 3 --day yesterday
      Read, 2026-03-01: 3 of 20. Streak: 0 days.
      $ undo 10
      Undone: entry 10. Read, 2026-03-01: cleared. Streak: 0 days.
      $ undo
      Undone: entry 11. Read, 2026-03-01: 3. Streak: 0 days.
      % history Read
       #  at                event               day         value  by   from    note
      12  2026-03-02 08:00  HabitLogged         2026-03-01      3  Ada  manual  \("")
      11  2026-03-02 08:00  HabitLogCleared     2026-03-01         Ada  manual  \("")
      10  2026-03-02 08:00  HabitLogged         2026-03-01      3  Ada  manual  \("")
       9  2026-03-02 08:00  HabitDaySkipped     2026-03-02         Ada  manual  a fever
       8  2026-03-02 08:00  HabitLogCleared     2026-03-02         Ada  manual  \("")
       7  2026-03-02 08:00  HabitDaySkipped     2026-03-02         Ada  manual  a fever
       6  2026-03-02 08:00  HabitLogged         2026-03-02      5  Ada  manual  on the train
       5  2026-03-02 08:00  HabitLogged         2026-03-02     20  Ada  manual  \("")
       4  2026-03-02 08:00  HabitLogged         2026-03-02      5  Ada  manual  on the train
       3  2026-03-01 08:02  HabitTargetChanged  2026-03-01         Ada          \("")
       2  2026-03-01 08:01  HabitCreated        2026-03-01         Ada          \("")
      """, of: ada, at: "2026-03-02T08:00:00Z")
  }

  @Test func `bare undo takes the last command, of tasks, too, and says what it cannot undo`()
    throws
  {
    try expect(
      """
      $ undo
      ! Your last command (entry 2, HabitCreated, 2026-03-01: Read) is not about a task, a label or a day of a habit; `daybook undo --list` shows the ones before.
      exit code 1
      $ log Read
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ task add "Buy milk"
      Buy milk: noted in This week.
      $ task done buy
      Buy milk is done. Undo: `daybook undo 5`.
      $ undo
      Undone: entry 5.
        Buy milk: open again
      $ goals add Fit --key \(Self.fit)
      Fit is a goal now.
      % undo --list
      position  at                undo  what
             7  2026-03-02 08:00        GoalCreated: Fit
             6  2026-03-02 08:00  yes   Buy milk: open again
             5  2026-03-02 08:00  yes   Buy milk: done
             4  2026-03-02 08:00  yes   Buy milk: noted in This week
             3  2026-03-02 08:00  yes   Read, 2026-03-02: 1
             2  2026-03-01 08:01        HabitCreated, 2026-03-01: Read
      % undo --list --limit 1 --json
      [{"position":7,"at":"2026-03-02T08:00:00Z","event":"GoalCreated","id":"\(Self.fit)","name":"Fit","day":null,"undoable":false}]
      $ undo 7
      ! position: entry 7 is not about a task or a label; only those are undone.
      exit code 1
      $ undo 99
      ! position: you have no entry 99.
      exit code 1
      $ undo 3
      Undone: entry 3. Read, 2026-03-02: cleared. Streak: 0 days.
      % undo 3 --list
      ! Error: give a position, or --list
      ! Usage: daybook undo [--book <book>] [--json] [--as <as>] [<position>] [--list] [--limit <limit>] [--at <at>] [--yes]
      !   See 'daybook undo --help' for more information.
      exit code 2
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a log that logged a hive's day, too, is one command`() throws {
    try expect(
      """
      $ hives add Bees
      Bees is a hive now. Ask others in: `daybook invite "Bees"`.
      $ hives link Bees Read
      Logging the habit logs Bees, too.
      $ log Read
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ undo
      Undone: entry 6. Read, 2026-03-02: cleared. Streak: 0 days.
      % undo --list --limit 3
      position  at                undo  what
             8  2026-03-02 08:00  yes   Read, 2026-03-02: cleared
             6  2026-03-02 08:00  yes   Read, 2026-03-02: 1
             5  2026-03-02 08:00        HiveHabitLinked: Bees
      $ hives log Bees
      Bees, 2026-03-02: 1/1 done. Streak: 0.
      $ undo
      ! Your last command (entry 10, HiveDayLogged, 2026-03-02: Bees) is not about a task, a label or a day of a habit; `daybook undo --list` shows the ones before.
      exit code 1
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `nobody undoes or sees another's commands`() throws {
    try expect(
      """
      $ accounts add Ben --timezone UTC
      Ben has an account now (UTC, day from 04:00); say `--as "Ben"` to act as them.
      $ log Read --as Ada
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ undo --as Ben
      ! You did nothing yet that could be undone.
      exit code 1
      $ undo 4 --as Ben
      ! position: you have no entry 4.
      exit code 1
      % undo --list --as Ben
      You did nothing yet.
      $ undo --as Ada
      Undone: entry 4. Read, 2026-03-02: cleared. Streak: 0 days.
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }
}

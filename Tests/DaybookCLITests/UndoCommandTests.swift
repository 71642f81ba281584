import Testing

/// `undo`: an account's last command, or an earlier one, of any kind.
@Suite(.tags(.program)) struct UndoCommandTests {
  @Test func `habit days are restored to their former values`() throws {
    try expect(
      """
      $ habits edit Read --target 20
      Read, daily, 20.
      $ log Read 5 --note "on the train"
      Read, 2026-03-02: 5 of 20. Streak: 0 days.
      $ log Read 25
      Read, 2026-03-02: 25 of 20. Streak: 1 day.
      $ undo 4
      ! position: entry 5 changed the same thing later; undo that entry first.
      exit code 1
      $ undo
      Undone: entry 5. Read, 2026-03-02: 5 again. Streak: 0 days.
      $ undo 5
      ! position: entry 5 is undone already.
      exit code 1
      $ skip Read --note "a fever"
      Read, 2026-03-02: skipped. Streak: 0 days.
      $ clear Read
      Read, 2026-03-02: cleared. Streak: 0 days.
      $ undo
      Undone: entry 8. Read, 2026-03-02: skipped again. Streak: 0 days.
      $ log Read 3 --day yesterday
      Read, 2026-03-01: 3 of 1. Streak: 1 day.
      $ undo 9
      Undone: entry 9. Read, 2026-03-02: cleared. Streak: 1 day.
      $ undo
      Undone: entry 11. Read, 2026-03-02: skipped again. Streak: 1 day.
      % history Read
       #  at                event               day         value  by   from    note
      12  2026-03-02 08:00  HabitDayReverted    2026-03-02         Ada  manual  a fever
      11  2026-03-02 08:00  HabitLogCleared     2026-03-02         Ada  manual  \("")
      10  2026-03-02 08:00  HabitLogged         2026-03-01      3  Ada  manual  \("")
       9  2026-03-02 08:00  HabitDayReverted    2026-03-02         Ada  manual  a fever
       8  2026-03-02 08:00  HabitLogCleared     2026-03-02         Ada  manual  \("")
       7  2026-03-02 08:00  HabitDaySkipped     2026-03-02         Ada  manual  a fever
       6  2026-03-02 08:00  HabitDayReverted    2026-03-02      5  Ada  manual  on the train
       5  2026-03-02 08:00  HabitLogged         2026-03-02     25  Ada  manual  \("")
       4  2026-03-02 08:00  HabitLogged         2026-03-02      5  Ada  manual  on the train
       3  2026-03-02 08:00  HabitTargetChanged  2026-03-02         Ada          \("")
       2  2026-03-01 08:01  HabitCreated        2026-03-01         Ada          \("")
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a day logged on time, cleared and restored is not late`() throws {
    let book = try AdasBook()
    try expect(
      """
      $ log Read
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      """, of: book, at: "2026-03-02T08:00:00Z")
    try expect(
      """
      $ clear Read --day yesterday
      Read, 2026-03-02: cleared. Streak: 0 days.
      $ undo
      Undone: entry 4. Read, 2026-03-02: 1 again. Streak: 1 day.
      $ log Read --day 2026-03-01
      Read, 2026-03-01: 1 of 1. Streak: 2 days.
      ? streaks --rule honest
      habit  current  longest                           full days  completion  strength
      Read         1        1  2026-03-02 – 2026-03-02          1         50%       10%
      """, of: book, at: "2026-03-03T08:00:00Z")
  }

  @Test func `a bare undo skips commands that changed nothing`() throws {
    try expect(
      """
      $ habits edit Read --target 20
      Read, daily, 20.
      $ log Read 2
      Read, 2026-03-02: 2 of 20. Streak: 0 days.
      $ log Read 3
      Read, 2026-03-02: 3 of 20. Streak: 0 days.
      $ log Read 3
      Read, 2026-03-02: 3 of 20. Streak: 0 days.
      $ undo
      Undone: entry 5. Read, 2026-03-02: 2 again. Streak: 0 days.
      $ undo
      Undone: entry 7. Read, 2026-03-02: 3 again. Streak: 0 days.
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a bare undo reverts the last command, including one on a task`() throws {
    try expect(
      """
      $ undo
      Undone: entry 2.
        Read: deleted
      $ undo
      Undone: entry 3.
        Read: restored
      $ log Read
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ task add "Buy milk"
      Buy milk: added to This week.
      $ task done buy
      Buy milk is done. Undo: `daybook undo 7`.
      $ undo
      Undone: entry 7.
        Buy milk: open again
      $ goals add Fit --key 00000000-0000-4000-8000-0000000000f1
      Fit is a goal now.
      % undo --list
      position  at                undo  what
             9  2026-03-02 08:00  yes   Fit: created
             8  2026-03-02 08:00  yes   Buy milk: open again
             7  2026-03-02 08:00  yes   Buy milk: done
             6  2026-03-02 08:00  yes   Buy milk: added to This week
             5  2026-03-02 08:00  yes   Read, 2026-03-02: 1
             4  2026-03-02 08:00  yes   Read: restored
             3  2026-03-02 08:00  yes   Read: deleted
             2  2026-03-01 08:01  yes   Read: created, 2026-03-01
      % undo --list --limit 1 --json
      [{"position":9,"at":"2026-03-02T08:00:00Z","event":"GoalCreated","id":"00000000-0000-4000-8000-0000000000f1","name":"Fit","day":null,"undoable":true}]
      $ undo 9
      Undone: entry 9.
        Fit: deleted
      $ undo 99
      ! position: you have no entry 99.
      exit code 1
      $ undo 5
      Undone: entry 5. Read, 2026-03-02: cleared. Streak: 0 days.
      % undo 3 --list
      ! Error: give a position, or --list
      ! Usage: daybook undo [--book <book>] [--json] [--width <width>] [--color <color>] [--no-pager] [--as <as>] [<position>] [--since] [--list] [--limit <limit>] [--at <at>] [--yes]
      !   See 'daybook undo --help' for more information.
      exit code 2
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a log that also logged a hive's day is undone as one command`() throws {
    try expect(
      """
      $ hives add Bees
      Bees is a hive now. Invite others: `daybook invite "Bees"`.
      $ hives link Bees Read
      Logging the habit logs Bees, too.
      $ log Read
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ undo
      Undone: entry 6.
        Read, 2026-03-02: cleared
        Bees: cleared, 2026-03-02
      % undo --list --limit 3
      position  at                undo  what
             8  2026-03-02 08:00  yes   undid entry 6
             6  2026-03-02 08:00  yes   Read, 2026-03-02: 1
             5  2026-03-02 08:00  yes   Bees: linked to a habit
      $ hives log Bees
      Bees, 2026-03-02: 1/1 done. Streak: 0.
      $ undo
      Undone: entry 11.
        Bees: cleared, 2026-03-02
      $ hives edit Bees --name Wasps
      Wasps, #FF9F1C.
      $ undo
      Undone: entry 13.
        Bees: edited
      $ hives delete Bees --yes
      Bees is deleted. `daybook undo` brings it back.
      $ undo
      Undone: entry 15.
        Bees: restored
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `habit edits, and a deleted goal with its habits, are undone`() throws {
    try expect(
      """
      $ habits edit Read --target 20 --unit pages --remind 7am
      Read, daily, 20 pages, reminders at 07:00.
      $ undo
      Undone: entry 3.
        Read: edited
        Read: schedule and target restored, 2026-03-02
        Read: reminders off
      $ undo
      Undone: entry 6.
        Read: edited
        Read: new target, 2026-03-02
        Read: reminders at 07:00
      $ goals add Fit --key 00000000-0000-4000-8000-0000000000f1
      Fit is a goal now.
      $ goals attach Fit Read
      Read serves the goal now.
      $ focus Read
      The focus is on Read.
      $ goals delete Fit
      ! This would delete "Fit" with its habits Read; give --yes if you mean it.
      exit code 1
      $ goals delete Fit --yes
      The goal is deleted with its habits. `daybook undo` brings it back.
      $ undo
      Undone: entry 17.
        Fit: restored
        Read: restored
        chose a focus
      ? goals
      Fit  00000000-0000-4000-8000-0000000000f1
        Read  streak 0
      ? focus
      Read
      since             until             habit
      2026-03-02 08:00  2026-03-02 08:00  Read
      2026-03-02 08:00                    Read
      $ undo
      Undone: entry 20.
        removed the focus
        Read: deleted
        Fit: deleted
      $ undo
      Undone: entry 24.
        Fit: restored
        Read: restored
        chose a focus
      $ pause --from 2026-03-10
      Paused from 2026-03-10 on: nothing is due then.
      $ undo
      Undone: entry 32.
        restored the pauses
      $ habits archive Read
      Read is archived.
      $ undo
      Undone: entry 34.
        Read: restored from the archive, 2026-03-02
        chose a focus
      % undo --list --limit 4
      position  at                undo  what
            36  2026-03-02 08:00  yes   undid entry 34
            34  2026-03-02 08:00  yes   Read: archived, 2026-03-02
            33  2026-03-02 08:00  yes   restored the pauses
            32  2026-03-02 08:00  yes   paused, 2026-03-10
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a household command is undone by the member who gave it`() throws {
    try expect(
      """
      $ household create Home
      Home is a household now. Add others: `daybook household add PERSON`.
      $ chores add Bins
      Bins is added.
      $ chores done Bins
      Bins is done.
      $ undo
      Undone: entry 5.
        Bins: open again
      $ chores delete Bins
      Bins is deleted.
      $ undo
      Undone: entry 7.
        Bins: restored
      $ recipe add Soup --ingredient "2 leeks"
      Soup is added.
      $ plan add Soup 2026-03-04
      Soup is planned: Wed 2026-03-04.
      $ groceries generate --week 2026-03-02
      The list of the week of 2026-03-02: 1 line, 1 still to buy.
      $ groceries check leeks
      2 leeks is in the basket.
      $ undo
      Undone: entry 13.
        Groceries of 2026-03-02: leeks to buy
      $ groceries add "2 l milk"
      2 l milk is on the list.
      $ undo
      Undone: entry 15.
        Groceries of 2026-03-02: milk removed
      $ recipe delete Soup
      Soup is deleted; `daybook recipe --as-of` still finds it.
      $ undo
      Undone: entry 17.
        Soup: restored
        Soup: planned for 2026-03-04
      $ pantry add Salt
      Salt is kept at home.
      $ pantry remove Salt
      Salt is no longer kept.
      $ undo
      Undone: entry 23.
        Salt: kept again
      $ calendar add Fair 2026-03-07
      Fair, Sat 2026-03-07.
      $ calendar delete Fair
      Fair is off the calendar.
      $ undo
      Undone: entry 26.
        Fair: in the calendar again
      $ household rename House
      It is called House now.
      $ undo
      Undone: entry 28.
        Home: renamed
      $ household delete --yes
      Home is deleted. `daybook undo` brings it back.
      $ undo
      Undone: entry 30.
        Home: restored
      $ accounts add Ben --timezone UTC
      Ben has an account now (UTC, day from 04:00); say `--as "Ben"` to act as them.
      $ household add Ben --as Ada
      Ben is in Home now.
      $ undo --as Ada
      ! Your last command (entry 33, Home: a member joined) cannot be undone; `daybook undo --list` shows the ones before.
      exit code 1
      $ chores add Windows --as Ben
      Windows is added.
      $ undo --as Ada 5
      ! position: entry 5 is undone already.
      exit code 1
      $ undo --as Ada 34
      ! position: you have no entry 34.
      exit code 1
      $ household delete --yes --as Ada
      Home is deleted. `--as-of` still finds it, and `daybook restore NEWDIR --to TIME` makes a book that has it.
      $ undo --as Ada
      ! position: entry 35 cannot be undone: Home has other members.
      exit code 1
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `undoing a generated grocery list restores the list before it`() throws {
    try expect(
      """
      $ household create Home
      Home is a household now. Add others: `daybook household add PERSON`.
      $ recipe add Soup --ingredient "2 leeks"
      Soup is added.
      $ plan add Soup 2026-03-04
      Soup is planned: Wed 2026-03-04.
      $ plan add Soup 2026-03-11
      Soup is planned: Wed 2026-03-11.
      $ groceries generate --week 2026-03-02
      The list of the week of 2026-03-02: 1 line, 1 still to buy.
      $ groceries generate --week 2026-03-09
      The list of the week of 2026-03-09: 1 line, 1 still to buy.
      $ undo
      Undone: entry 9.
        Groceries of 2026-03-09: deleted
      % groceries
      Home, week of 2026-03-02: 0 of 1 in the basket
      produce
        [ ] 2 leeks
      $ undo
      Undone: entry 11.
        Groceries of 2026-03-09: restored
      % groceries
      Home, week of 2026-03-09: 0 of 1 in the basket
      produce
        [ ] 2 leeks
      $ groceries add "1 l milk"
      1 l milk is on the list.
      $ undo 10
      ! position: entry 13 changed the same thing later; undo that entry first.
      exit code 1
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }
}

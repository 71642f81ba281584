import Testing

/// `undo` refuses what cannot be restored, and says why.
@Suite(.tags(.program)) struct UndoRefusalTests {
  @Test func `an undo that refers to a deleted entity is refused`() throws {
    try expect(
      """
      $ hives add Bees
      Bees is a hive now. Invite others: `daybook invite "Bees"`.
      $ hives link Bees Read
      Logging the habit logs Bees, too.
      $ habits delete Read --yes
      Read is deleted. `daybook undo` brings it back.
      $ hives unlink Bees
      No habit logs Bees any more.
      $ undo
      ! position: entry 7 cannot be undone: the linked habit is gone.
      exit code 1
      $ undo 6
      Undone: entry 6.
        Read: restored
      $ undo 7
      Undone: entry 7.
        Bees: linked to a habit
      $ goals add Fit
      Fit is a goal now.
      $ goals attach Fit Read
      Read serves the goal now.
      $ goals detach Read
      Read serves no goal now.
      $ goals delete Fit
      The goal is deleted. `daybook undo` brings it back.
      $ undo 12
      ! position: entry 12 cannot be undone: the goal of the habit is gone.
      exit code 1
      $ goals add Wit
      Wit is a goal now.
      $ goals attach Wit Read
      Read serves the goal now.
      $ habits delete Read --yes
      Read is deleted. `daybook undo` brings it back.
      $ goals add Joy
      Joy is a goal now.
      $ goals delete Wit
      The goal is deleted. `daybook undo` brings it back.
      $ undo 16
      ! position: entry 16 cannot be undone: the goal of the habit is gone.
      exit code 1
      $ household create Home
      Home is a household now. Add others: `daybook household add PERSON`.
      $ accounts add Ben --timezone UTC
      Ben has an account now (UTC, day from 04:00); say `--as "Ben"` to act as them.
      $ household add Ben --as Ada
      Ben is in Home now.
      $ chores add Bins --for Ben --as Ada
      Bins is added for Ben.
      $ chores assign Bins Ada --as Ada
      Bins is for Ada now.
      $ household remove Ben --as Ada
      Ben is no longer in Home.
      $ undo --as Ada 23
      ! position: entry 23 cannot be undone: the assigned member has left the household.
      exit code 1
      $ recipe add Soup --ingredient "2 leeks" --as Ada
      Soup is added.
      $ plan add Soup 2026-03-04 --as Ada
      Soup is planned: Wed 2026-03-04.
      $ plan remove Soup --as Ada
      Soup is off the plan: Wed 2026-03-04.
      $ recipe delete Soup --as Ada
      Soup is deleted; `daybook recipe --as-of` still finds it.
      $ undo --as Ada 27
      ! position: entry 27 cannot be undone: the recipe of the meal is gone.
      exit code 1
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `an undo in a household that the account left is refused`() throws {
    try expect(
      """
      $ accounts add Ben --timezone UTC
      Ben has an account now (UTC, day from 04:00); say `--as "Ben"` to act as them.
      $ household create Home --as Ada
      Home is a household now. Add others: `daybook household add PERSON`.
      $ household add Ben --as Ada
      Ben is in Home now.
      $ log Read --as Ada
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ habits add Swim --as Ben
      Swim is a habit now, daily.
      $ chores add Bins --as Ben
      Bins is added.
      % undo --list --as Ben
      position  at                undo  what
             8  2026-03-02 08:00  yes   Bins: created
             7  2026-03-02 08:00  yes   Swim: created, 2026-03-02
      $ household remove Ben --as Ada
      Ben is no longer in Home.
      % undo --list --as Ben
      position  at                undo  what
             8  2026-03-02 08:00        ChoreCreated
             7  2026-03-02 08:00  yes   Swim: created, 2026-03-02
      $ undo --as Ben
      ! Your last command (entry 8, ChoreCreated) cannot be undone; `daybook undo --list` shows the ones before.
      exit code 1
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `another account's commands can be neither undone nor listed`() throws {
    try expect(
      """
      $ accounts add Ben --timezone UTC
      Ben has an account now (UTC, day from 04:00); say `--as "Ben"` to act as them.
      $ log Read --as Ada
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ undo --as Ben
      ! You have done nothing yet that could be undone.
      exit code 1
      $ undo 4 --as Ben
      ! position: you have no entry 4.
      exit code 1
      % undo --list --as Ben
      You have done nothing yet.
      $ undo --as Ada
      Undone: entry 4. Read, 2026-03-02: cleared. Streak: 0 days.
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }
}

import Testing

/// A log keeps its entered value (HH-8).
@Suite(.tags(.program)) struct EnteredValueTests {
  @Test func `totals show the entered value, and streaks the clamped one (HH-8)`() throws {
    try expect(
      """
      $ habits add Swim --target 5 --unit km --key 00000000-0000-4000-8000-000000000002
      Swim is a habit now, daily.
      $ log Swim 6.25
      Swim, 2026-03-02: 6.25 of 5 km. Streak: 1 day.
      $ log Swim +1
      Swim, 2026-03-02: 7.25 of 5 km. Streak: 1 day.
      $ log Swim 3 --day yesterday --yes
      Swim, 2026-03-01: 3 of 5 km. Streak: 1 day.
      $ log Swim +0.5 --day yesterday
      Swim, 2026-03-01: 3.5 of 5 km. Streak: 1 day.
      ? today
      2026-03-02
         habit       done  streak  last 14 days
      o  Read         0/1       0              -o
      #  Swim   7.25/5 km       1              %#
      1 of 2 done
      ? stats Swim --by day --last 2
      Swim  completion 50%, strength 9%, current 1, longest 1
        2026-03-01                                  0/1  3.5 km
        2026-03-02  ██████████████████████████████  1/1  7.25 km
      ? audit Swim
      Swim: current 1 day, longest 1 day (rule daybook 1)
      It began on 2026-03-02: #4 HabitLogged at 2026-03-02 08:00 by Ada from manual; #5 HabitLogged at 2026-03-02 08:00 by Ada from manual.
      It ends if tomorrow, 2026-03-03, goes by and nothing is logged, skipped or paused.
      day            mark    done  streak  because
      2026-03-02  #  full  7.25/5       1  #4 HabitLogged at 2026-03-02 08:00 by Ada from manual; #5 HabitLogged at 2026-03-02 08:00 by Ada from manual
      1 earlier day: `--all` shows them.
      ? history Swim --limit 1 --json
      [{"position":7,"at":"2026-03-02T08:00:00Z","actor":"00000000-0000-4000-8000-00000000000a","event":"HabitLogged","source":"manual","day":"2026-03-01","value":3.5,"note":null}]
      $ skip Swim
      Swim, 2026-03-02: skipped. Streak: 0 days.
      $ log Swim +2
      Swim, 2026-03-02: 2 of 5 km. Streak: 0 days.
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a value of zero is refused except for an at-most habit`() throws {
    try expect(
      """
      $ log Read 0
      ! 0 cannot be logged for this habit; use `clear` to clear the day.
      exit code 1
      $ log Read +0
      ! 0 cannot be logged for this habit; use `clear` to clear the day.
      exit code 1
      $ habits add Sweets --target 3 --at-most
      Sweets is a habit now, daily.
      $ log Sweets 0
      Sweets, 2026-03-02: 0 of ≤ 3. Streak: 1 day.
      $ log Sweets +x
      ! "x" is not a number such as 8 or 2.5, with at most three digits after the point
      exit code 2
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }
}

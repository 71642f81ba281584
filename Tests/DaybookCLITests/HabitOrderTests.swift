import Testing

/// Habits are listed in their owner's order.
@Suite(.tags(.program)) struct HabitOrderTests {
  @Test func `a habit's chosen place holds in every list`() throws {
    try expect(
      """
      $ habits add Swim --key 00000000-0000-4000-8000-000000000002
      Swim is a habit now, daily.
      $ habits add Run --key 00000000-0000-4000-8000-000000000003
      Run is a habit now, daily.
      $ habits edit Run --place first
      Run has moved.
      $ habits edit Swim --before Run
      Swim has moved.
      $ habits edit Swim --after Run
      Swim has moved.
      $ habits edit Read --place 2
      Read has moved.
      $ habits edit Read --place 7
      Read has moved.
      $ habits edit Read --place none
      ! --place: "none" is not first, last or a number from 1
      exit code 2
      $ habits edit Read --place first --name Books
      ! give --place, --before or --after without other changes
      exit code 2
      $ habits edit Read --place first --before Run
      ! Error: give one of --place, --before and --after
      ! Usage: daybook habits edit [<options>] <habit>
      !   See 'daybook habits edit --help' for more information.
      exit code 2
      ? habits
      #  habit  schedule  target  since       goal  key
      3  Run    daily     1       2026-03-02        00000000-0000-4000-8000-000000000003
      2  Swim   daily     1       2026-03-02        00000000-0000-4000-8000-000000000002
      1  Read   daily     1       2026-03-01        00000000-0000-4000-8000-000000000001
      ? today
      2026-03-02
         habit  done  streak  last 14 days
      o  Run     0/1       0               o
      o  Swim    0/1       0               o
      o  Read    0/1       0              -o
      0 of 3 done
      ? streaks
      habit  current  longest    full days  completion  strength
      Run          0        0            0           –        0%
      Swim         0        0            0           –        0%
      Read         0        0            0          0%        0%
      $ habits add Ski --key 00000000-0000-4000-8000-000000000004
      Ski is a habit now, daily.
      ? streaks
      habit  current  longest    full days  completion  strength
      Run          0        0            0           –        0%
      Swim         0        0            0           –        0%
      Read         0        0            0          0%        0%
      Ski          0        0            0           –        0%
      $ undo
      Undone: entry 10.
        Ski: deleted
      $ undo 9
      Undone: entry 9.
        reordered the habits
      ? streaks
      habit  current  longest    full days  completion  strength
      Run          0        0            0           –        0%
      Read         0        0            0          0%        0%
      Swim         0        0            0           –        0%
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `goals and statistics of several people name their owners`() throws {
    try expect(
      """
      $ accounts add Ben --timezone UTC
      Ben has an account now (UTC, day from 04:00); say `--as "Ben"` to act as them.
      $ habits add Run --as Ben
      Run is a habit now, daily.
      $ goals add Fit --as Ben --key 00000000-0000-4000-8000-0000000000f1
      Fit is a goal now.
      $ goals add Calm --as Ada --key 00000000-0000-4000-8000-0000000000f2
      Calm is a goal now.
      ? goals
      Fit  Ben  00000000-0000-4000-8000-0000000000f1
        No habit leads there yet: `daybook goals attach GOAL HABIT`.
      Calm  Ada  00000000-0000-4000-8000-0000000000f2
        No habit leads there yet: `daybook goals attach GOAL HABIT`.
      ? goals --as Ben
      Fit  00000000-0000-4000-8000-0000000000f1
        No habit leads there yet: `daybook goals attach GOAL HABIT`.
      ? stats --last 1
      Read  Ada  completion 0%, strength 0%, current 0, longest 0
        2026-03-01                                  0/1
      Run  Ben  completion –, strength 0%, current 0, longest 0
        2026-03-01                                  0/0
      ? stats --last 1 --as Ben
      Run  completion –, strength 0%, current 0, longest 0
        2026-03-01                                  0/0
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }
}

import Avro
import Testing

/// Every kind of edit in words, and its result.
@Suite(.tags(.program)) struct EditCommandTests {
  @Test func `a habit is edited in words, and unnamed fields stay`() throws {
    try expect(
      """
      $ habits edit Read --schedule mon,wed,fri --target 20 --unit pages --remind 7am --remind 19:30
      Read, Mon Wed Fri, 20 pages, reminders at 07:00 and 19:30.
      $ habits edit read --question "Did you read?" --emoji 📖
      📖 Read, Mon Wed Fri, 20 pages, "Did you read?", reminders at 07:00 and 19:30.
      $ habits edit read --at-most --no-reminders
      📖 Read, Mon Wed Fri, ≤ 20 pages, "Did you read?".
      $ habits edit read --uncounted --question "" --schedule 3/7 --name Books
      📖 Books, 3× a week.
      $ habits edit Books
      ! nothing to change: give an option; --help lists them
      exit code 2
      $ habits edit Books --remind 25:00
      ! --remind: "25:00" is not a time such as 17:30, 5pm or noon
      exit code 2
      $ habits edit Books --remind 7am --no-reminders
      ! Error: give --remind or --no-reminders
      ! Usage: daybook habits edit [<options>] <habit>
      !   See 'daybook habits edit --help' for more information.
      exit code 2
      $ habits edit Books --uncounted --target 3
      ! Error: --uncounted: a habit that is not counted has no target
      ! Usage: daybook habits edit [<options>] <habit>
      !   See 'daybook habits edit --help' for more information.
      exit code 2
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `an edit without any change is refused for every kind of entity`() throws {
    let book = try AdasBook()
    let things = """
      $ goals add Fit
      $ hives add Bees
      $ household create Home
      $ chores add Windows
      $ recipes add Soup
      $ plan add Soup 2026-03-04
      $ groceries add salt
      $ pantry add rice
      $ calendar add Fair 2026-03-04
      $ task add Call
      $ labels add home
      """
    _ = try book.transcript(of: things, at: "2026-03-02T08:00:00Z")
    for words in [
      "habits edit Read", "goals edit Fit", "hives edit Bees", "chores edit Windows",
      "recipes edit Soup", "plan edit Soup", "groceries edit salt", "pantry edit rice",
      "calendar edit Fair", "task edit call", "labels edit home", "profile edit",
    ] {
      try expect(
        """
        $ \(words)
        ! nothing to change: give an option; --help lists them
        exit code 2
        """, of: book, at: "2026-03-02T08:00:00Z")
    }
  }

  @Test func `a day may follow the habit, and any word of its name finds the habit`() throws {
    try expect(
      """
      $ habits add "Drink water" --target 8
      Drink water is a habit now, daily.
      $ log water 3 yesterday
      Drink water, 2026-03-01: 3 of 8. Streak: 0 days.
      $ log water yesterday
      Drink water, 2026-03-01: 1 of 8. Streak: 0 days.
      $ skip water 2026-03-01
      Drink water, 2026-03-01: skipped. Streak: 0 days.
      $ clear water sun
      Drink water, 2026-03-01: cleared. Streak: 0 days.
      $ log ater
      ! No habit's name has a word that begins with "ater"; there are "Read", "Drink water".
      exit code 1
      $ log water soon
      ! "soon" is not a number such as 8 or 2.5, with at most three digits after the point
      exit code 2
      $ log water 3 yesterday --day today
      ! The day is given twice: "yesterday", and --day "today"
      exit code 2
      $ pause tomorrow fri
      Paused from 2026-03-03 to 2026-03-06: nothing is due then.
      $ pause tomorrow --from fri
      ! A day is given twice: in words, and with --from or --to
      exit code 2
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a new schedule takes effect today, and earlier days keep theirs`() throws {
    let ada = try AdasBook()
    try expect(
      """
      $ log Read --day yesterday
      Read, 2026-03-01: 1 of 1. Streak: 1 day.
      $ habits edit Read --schedule wed
      Read, Wed.
      """, of: ada, at: "2026-03-02T08:00:00Z")
    let audit = try ada.daybook("audit", "Read", "--json", "--as-of", "2026-03-04T12:00:00Z").json()
    let days = try #require(audit["days"]?.elements)
    #expect(days.map { $0["mark"]?.text } == ["full", "off", "off", "pending"])
    #expect(days.map { $0["schedule_since"]?.text }.last == "2026-03-02")
  }

  @Test func `a profile, a goal and a hive are edited in words`() throws {
    try expect(
      """
      $ profile edit --name "Ada L" --day-start 3 --theme night --birthday 1990-05-17 --notify-at 8pm
      Ada L, Europe/London, day from 03:00. `daybook profile` shows all.
      $ profile edit --notifications --birthday none
      Ada L, Europe/London, day from 03:00. `daybook profile` shows all.
      $ profile edit --theme pink
      ! --theme: "pink" is not a theme; give honey, mint, night
      exit code 2
      $ profile edit --birthday soon
      ! --birthday: "soon" is not a day such as 1990-05-17
      exit code 2
      $ profile edit
      ! nothing to change: give an option; --help lists them
      exit code 2
      % profile
      Ada L.
      name           Ada L
      picture        none
      birthday       not given
      timezone       Europe/London
      day start      03:00
      theme          night
      paused         never
      notifications  on at 20:00
      signs in by    nothing yet
      devices        0
      contacts       0
      onboarded      not yet
      member since   2026-03-01 08:00
      key            \(AdasBook.ada)
      $ goals add Fit
      Fit is a goal now.
      $ goals edit fit --title Fitness --description "Run and rest"
      Fitness: Run and rest.
      $ goals edit fit --description ""
      Fitness.
      $ hives add Runners
      Runners is a hive now. Invite others: `daybook invite "Runners"`.
      $ hives edit run --emoji 🐝 --color #34C759
      🐝 Runners, #34C759.
      $ hives advance run
      2026-03-02: 0/1 done, not advanced: 1 member must be done.
      $ hives edit run
      ! nothing to change: give an option; --help lists them
      exit code 2
      """, of: AdasBook(), at: "2026-03-02T08:00:00Z")
  }

  @Test func `a paused day asks for nothing, and resume ends the pause`() throws {
    let ada = try AdasBook()
    try expect(
      """
      $ log Read
      Read, 2026-03-02: 1 of 1. Streak: 1 day.
      $ pause --from tomorrow --to fri
      Paused from 2026-03-03 to 2026-03-06: nothing is due then.
      $ pause --from "next week" --to "next week"
      Paused on 2026-03-09: nothing is due then.
      $ pause --from tomorrow --to today
      ! A pause cannot end (2026-03-02) before it begins (2026-03-03).
      exit code 1
      """, of: ada, at: "2026-03-02T08:00:00Z")
    try expect(
      """
      $ resume
      Today, 2026-03-05, counts. Still ahead: on 2026-03-09.
      """, of: ada, at: "2026-03-05T08:00:00Z")
    let streaks = try ada.daybook("streaks", "--json", "--as-of", "2026-03-05T09:00:00Z").json()
    #expect(streaks.elements?[0]["current"]?.integer == 1, "the 3rd and the 4th were paused")
  }

  @Test(arguments: [
    ("2026-01-31", "monthly", ["2026-01-31", "2026-02-28", "2026-03-31"]),
    ("2026-01-30", "monthly", ["2026-01-30", "2026-02-28", "2026-03-30"]),
    ("2026-01-29", "monthly", ["2026-01-29", "2026-02-28", "2026-03-29"]),
    ("2026-01-28", "monthly", ["2026-01-28", "2026-02-28", "2026-03-28"]),
    ("2028-02-29", "yearly", ["2028-02-29", "2029-02-28", "2030-02-28"]),
    ("2026-02-28", "yearly", ["2026-02-28", "2027-02-28", "2028-02-28"]),
  ])
  func `a monthly date falls on the last day of a shorter month (DM-5)`(
    first: String, words: String, days: [String]
  ) throws {
    let daybook = try AdasBook().daybook
    func run(_ words: String...) throws -> Program.Run {
      let run = try daybook.run(words + ["--at", "2026-03-01T09:00:00Z"])
      try #require(run.status == 0, "\(words): \(run.error)")
      return run
    }
    _ = try run("household", "create", "Home")
    _ = try run("calendar", "add", "Rent", first, "--repeat", words)
    let told = try daybook("calendar", "--from", days[0], "--to", days[2], "--json").json()
    #expect(told["occurrences"]?.elements?.map { $0["start_time"]?.text } == days)
    // A task follows the same rule.
    let task = try run("task", "add", "Pay", "--due", first, "--repeat", words, "--json").json()
    let rule = try #require(task["ok"]?["recurrence_rule"]?.text)
    let dates = try daybook("rrule", rule, "--start", first, "--count", "3").output
    for day in days { #expect(dates.contains(day), "\(rule): \(dates)") }
  }

  @Test func `a calendar is edited in words`() throws {
    let ada = try AdasBook()
    try expect(
      """
      $ household create Home
      Home is a household now. Add others: `daybook household add PERSON`.
      $ calendar add Dentist "fri 15:00" --end 15:45 --location "12 High St"
      Dentist, Fri 2026-03-06 15:00, 12 High St.
      $ calendar add Holidays "in 2 weeks" --end "17 march"
      Holidays, Mon 2026-03-16.
      $ calendar add Choir "mon 6pm" --end "7:30 pm" --repeat weekly
      Choir, Mon 2026-03-02 18:00, FREQ=WEEKLY.
      $ calendar add Night "sat 22:00" --end 2:00
      Night, Sat 2026-03-07 22:00.
      $ calendar edit dent --start "tomorrow at 9:00"
      Dentist, Tue 2026-03-03 09:00, 12 High St.
      $ calendar edit choir --repeat none --description "With Ben"
      Choir, Mon 2026-03-02 18:00.
      $ calendar edit choir
      ! nothing to change: give an option; --help lists them
      exit code 2
      $ calendar add Tea someday
      ! START: "someday" is not a time or a day: give 2026-03-01, today, tomorrow, a weekday such as fri, in 3 days, next week, or 5 march; with a time or alone a time such as 9:00 or 5pm
      exit code 2
      $ calendar add Tick today --repeat FREQ=SECONDLY
      ! recurrence: FREQ=SECONDLY: it repeats too often for a calendar.
      exit code 1
      """, of: ada, at: "2026-03-02T08:00:00Z")
    try expect(
      """
      % calendar --from 2026-03-02 --to 2026-03-17
      day             time         what      where
      Mon 2026-03-02  18:00–19:30  Choir     \("")
      Tue 2026-03-03  09:00–09:45  Dentist   12 High St
      Sat 2026-03-07  22:00–…      Night     \("")
      Sun 2026-03-08  …–02:00      Night     \("")
      Mon 2026-03-16  all day      Holidays  \("")
      Tue 2026-03-17  all day      Holidays  \("")
      """, of: ada, at: "2026-03-02T08:00:00Z")
    try expect(
      """
      $ calendar delete hol
      Holidays is off the calendar.
      ? calendar list --from 2026-03-16
      Nothing from 2026-03-16 to 2026-03-22. Add something: `daybook calendar add Dentist "fri 15:00"`; or `daybook import ics FILE` imports a calendar.
      """, of: ada, at: "2026-03-02T08:00:00Z")
  }
}

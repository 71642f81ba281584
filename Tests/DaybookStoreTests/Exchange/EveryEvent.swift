import Avro
import Daybook
import DaybookStore
import Testing

/// A book with every event.
enum EveryEvent {
  /// The names of all events in the schema.
  static let names: [String] = {
    guard case .union(let records) = Event.schema else { return [] }
    return records.compactMap { if case .record(let record) = $0 { record.name } else { nil } }
  }()

  static func book() throws -> Book {
    let book = try ExchangeWorld.book()
    let at = { (day: Int) in
      Instant(clamping: (Int64(20_454 + day) * 86_400 + 43_200) * 1000 + Int64(day))
    }
    let ada = try book.record(
      CreateAccount(key: ExchangeWorld.ada, name: "Ada", timeZone: "Europe/London"),
      at: at(0))
    let bob = try book.record(CreateAccount(name: "Bob, \"the\" bee, 🐝"), at: at(0))
    let cleo = try book.record(CreateAccount(name: "Cleo"), at: at(0))
    try book.record(
      UpdateProfile {
        $0.avatarURL = "https://example.org/a.png"
        $0.theme = .night
      }, by: ada, at: at(1))
    try book.record(UpdateProfile { $0.timeZone = "Asia/Kathmandu" }, by: ada, at: at(1))
    let goal = try book.record(CreateGoal(title: "Fit"), by: ada, at: at(1))
    let goalKey = try #require(book.read { $0.goals[goal]?.key })
    let run = try book.record(
      CreateHabit(
        name: "Run", emoji: "🏃", unit: "km", type: .counter,
        target: Target(try #require(Amount(thousandths: 2500))), reminders: try times(["07:30"]),
        goal: goalKey), by: ada, at: at(1))
    let id = Key(high: 9, low: 9)
    try book.record(
      LogHabit(
        run, value: try #require(Amount(thousandths: 1250)), source: .api,
        note: "wet,\n\"cold\""), by: ada, at: at(2), id: id)
    try book.record(SkipDay(run, note: "ill"), by: ada, at: at(3))
    try book.record(ClearLog(run), by: ada, at: at(3))
    let update = try UpdateHabit(run) {
      $0.name = "Run far"
      $0.schedule = try #require(Schedule.quota(3, in: 7))
      $0.target.amount = .one
      $0.target.bound = .atMost
      $0.reminders = try times(["06:00", "21:15"])
    }
    try book.record(update, by: ada, at: at(4))
    try book.record(ChooseFocus(run), by: ada, at: at(4))
    try book.record(Pause(first: try day("2026-01-05"), last: nil), by: ada, at: at(4))
    try book.record(Resume(), by: ada, at: at(6))
    try book.record(ArchiveHabit(run), by: ada, at: at(7))
    try book.record(RestoreHabit(run), by: ada, at: at(9))
    try book.record(DetachHabit(run), by: ada, at: at(9))
    try book.record(AttachHabit(run, to: goal), by: ada, at: at(9))
    try book.record(UpdateGoal(goal) { $0.description = "in body" }, by: ada, at: at(9))
    var label = UpsertLabel(Key(high: 9, low: 10)) { row in
      row.name = "Rain"
      row.color = "teal"
    }
    label.begun = at(8)
    try book.record(label, by: ada, at: at(9))
    try book.record(UpdateHabit(run) { $0.description.color = "#F9C" }, by: ada, at: at(9))
    try book.record(CreateGoal(title: "Quiet", description: "mine"), by: cleo, at: at(10))
    let diary = try book.record(CreateHabit(name: "Diary"), by: cleo, at: at(10))
    try book.record(LogHabit(diary, note: "mine, too"), by: cleo, at: at(10))
    let secret = try book.record(CreateHabit(name: "Old"), by: bob, at: at(10))
    try book.record(LogHabit(secret), by: bob, at: at(10))
    try book.record(DeleteHabit(secret), by: bob, at: at(10))
    let doomed = try book.record(CreateGoal(title: "Doomed"), by: bob, at: at(11))
    let doomedKey = try #require(book.read { $0.goals[doomed]?.key })
    try book.record(CreateHabit(name: "With it", goal: doomedKey), by: bob, at: at(11))
    try book.record(DeleteGoal(doomed), by: bob, at: at(12))
    try people(ada, bob, cleo, in: book, at: at(13))
    try share(book, ada, bob, at)
    try keepHouse(book, ada, bob, cleo, at(20))
    try plan(book, ada, at(21))
    try book.record(
      CreateTask(title: "Secret", description: "mine", due: at(22)), by: cleo, at: at(22))
    try book.record(CreateLabel(name: "Secret, too"), by: cleo, at: at(22))
    try takeBack(book, ada, at(22))
    try book.erase(cleo, by: bob)
    return book
  }

  /// Everything that an event of its own reverts.
  private static func takeBack(_ book: Book, _ ada: Account.ID, _ at: Instant) throws {
    func record<C: Command>(_ command: C) throws -> C.Answer {
      try book.record(command, by: ada, at: at)
    }
    func undone(_ command: some Command) throws {
      let position = try book.recordWithReceipt(command, by: ada, at: at).position
      let past = try book.reader.commandHistory(at: position, knowing: book.read { $0 })
      _ = try record(Undo(position, past))
    }
    let goal = try record(CreateGoal(title: "Far"))
    let swim = try record(
      CreateHabit(name: "Swim", target: 5, goal: book.read { $0.goals[goal]?.key }))
    _ = try record(LogHabit(swim, value: 6.25))
    _ = try record(MoveHabit(swim, to: .first))
    try undone(ClearLog(swim))
    try undone(UpdateHabit(swim) { $0.target.amount = 3 })
    try undone(DeleteGoal(goal))
    try undone(Pause(first: try day("2026-02-01"), last: nil))
    let hive = try record(CreateHive(name: "Fish"))
    try undone(DeleteHive(hive))
    let home = try record(CreateHousehold(name: "Boat"))
    try undone(DeleteHousehold(home))
    _ = try record(CreateHouseholdCode(home, code: "00000000b0a7"))
    let sails = try record(CreateHouseholdTask(in: home, HouseholdTaskContent(title: "Sails")))
    try undone(CompleteHouseholdTask(sails))
    _ = try record(CompleteHouseholdTask(sails))
    try undone(ReopenHouseholdTask(sails))
    try undone(DeleteHouseholdTask(sails))
    let soup = try record(CreateRecipe(in: home, RecipeContent(title: "Chowder")))
    let meal = try record(
      PlanMeal(in: home, MealContent(recipe: soup, date: try day("2026-02-01"))))
    try undone(DeleteRecipe(soup))
    try undone(RemoveMeal(meal))
    let rope = try record(AddPantryStaple(in: home, PantryStapleContent(name: "Rope")))
    try undone(RemovePantryStaple(rope))
    try undone(GenerateGroceryList(of: home, week: try day("2026-02-01")))
    let list = try record(
      BeginGroceryList(of: home, from: try day("2026-02-08"), key: Menu.key(13, 1)))
    let line = GroceryItemContent(name: "Rope", order: 3)
    _ = try record(AddGroceryItem(in: home, list: list, line))
    try undone(DeleteGroceryList(list))
    try undone(ChooseGroceryList(list, isCurrent: false))
    let boat = try #require(book.read { $0.households[home]?.key })
    let stew =
      #"{"do":"create_recipe","household":"\#(boat)","title":"Stew","at":"\#(at)","#
      + #""steps":["Cut.",{"order":2,"text":"Stir, \"slowly\"."}],"#
      + #""ingredients":[{"name":"salt","extra":{"id":"a","brand":null}}]}"#
    try #require(book.record(line: stew, by: ada).isAccepted)
    let event = try record(
      CreateCalendarEvent(
        in: home, title: "Regatta", start: .day(try day("2026-02-02")),
        end: .day(try day("2026-02-03"))))
    try undone(DeleteCalendarEvent(event))
  }

  private static func people(
    _ ada: Account.ID, _ bob: Account.ID, _ cleo: Account.ID, in book: Book, at: Instant
  ) throws {
    try book.record(LinkIdentity(Menu.identity(0)), by: ada, at: at)
    try book.record(VerifyIdentity(Menu.identity(0)), by: ada, at: at)
    try book.record(LinkIdentity(Menu.identity(4), isVerified: true), by: bob, at: at)
    try book.record(UnlinkIdentity(Menu.identity(4)), by: bob, at: at)
    try book.record(RegisterDevice(token: "bee-phone"), by: ada, at: at)
    try book.record(RegisterDevice(token: "bee-phone", environment: .sandbox), by: bob, at: at)
    try book.record(UploadContacts([Menu.hash(2), Menu.hash(0)]), by: bob, at: at)
    try book.record(RemoveContacts([Menu.hash(2)]), by: bob, at: at)
    try book.record(SaveContact("carol@example.org", name: "Carol"), by: bob, at: at)
    try book.record(SaveContact("\(Menu.hash(0))", name: "Ada, \"the\" bee"), by: bob, at: at)
    try book.record(RequestUpgrade(price: "3,99 € \"a month\""), by: ada, at: at)
    try book.record(RequestUpgrade(price: "3.99"), by: cleo, at: at)
    let name = Menu.key(15, 1)
    try book.record(NameRow(Menu.key(14, 1), of: .habitLogs, name: name), by: cleo, at: at)
    try book.record(NameRow(Menu.key(14, 2), of: .hiveInvites, name: name), by: bob, at: at)
    try book.record(SaveContact("bob", name: "Bob"), by: cleo, at: at)
    try book.record(PostActivity(.streakMilestone, data: ["mood": "quiet"]), by: cleo, at: at)
    let bobsBirthday = try day("1990-05-04")
    let bobsTimes = try times(["21:00", "07:45"])
    try book.record(UpdateProfile { $0.birthday = bobsBirthday }, by: bob, at: at)
    try book.record(
      CompleteOnboarding(habits: [.init(.walk)]) {
        $0.dayStartHour = 5
        $0.notificationsAreOn = true
        $0.notificationTimes = bobsTimes
      }, by: bob, at: at)
    try book.record(RegisterDevice(token: "cleo-phone"), by: cleo, at: at)
    try book.record(LinkIdentity(Menu.identity(3), isVerified: true), by: cleo, at: at)
    try book.record(UploadContacts([Menu.hash(0)]), by: cleo, at: at)
    let cleosBirthday = try day("1988-08-08")
    let cleosTimes = try times(["08:00"])
    try book.record(
      UpdateProfile {
        $0.birthday = cleosBirthday
        $0.notificationTimes = cleosTimes
      }, by: cleo, at: at)
  }

  /// A hive of both: one day advances, one breaks, and its owner leaves.
  private static func share(
    _ book: Book, _ ada: Account.ID, _ bob: Account.ID, _ at: (Int) -> Instant
  ) throws {
    let walk = try book.record(CreateHabit(name: "Walk"), by: ada, at: at(13))
    try book.record(LogHabit(walk), by: ada, at: at(13))
    let hive = try book.record(CreateHiveFromHabit(walk, name: "Bees"), by: ada, at: at(13))
    let code = "0123456789ab"
    try book.record(CreateHiveInvite(hive, code: code), by: ada, at: at(13))
    try book.record(CreateHiveInvite(hive, code: "ba9876543210"), by: ada, at: at(13))
    try book.record(RevokeHiveInvite("ba9876543210"), by: ada, at: at(13))
    try book.record(JoinHive(code), by: bob, at: at(14))
    try book.record(LinkHabit(walk, to: hive), by: ada, at: at(14))
    let data: JSON = ["streak": 7, "emoji": "🐝", "by": ["Ada", .null]]
    for _ in 1...2 {
      try book.record(
        PostActivity(
          key: Key(high: 9, low: 14), .streakMilestone, in: hive, about: walk, data: data), by: ada,
        at: at(14))
    }
    try book.record(LogHabit(walk), by: ada, at: at(14))
    try book.record(LogHiveDay(hive, source: .api), by: bob, at: at(14))
    try book.record(LogHiveDay(hive), by: bob, at: at(15))
    try book.record(ClearHiveLog(hive), by: bob, at: at(15))
    try book.record(Settle(), at: at(17))
    try book.record(LogHiveDay(hive, day: .day(try day("2026-01-16"))), by: bob, at: at(17))
    try book.record(UpdateHive(hive) { $0.name = "Bumblebees" }, by: ada, at: at(17))
    try book.record(HandOverHive(hive, to: bob), by: ada, at: at(18))
    try book.record(LeaveHive(hive), by: ada, at: at(18))
    try book.record(DeleteHive(hive), by: bob, at: at(19))
  }

  /// A household of three, two of whom leave: one leaves, and the other is erased later. A second household has only
  /// Cleo, and a third is deleted.
  private static func keepHouse(
    _ book: Book, _ ada: Account.ID, _ bob: Account.ID, _ cleo: Account.ID, _ at: Instant
  ) throws {
    let home = try book.record(CreateHousehold(name: "Home"), by: ada, at: at)
    try book.record(RenameHousehold(home, name: "Hive, sweet \"hive\""), by: ada, at: at)
    for member in [bob, cleo] {
      try book.record(AddHouseholdMember(member, to: home), by: ada, at: at)
    }
    let bins = HouseholdTaskContent(
      title: "Bins, \"out\"", description: "the\ngreen one", dueDate: try day("2026-01-22"),
      dueTime: LocalTime(minutes: 1110), priority: .urgent)
    let householdTask = try book.record(
      CreateHouseholdTask(in: home, bins, assignee: bob), by: ada, at: at)
    let update = UpdateHouseholdTask(householdTask) { $0.content.description = nil }
    try book.record(update, by: bob, at: at)
    try book.record(CompleteHouseholdTask(householdTask), by: cleo, at: at)
    try book.record(ReopenHouseholdTask(householdTask), by: ada, at: at)
    let other = HouseholdTaskContent(title: "Windows")
    let windows = try book.record(CreateHouseholdTask(in: home, other), by: cleo, at: at)
    try book.record(AssignHouseholdTask(windows, to: cleo), by: ada, at: at)
    let doomed = try book.record(CreateHouseholdTask(in: home, other), by: ada, at: at)
    try book.record(DeleteHouseholdTask(doomed), by: ada, at: at)
    try eat(home, in: book, ada, cleo, at)
    try book.record(LeaveHousehold(home), by: bob, at: at)
    let own = try book.record(CreateHousehold(name: "Mine alone"), by: cleo, at: at)
    try book.record(
      CreateHouseholdTask(in: own, HouseholdTaskContent(title: "Secret")), by: cleo, at: at)
    try eat(own, in: book, cleo, cleo, at)
    let gone = try book.record(CreateHousehold(name: "Tent"), by: bob, at: at)
    try book.record(DeleteHousehold(gone), by: bob, at: at)
  }

  /// Two recipes, one inside the other, planned, changed and deleted.
  private static func eat(
    _ home: Household.ID, in book: Book, _ ada: Account.ID, _ cleo: Account.ID, _ at: Instant
  ) throws {
    let sauce = try book.record(
      CreateRecipe(
        in: home, RecipeContent(title: "Sauce", ingredients: [Ingredient(parsing: "2¼ l Wasser")])),
      by: ada, at: at)
    let part = Ingredient(
      text: "½ Sauce, \"hot\"", amount: Rational(1, over: 2), food: "sauce", note: "hot",
      category: .dairy, recipe: book.read { $0.recipes[sauce]?.key })
    let pasta = try book.record(
      CreateRecipe(
        in: home,
        RecipeContent(
          title: "Pasta, \"al dente\"", sourceURL: "https://example.org/p", sourceType: "url",
          baseServings: Rational(4), ingredients: [part], steps: ["Boil,\nthen drain.", "Eat."],
          tags: ["quick"], prepMinutes: 5, cookMinutes: 12, notes: "Gran's")), by: cleo, at: at)
    let update = UpdateRecipe(pasta) { content in
      content.baseServings = Rational(9, over: 2)
      content.tags = ["slow", "dinner"]
    }
    try book.record(update, by: ada, at: at)
    let meal = try book.record(
      PlanMeal(
        in: home,
        MealContent(
          recipe: pasta, date: try day("2026-01-21"), mealType: "dinner", servings: Rational(2))),
      by: cleo, at: at)
    let other = try day("2026-01-22")
    let move = UpdateMeal(meal) { $0.date = other }
    try book.record(move, by: ada, at: at)
    let pizza = MealContent(title: "Pizza at Bob's", date: try day("2026-01-23"))
    let doomed = try book.record(PlanMeal(in: home, pizza), by: ada, at: at)
    try book.record(RemoveMeal(doomed), by: ada, at: at)
    try shop(home, in: book, ada, cleo, at)
    try book.record(DeleteRecipe(pasta), by: cleo, at: at)
    try fillCalendar(of: home, book, ada, cleo, at)
  }

  /// A file with everything that a calendar can express, changed by a second file; and events of a member's own.
  private static func fillCalendar(
    of home: Household.ID, _ book: Book, _ ada: Account.ID, _ cleo: Account.ID, _ at: Instant
  ) throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Own "zone"
      BEGIN:STANDARD
      DTSTART:20000101T000000
      TZOFFSETFROM:+0130
      TZOFFSETTO:+0130
      RRULE:FREQ=YEARLY
      RDATE:20010101T000000
      END:STANDARD
      END:VTIMEZONE
      """
    let tea = """
      BEGIN:VEVENT
      UID:tea@example.org
      DTSTART;TZID="Own ^'zone^'":20260120T160000
      DURATION:P1DT2H
      SUMMARY:Tea\\, "green"
      DESCRIPTION:line\\nline
      LOCATION:Ada's
      RRULE:FREQ=WEEKLY;BYDAY=TU
      RDATE;VALUE=PERIOD:20260122T160000Z/PT1H
      EXDATE;VALUE=DATE:20260127
      STATUS:TENTATIVE
      LAST-MODIFIED:20260101T000000Z
      END:VEVENT
      """
    let late = """
      BEGIN:VEVENT
      UID:tea@example.org
      RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260203
      DTSTART;VALUE=DATE:20260204
      DTEND;VALUE=DATE:20260206
      SEQUENCE:1
      END:VEVENT
      """
    for parts in [[zone, tea], [zone, tea, late]] {
      let text = (["BEGIN:VCALENDAR"] + parts + ["END:VCALENDAR"]).joined(separator: "\n")
      try book.record(ImportCalendar(Array(text.utf8), into: home), by: cleo, at: at)
    }
    let fair = CreateCalendarEvent(
      in: home, title: "Fair", start: .day(try day("2026-01-25")), end: .day(try day("2026-01-27")))
    let own = try book.record(fair, by: ada, at: at)
    let update = UpdateCalendarEvent(own) { $0.description = "with \"rides\"" }
    try book.record(update, by: cleo, at: at)
    let doomed = try book.record(fair, by: cleo, at: at)
    try book.record(DeleteCalendarEvent(doomed), by: ada, at: at)
  }

  /// Tasks with parts and labels, one of which repeats, with completions and undos.
  private static func plan(_ book: Book, _ ada: Account.ID, _ at: Instant) throws {
    let home = try book.record(CreateLabel(name: "home", color: "#FF9F1C"), by: ada, at: at)
    let old = try book.record(CreateLabel(name: "old"), by: ada, at: at)
    let clean = try book.record(
      CreateTask(title: "Clean", description: "all of \"it\"", labels: [home, old]), by: ada,
      at: at)
    let dust = try book.record(CreateTask(title: "Dust", parent: clean), by: ada, at: at)
    let water = try book.record(
      CreateTask(
        title: "Water", bucket: .routines, due: at, recurrence: "FREQ=DAILY;COUNT=3",
        from: .completion), by: ada, at: at)
    let update = UpdateTask(clean) {
      $0.title = "Clean up"
      $0.due = at.advanced(byMilliseconds: 86_400_000)
    }
    try book.record(update, by: ada, at: at)
    try book.record(MoveTask(clean, to: .weekend, place: .first), by: ada, at: at)
    try book.record(UpdateLabel(home) { $0.name = "house" }, by: ada, at: at)
    try undo(
      try book.recordWithReceipt(CompleteTask(water), by: ada, at: at).position, book, ada, at)
    try book.record(CompleteTask(water), by: ada, at: at)
    try book.record(CompleteTask(clean), by: ada, at: at)
    try book.record(
      ReopenTask(dust), by: ada, at: at.advanced(byMilliseconds: 3000))
    let later = at.advanced(byMilliseconds: 3000)
    try undo(
      try book.recordWithReceipt(DeleteTask(clean), by: ada, at: later).position, book, ada, later)
    try undo(
      try book.recordWithReceipt(DeleteLabel(old), by: ada, at: later).position, book, ada, later)
    try book.record(DeleteTask(dust), by: ada, at: later)
    try book.record(SetTaskLabels(clean, add: [], remove: [home], purge: true), by: ada, at: later)
    try book.record(DeleteLabel(old), by: ada, at: later)
    try undo(
      try book.recordWithReceipt(DeleteTask(dust, purge: true), by: ada, at: later).position, book,
      ada, later)
    try book.record(DeleteTask(dust, purge: true), by: ada, at: later)
    try book.record(DeleteLabel(old, purge: true), by: ada, at: later)
    try book.record(SetTaskLabels(clean, add: [], remove: [old], purge: true), by: ada, at: later)
  }

  private static func undo(
    _ position: Int64, _ book: Book, _ actor: Account.ID, _ at: Instant
  ) throws {
    let past = try book.reader.commandHistory(at: position, knowing: book.read { $0 })
    try book.record(UndoTask(position, past), by: actor, at: at)
  }

  /// A list is generated twice and changed by two members; staples are counted, uncounted or removed.
  private static func shop(
    _ home: Household.ID, in book: Book, _ ada: Account.ID, _ cleo: Account.ID, _ at: Instant
  ) throws {
    let salt = PantryStapleContent(name: "Salt, \"fine\"", amount: Rational(1, over: 3), unit: "kg")
    let pantryStaple = try book.record(AddPantryStaple(in: home, salt), by: cleo, at: at)
    let rename = UpdatePantryStaple(pantryStaple) { ($0.name, $0.unit) = ("Wasser", "l") }
    try book.record(rename, by: ada, at: at)
    let oil = try book.record(
      AddPantryStaple(in: home, PantryStapleContent(name: "Oil")), by: ada, at: at)
    try book.record(RemovePantryStaple(oil), by: cleo, at: at)
    let week = try day("2026-01-21")
    let list = try book.record(GenerateGroceryList(of: home, week: week), by: ada, at: at)
    let line = try #require(book.read { $0.lists[list]?.items.first?.key })
    let edit = UpdateGroceryItem(GroceryItemID(list, line)) { content in
      content.note = "still,\nnot \"sparkling\""
    }
    try book.record(edit, by: cleo, at: at)
    try book.record(CheckGroceryItem(GroceryItemID(list, line)), by: cleo, at: at)
    let towels = GroceryItemContent(name: "Towels", amount: Rational(3), category: .other)
    let own = try book.record(AddGroceryItem(in: home, week: week, towels), by: cleo, at: at)
    try book.record(RemovePantryStaple(pantryStaple), by: ada, at: at)
    try book.record(GenerateGroceryList(of: home, week: week), by: cleo, at: at)
    try book.record(RemoveGroceryItem(own), by: ada, at: at)
  }

  static func day(_ text: String) throws -> Day { try #require(Day(text)) }

  static func times(_ texts: [String]) throws -> [LocalTime] {
    try texts.map { try #require(LocalTime($0)) }
  }
}

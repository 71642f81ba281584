import Avro
import PropertyTesting
import Testing

@testable import Daybook

/// A state is complete in its records. The laws of snapshots check that it comes back unchanged, for random
/// histories; these tests check that nothing is omitted, and that forged records do no harm.
@Suite(.tags(.damage)) struct StateRecordTests {
  @Test func `every stored property is written`() {
    for (value, schema, fields) in Self.written {
      let properties = Mirror(reflecting: value).children.compactMap(\.label)
      #expect(properties == fields.map(\.key), "\(type(of: value)) has another property")
      guard case .record(let record) = schema, !fields.allSatisfy(\.value.isEmpty) else { continue }
      #expect(record.fields.map(\.name) == fields.flatMap(\.value), "\(record.name)")
    }
  }

  @Test func `forged records give an error or no state`() {
    let whole = Self.records(of: Self.state())
    #expect(Self.state(of: whole) != nil)
    let changes = Generator.zip(
      Generator<Int>.integer(in: 0...10_000), Generator<UInt8>.integer(in: 1...255)
    ).array(count: 1...4)
    var states = 0
    let report = check("forged records", changes, cases: 300) { changes in
      var bytes = whole
      for (place, bits) in changes { bytes[place % bytes.count] ^= bits }
      guard let state = Self.state(of: bytes) else { return }
      states += 1
      Self.use(state)
    }
    #expect(report.passed, "\(report)")
    #expect(states > report.cases / 12)
    for count in whole.indices { #expect(Self.state(of: Array(whole.prefix(count))) == nil) }
  }

  @Test func `forged packed bytes give wrong days, and no trap`() {
    let tables = Generator { source in
      PackedDays(
        bytes: try source.draw(Generator<UInt8>.integer().array(count: 0...24)),
        // Now and then the place of a day that is looked up and changed, so that nothing is scanned.
        last: PackedDay.Predecessor(
          day: try source.draw(
            Generator<Int32>.oneOf(
              .integer(), Generator<Day>.element(of: DayTableTests.menu).map(\.number))),
          created: try source.draw(.integer())),
        lastStart: try source.draw(.integer(in: -3...30)),
        count: try source.draw(.integer(in: -3...30)))
    }
    let report = check("odd days", Generator.zip(tables, DayTableTests.changes.array(count: 0...6)))
    { pair in
      var table = DayTable()
      table.days = pair.0
      Self.use(table)
      for change in pair.1 {
        change.make(&table)
        Self.use(table)
      }
    }
    #expect(report.passed, "\(report)")
  }

  // MARK: Tools

  static func records(of state: BookState) -> [UInt8] {
    var writer = BinaryWriter()
    var records = StateRecords(state)
    while records.writeNext(to: &writer) {}
    return writer.bytes
  }

  static func state(of bytes: [UInt8]) -> BookState? {
    var reader = BinaryReader(bytes.span.bytes)
    var builder = StateBuilder()
    do throws(AvroError) {
      while !reader.isAtEnd {
        var piece = StatePiece()
        let branch = try reader.takeLong()
        guard try piece.read(branch, atMost: 1, from: &reader) == 1 else { return nil }
        try builder.append(piece)
      }
    } catch { return nil }
    return builder.finish()
  }

  /// Reads everything in a state.
  static func use(_ state: BookState) {
    _ = state.dump
    for number in state.accounts.elements.indices.compactMap({ Account.ID($0 + 1) }) {
      _ = state.contactMatches(of: number)
    }
    for habit in state.habits.elements {
      _ = habit.version(on: Day(clampingNumber: 20_000))
      use(habit.days)
    }
    let first = Day(clampingNumber: 20_490)
    for hive in state.hives.elements {
      for open in [first, first.advanced(by: 30), .last, .first] {
        // A forged day may be years ago, so the streak is read where that costs no time.
        if let oldest = hive.advanced.first, oldest > first { _ = hive.streak(firstOpen: open) }
        _ = hive.days(first...first.advanced(by: 40), firstOpen: open)
      }
      for member in hive.members {
        use(member.days)
        use(member.lateDays)
        _ = state.hives(of: member.account)
      }
      for invite in hive.invites { _ = state.hive(ofCode: invite.code) }
      _ = state.hiveRow(hive)
    }
    useHouseholds(state)
  }

  private static func useHouseholds(_ state: BookState) {
    for (index, household) in state.households.elements.enumerated() {
      for member in household.members {
        _ = state.households(of: member.account)
        guard let number = Household.ID(index + 1) else { continue }
        _ = state.householdTasks(of: number, for: member.account)
        _ = state.recipes(of: number, for: member.account, matching: "wash")
        _ = state.iCalendar(of: number, for: member.account, withTasks: true)
        _ = state.mealWeek(with: Day(clampingNumber: 20_500), of: number, for: member.account)
        _ = state.pantryStaples(of: number, for: member.account)
        let list = state.groceryList(of: number, for: member.account)?.list
        _ = list.map { (state.isStale($0), $0.ordered.count) }
      }
    }
  }

  static func use(_ table: DayTable) {
    for record in table.records { _ = (table[record.day], table.note(on: record.day)) }
    for day in DayTableTests.menu { _ = table[day] }
    _ = table.records.count + Array(table.records).count
  }

  /// A hive with an invite and two members, one of whom left, and their logs.
  private static func hive(in state: inout BookState, _ head: () -> EntryHead) {
    let day = Day(clampingNumber: 20_500)
    var created = HiveCreated.placeholder
    (created.key, created.owner, created.day) = (Key(high: 4, low: 1), .first, day)
    (created.description.name, created.source, created.threshold) = ("Bees", .first, 2)
    state.apply(Entry(head(), .hiveCreated(created)))
    var invite = HiveInviteCreated.placeholder
    (invite.hive, invite.code, invite.expires) = (.first, "0123456789ab", state.at)
    state.apply(Entry(head(), .hiveInviteCreated(invite)))
    for number in 1...2 {
      let member = Account.ID(number) ?? .first
      state.apply(
        Entry(
          head(),
          .hiveJoined(
            HiveJoined(
              hive: .first, member: member, day: day, requiredFrom: day,
              invite: number == 2 ? 1 : nil))))
      for offset in 0...2 {
        let logged = HiveDayLogged(
          hive: .first, member: member, day: day.advanced(by: offset), value: .one,
          isLate: offset == 1)
        state.apply(Entry(head(), .hiveDayLogged(logged)))
      }
    }
    let link = HiveHabitLinked(hive: .first, member: .first, habit: .first)
    state.apply(Entry(head(), .hiveHabitLinked(link)))
    for event in [
      Event.hiveAdvanced(HiveAdvanced(hive: .first, day: day, streak: 1)),
      .hiveBroken(HiveBroken(hive: .first, day: day.advanced(by: 1), streak: 1)),
      .hiveLeft(
        HiveLeft(hive: .first, member: Account.ID(2) ?? .first, requiredThrough: day)),
    ] { state.apply(Entry(head(), event)) }
  }

  /// A household of two, one of whom left, and its tasks.
  private static func household(in state: inout BookState, _ head: () -> EntryHead) {
    var created = HouseholdCreated.placeholder
    (created.key, created.name) = (Key(high: 5, low: 1), "Home")
    let other = Account.ID(2) ?? .first
    var householdTask = HouseholdTaskCreated.placeholder
    householdTask.key = Key(high: 6, low: 1)
    householdTask.content = HouseholdTaskContent(
      title: "Wash up", description: "by hand", dueDate: Day(clampingNumber: 20_500),
      dueTime: .midnight, priority: .urgent)
    householdTask.assignee = other
    var recipe = RecipeCreated.placeholder
    recipe.key = Key(high: 8, low: 1)
    recipe.content = RecipeContent(
      title: "Soup", sourceURL: "https://example.org", baseServings: Rational(3, over: 2),
      ingredients: [Ingredient(text: "1 onion", amount: .one, food: "onion", category: .produce)],
      steps: ["Cook."], tags: ["warm"], prepMinutes: 5)
    var meal = MealPlanned.placeholder
    meal.key = Key(high: 9, low: 1)
    meal.content = MealContent(
      recipe: .first, date: Day(clampingNumber: 20_500), mealType: "dinner", servings: Rational(2))
    var pantryStaple = PantryStapleAdded.placeholder
    pantryStaple.key = Key(high: 11, low: 1)
    pantryStaple.content = PantryStapleContent(name: "salt", amount: .one, unit: "kg")
    var list = GroceryListCreated.placeholder
    list.key = Key(high: 10, low: 1)
    list.weekStart = Day(clampingNumber: 20_500)
    var line = PlannedItem()
    line.key = Key(high: 12, low: 1)
    line.planned = GroceryItemContent(name: "onion", amount: Rational(2), category: .produce)
    line.content = GroceryItemContent(name: "onions", amount: Rational(2), note: "red")
    line.sources = [
      GrocerySource(date: Day(clampingNumber: 20_500), servings: Rational(2), amount: Rational(2))
    ]
    let towels = GroceryItemAdded(
      list: .first, key: Key(high: 12, low: 2), content: GroceryItemContent(name: "towels"))
    var tea = CalendarEventCreated.placeholder
    (tea.key, tea.source) = (Key(high: 10, low: 1), .import)
    let start = ICalendar.Time.date(Day(clampingNumber: 20_500))
    var series = ICalendar.Event(uid: "1", summary: "Tea", start: start, extent: .until(start))
    series.dates = [ICalendar.Date(start, extent: .lasting(ICalendar.Duration(days: 1)))]
    tea.content.components = [series]
    for event in [
      Event.householdCreated(created), .recipeCreated(recipe), .mealPlanned(meal),
      .pantryStapleAdded(pantryStaple), .groceryListCreated(list), .groceryItemAdded(towels),
      .groceryListGenerated(GroceryListGenerated(list: .first, mealPlanHash: "0", items: [line])),
      .groceryItemMarked(GroceryItemMarked(list: .first, item: line.key, status: .checked)),
      .calendarEventCreated(tea),
      .householdJoined(HouseholdJoined(household: .first, member: other)),
      .householdTaskCreated(householdTask),
      .householdTaskCompleted(HouseholdTaskCompleted(householdTask: .first)),
      .householdLeft(HouseholdLeft(household: .first, member: other)),
    ] { state.apply(Entry(head(), event)) }
  }

  /// A label, and two tasks, one of which is part of the other and repeats.
  private static func tasks(in state: inout BookState, _ head: () -> EntryHead) {
    var label = LabelCreated.placeholder
    (label.key, label.name, label.color) = (Key(high: 9, low: 1), "home", "#FF9F1C")
    state.apply(Entry(head(), .labelCreated(label)))
    var task = TaskCreated.placeholder
    (task.key, task.title, task.description) = (Key(high: 8, low: 1), "Clean", "all")
    state.apply(Entry(head(), .taskCreated(task)))
    (task.key, task.parent, task.due) = (Key(high: 8, low: 2), .first, .first)
    state.apply(Entry(head(), .taskCreated(task)))
    let second = TaskItem.ID(2) ?? .first
    for event: Event in [
      .taskLabelsChanged(TaskLabelsChanged(task: .first, added: [.first])),
      .taskOccurrenceCompleted(
        TaskOccurrenceCompleted(
          task: second, key: Key(high: 7, low: 1), due: .first, day: Day(clampingNumber: 20_000))),
      .taskReopened(TaskReopened(task: second)),
      .taskLabelsChanged(TaskLabelsChanged(task: .first, removed: [.first])),
    ] { state.apply(Entry(head(), event)) }
  }

  /// A state with a little of everything.
  static func state() -> BookState {
    var state = BookState()
    var position: Int64 = 0
    func head() -> EntryHead {
      position += 1
      return EntryHead(
        position: position, at: Instant(clamping: 1_772_398_800_000 + position * 1000), actor: nil,
        key: nil)
    }
    var account = AccountCreated.placeholder
    (account.key, account.displayName, account.timeZone) = (Key(high: 1, low: 1), "Ada", "UTC")
    state.apply(Entry(head(), .accountCreated(account)))
    var goal = GoalCreated.placeholder
    (goal.key, goal.title) = (Key(high: 3, low: 1), "Fit")
    state.apply(Entry(head(), .goalCreated(goal)))
    var paused = AccountPaused.placeholder
    (paused.first, paused.last) = (Day(clampingNumber: 20_000), Day(clampingNumber: 20_001))
    state.apply(Entry(head(), .accountPaused(paused)))
    let hash = IdentityHash(padding: 1...32)
    let linked = IdentityLinked(account: .first, kind: .phone, hash: hash, isVerified: true)
    state.apply(Entry(head(), .identityLinked(linked)))
    let registered = DeviceRegistered(account: .first, token: "phone", environment: .sandbox)
    state.apply(Entry(head(), .deviceRegistered(registered)))
    state.apply(Entry(head(), .contactsUploaded(ContactsUploaded(account: .first, hashes: [hash]))))
    for number in 1...2 {
      var habit = HabitCreated.placeholder
      habit.key = Key(high: 2, low: UInt64(number))
      habit.description.name = "Habit \(number)"
      habit.reminders = [.midnight]
      state.apply(Entry(head(), .habitCreated(habit)))
    }
    for number in 0..<6 {
      let logged = HabitLogged(
        habit: .first, day: Day(clampingNumber: 20_500 + number * number),
        value: Amount(thousandths: Int64(number) * 777) ?? .one, note: number == 2 ? "so" : nil)
      state.apply(Entry(head(), .habitLogged(logged)))
    }
    hive(in: &state, head)
    household(in: &state, head)
    tasks(in: &state, head)
    return state
  }
}

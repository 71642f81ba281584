import ArgumentParser
import Daybook
import DaybookStore

/// The option that selects a household when the account is in several.
struct HouseholdOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "The household: a prefix of its name, or its key (default: the only one you are in).")
  var household: String?

  /// The selected household: the one named, else the account's only one.
  func find(in state: BookState, for account: Account.ID) throws -> Household.ID {
    let own = state.households(of: account)
    if let household {
      let number = try Self.choice.find(
        household, in: state.households, among: own.compactMap { state.households[$0] })
      guard own.contains(number) else { throw Rejection.householdNotFound }
      return number
    }
    guard let first = own.first else { throw CommandFailure("household_not_found", Self.whenEmpty) }
    guard own.count == 1 else {
      let labels = own.compactMap { state.households[$0]?.label }
      throw CommandFailure(
        "household_missing",
        "Say which household with --household: \(labels.joined(separator: ", ")).")
    }
    return first
  }

  private static let whenEmpty =
    "You are in no household yet; `daybook household create NAME` creates one."
  private static let choice = EntityFinder(noun: "household", whenEmpty: whenEmpty)
}

/// The options for reading a household: the book, the household, the viewer, the time, and the layout of the
/// answer.
struct HouseholdReadOptions: JoinedOptions {
  var options = BookOptions()
  var screen = ScreenOptions()
  var actor = ActorOptions()
  var home = HouseholdOptions()
  var time = PastOptions()

  static var parts: [OptionPart<Self>] {
    [
      OptionPart(\.options), OptionPart(\.screen), OptionPart(\.actor), OptionPart(\.home),
      OptionPart(\.time),
    ]
  }

  var json: Bool { options.json }

  /// The context for answering the command.
  func context() throws -> HouseholdQueryContext {
    try HouseholdQueryContext(options, actor, time, home)
  }
}

/// The context for a command that reads a household.
struct HouseholdQueryContext {
  let base: QueryContext
  let viewer: Account.ID
  let number: Household.ID

  var state: BookState { base.state }

  init(
    _ options: BookOptions, _ actor: ActorOptions, _ time: PastOptions, _ home: HouseholdOptions
  ) throws {
    var asOf = TimeOptions()
    asOf.asOf = time.asOf
    asOf.on = nil
    asOf.rule = StreakRule.daybook.id
    base = try QueryContext(options, actor, asOf, byMembers: true)
    viewer = try actor.viewer(base)
    number = try home.find(in: base.state, for: viewer)
  }

  /// Answers a question for the viewer.
  func ask<Asked: Question>(_ question: Asked) throws -> Asked.Answer {
    try base.ask(question, by: viewer)
  }

  /// Today for the viewer.
  var today: Day {
    get throws { try DayArgument.day("today", for: state.viewer(viewer), base.query) }
  }

  /// The display name of an account.
  func name(_ account: Account.ID?) -> String {
    account.flatMap { state.viewer($0)?.displayName } ?? ""
  }
}

/// The options for viewing a household as of an instant.
struct PastOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "As the book knew it at this time: 2026-03-01T12:00:00Z, or a day (to its end).")
  var asOf: String?
}

/// The options for recording something in a household: who, and when.
struct HouseholdChangeOptions: JoinedOptions {
  var options = BookOptions()
  var actor = ActorOptions()
  var home = HouseholdOptions()
  var clock = ClockOptions()

  static var parts: [OptionPart<Self>] {
    [OptionPart(\.options), OptionPart(\.actor), OptionPart(\.home), OptionPart(\.clock)]
  }

  /// Records a command for the household, and prints the result.
  func run<C: RequestBody>(
    _ command: (HouseholdCommandContext) throws -> C, words: (C.Answer, BookState) throws -> String
  ) throws {
    let answer = try CommandAnswer(options, actor, clock)
    try answer.run(
      { state, account in
        try command(
          HouseholdCommandContext(
            state: state, account: account, household: try home.find(in: state, for: account),
            query: answer.query(state)))
      }, words: words)
  }
}

/// Looks up what the arguments of a command that changes a household denote.
struct HouseholdCommandContext {
  let state: BookState
  let account: Account.ID
  let household: Household.ID
  let query: Query

  /// The day that a text denotes, possibly in the future.
  func day(_ text: String) throws -> Day {
    try ComingDay.day(text, for: state.accounts[account], query)
  }

  /// Finds a member of the household.
  func member(_ text: String) throws -> Account.ID {
    let members = state.households[household]?.activeMembers ?? []
    return try EntityFinder(noun: "member", whenEmpty: "The household has no members.")
      .find(text, in: state.accounts, among: members.compactMap { state.accounts[$0.account] })
  }

  /// Finds a task of the household.
  func householdTask(_ text: String) throws -> HouseholdTask.ID {
    let householdTasks = state.householdTasks(of: household, for: account)
    // Among tasks with the same name an open one is preferred.
    return try EntityFinder(
      noun: "task",
      whenEmpty: "The household has no tasks yet; `daybook chores add TITLE` adds one."
    ).find(text, in: state.householdTasks, among: householdTasks.map(\.householdTask)) {
      !$0.isComplete
    }
  }

  /// Finds a recipe of the household.
  func recipe(_ text: String) throws -> Recipe.ID {
    try RecipeChoice.find(text, in: state, of: household, for: account)
  }

  /// Finds a planned meal of the household by its title: "Waffles", "Waffles on 2026-03-04".
  func meal(_ text: String) throws -> Meal.ID {
    let choice = EntityFinder(
      noun: "meal", whenEmpty: "Nothing is planned yet; `daybook plan add RECIPE DAY` plans a meal."
    )
    if Key(text) != nil { return try choice.find(text, in: state.meals, among: []) }
    let meals = state.meals(of: household, for: account, from: .first, to: .last)
    let found = try choice.find(
      text, among: meals.map { NamedMeal(meal: $0.meal, title: state.title(of: $0.meal)) },
      number: { state.meals.number(of: $0.key)?.number })
    guard let number = state.meals.number(of: found.key) else {
      throw Rejection.mealNotFound
    }
    return number
  }
}

extension HouseholdCommandContext {
  /// Finds an event in the household's calendar by its title.
  func calendarEvent(_ text: String) throws -> (number: CalendarEvent.ID, event: CalendarEvent) {
    let events = state.householdEntities(.calendarEvent, in: state.calendarEvents, of: household)
    let number = try EntityFinder(
      noun: "event",
      whenEmpty: "The calendar is empty; `daybook calendar add TITLE DAY` adds something."
    ).find(text, in: state.calendarEvents, among: events.map(\.thing))
    guard let event = state.calendarEvents[number] else { throw Rejection.calendarEventNotFound }
    return (number, event)
  }
}

/// Finds the recipe that a text denotes.
enum RecipeChoice {
  static func find(
    _ text: String, in state: BookState, of household: Household.ID, for account: Account.ID
  ) throws -> Recipe.ID {
    let recipes = state.recipes(of: household, for: account)
    let number = try EntityFinder(
      noun: "recipe",
      whenEmpty: "The household has no recipes yet; `daybook recipe add TITLE` adds one."
    ).find(text, in: state.recipes, among: recipes.map(\.recipe))
    guard recipes.contains(where: { $0.number == number }) else {
      throw Rejection.recipeNotFound
    }
    return number
  }
}

/// A planned meal with a name that distinguishes it from others.
private struct NamedMeal: Entity {
  static var entityName: StaticString { Meal.entityName }
  let meal: Meal
  let title: String

  var key: Key { meal.key }
  var displayName: String { "\(title) on \(meal.content.date)" }
  var ownedBy: Account.ID? { meal.ownedBy }
  var home: Household.ID? { meal.home }
  var isDeleted: Bool { meal.isDeleted }
}

/// Parses a day for planning; a weekday is the next such day, today included.
enum ComingDay {
  static let help = DayWords.comingHelp

  /// The day that a text denotes; a weekday is the first such day from today, or from another day.
  static func day(
    _ text: String, for account: Account?, _ query: Query, from start: Day? = nil
  ) throws -> Day {
    let today = try DayArgument.today(for: account, query)
    let isWeekday = WeekdayWord.weekday(text) != nil
    let words = DayWords(today: isWeekday ? start ?? today : today, direction: .coming)
    guard let day = words.day(text) else {
      throw ValidationError("\"\(text)\" is not a day: give \(help)")
    }
    return day
  }
}

/// Parses an exact number.
enum RationalArgument {
  static func number(_ text: String?, _ option: String) throws -> Rational? {
    guard let text else { return nil }
    guard let number = Rational(text) else {
      throw ValidationError("\(option): \"\(text)\" is not a number such as 6, 1.5 or 3/2")
    }
    return number
  }
}

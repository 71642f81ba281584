import Calendar

// How an undo reverts a household's entities: any member may undo what they did themselves.

extension Household: RevertibleEntity {
  static func check(_ thing: Household, _ number: ID, _ reversal: CommandReversal) throws(Rejection)
  {
    guard thing.hasMember(reversal.actor) else { throw .entryNotFound(reversal.position) }
  }

  static func removing(
    _ thing: Household, _ number: ID, _ reversal: CommandReversal
  ) throws(Rejection) -> [Event] {
    try thing.checkAlone(reversal)
    let things = reversal.state.aggregates(of: number).dropFirst()
    guard things.allSatisfy({ reversal.state.entity($0)?.isDeleted ?? true }) else {
      throw .holdsOthers(thing.name, "things")
    }
    return [.householdDeleted(HouseholdDeleted(household: number))]
  }

  private func checkAlone(_ reversal: CommandReversal) throws(Rejection) {
    guard activeMembers.count == 1 else {
      throw .notUndoable(reversal.position, because: "\(name) has other members")
    }
  }

  static var isThere: ReversalFacet<Household> {
    ReversalFacet({ $0.isDeleted == $1.isDeleted }) { _, now, number, reversal throws(Rejection) in
      try now.checkAlone(reversal)
      guard now.isDeleted else {
        return [.householdDeleted(HouseholdDeleted(household: number))]
      }
      reversal.noteRestored(.household(number))
      return [.householdRestored(HouseholdRestored(household: number))]
    }
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<Household>] {
    [
      isThere,
      ReversalFacet(Event.householdRenamed),
      ReversalFacet(Event.householdCodeChanged),
      ReversalFacet({ $0.activeMembers.map(\.account) == $1.activeMembers.map(\.account) }) {
        _, _, _, _ in []
      },
    ]
  }
}

extension HouseholdTask: RevertibleEntity {
  static var deletionEvents: DeletionEvents<HouseholdTask>? {
    DeletionEvents(Event.householdTaskDeleted, Event.householdTaskRestored)
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<HouseholdTask>] {
    [
      isThere,
      ReversalFacet(Event.householdTaskDescribed),
      ReversalFacet(Event.householdTaskAssigned) { before, now, reversal throws(Rejection) in
        let household = reversal.state.households[now.household]
        if let assignee = before.assignee, household?.hasMember(assignee) != true {
          throw .notUndoable(
            reversal.position, because: "the assigned member has left the household")
        }
      },
      ReversalFacet({ $0.completed == $1.completed }) { before, _, number, _ throws(Rejection) in
        guard before.isComplete else {
          return [.householdTaskReopened(HouseholdTaskReopened(householdTask: number))]
        }
        return [
          .householdTaskCompleted(
            HouseholdTaskCompleted(
              householdTask: number, completed: before.completed, completer: before.completer))
        ]
      },
    ]
  }
}

/// The content of a household's item that an undo can restore.
protocol RevertibleContent: StoredContent {
  /// The event that replaces the item's content.
  associatedtype Described: ItemContentEvent where Described.Content == Self

  static var described: (Described) -> Event { get }
  /// The events that delete and restore the item.
  static var deletionEvents: DeletionEvents<HouseholdItem<Self>> { get }
  /// Refuses content that refers to something deleted.
  func check(_ reversal: CommandReversal) throws(Rejection)
  /// Refuses to remove an item while others need it.
  static func checkUnused(
    _ thing: HouseholdItem<Self>, _ number: HouseholdItem<Self>.ID, _ reversal: CommandReversal
  ) throws(Rejection)
}

extension RevertibleContent {
  func check(_ reversal: CommandReversal) throws(Rejection) {}

  static func checkUnused(
    _ thing: HouseholdItem<Self>, _ number: HouseholdItem<Self>.ID, _ reversal: CommandReversal
  ) throws(Rejection) {}
}

extension HouseholdItem: RevertibleEntity where Content: RevertibleContent {
  static var deletionEvents: DeletionEvents<HouseholdItem>? { Content.deletionEvents }

  static func removing(
    _ thing: HouseholdItem, _ number: ID, _ reversal: CommandReversal
  ) throws(Rejection) -> [Event] {
    try Content.checkUnused(thing, number, reversal)
    return [Content.deletionEvents.deleted(number, thing)]
  }

  static func checkReturn(
    _ before: HouseholdItem, _ now: HouseholdItem, _ reversal: CommandReversal
  ) throws(Rejection) {
    try before.content.check(reversal)
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<HouseholdItem>] {
    [isThere, ReversalFacet(Content.described, check: checkReturn)]
  }
}

extension RecipeContent: RevertibleContent {
  static var described: (RecipeDescribed) -> Event { Event.recipeDescribed }
  static var deletionEvents: DeletionEvents<Recipe> {
    DeletionEvents(Event.recipeDeleted, Event.recipeRestored)
  }

  static func checkUnused(
    _ thing: Recipe, _ number: Recipe.ID, _ reversal: CommandReversal
  ) throws(Rejection) {
    let meals = reversal.state.indexes.households.meals(of: number)
    guard reversal.untouched(meals, .meal).isEmpty else {
      throw .holdsOthers(thing.content.title, "planned meals")
    }
  }
}

extension MealContent: RevertibleContent {
  static var described: (MealChanged) -> Event { Event.mealChanged }
  static var deletionEvents: DeletionEvents<Meal> {
    DeletionEvents(Event.mealRemoved, Event.mealRestored)
  }

  func check(_ reversal: CommandReversal) throws(Rejection) {
    if let recipe {
      try reversal.checkThere(.recipe(recipe), or: "the recipe of the meal is gone")
    }
  }
}

extension CalendarEvent: RevertibleEntity {
  static var deletionEvents: DeletionEvents<CalendarEvent>? {
    DeletionEvents(Event.calendarEventDeleted, Event.calendarEventRestored)
  }

  static func checkReturn(
    _ before: CalendarEvent, _ now: CalendarEvent, _ reversal: CommandReversal
  ) throws(Rejection) {
    if let uid = before.content.main?.uid,
      reversal.state.liveCalendarEvent(uid, in: now.household) != nil
    {
      throw .notUndoable(reversal.position, because: "the calendar has the event again already")
    }
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<CalendarEvent>] {
    [isThere, ReversalFacet(Event.calendarEventChanged)]
  }
}

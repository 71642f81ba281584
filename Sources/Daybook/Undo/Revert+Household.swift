import Calendar

// How an undo reverts a household's entities: any member may undo what they did themselves.

extension Household: RevertedEntity {
  static func check(_ thing: Household, _ number: ID, _ revert: Revert) throws(Rejection) {
    guard thing.hasMember(revert.actor) else { throw .entryNotFound(revert.position) }
  }

  static func taking(
    _ thing: Household, _ number: ID, _ revert: Revert
  ) throws(Rejection) -> [Event] {
    try thing.checkAlone(revert)
    let things = revert.state.aggregates(of: number).dropFirst()
    guard things.allSatisfy({ revert.state.entity($0)?.isDeleted ?? true }) else {
      throw .holdsOthers(thing.name, "things")
    }
    return [.householdDeleted(HouseholdDeleted(household: number))]
  }

  private func checkAlone(_ revert: Revert) throws(Rejection) {
    guard activeMembers.count == 1 else {
      throw .notUndoable(revert.position, because: "\(name) has other members")
    }
  }

  static var isThere: RevertFacet<Household> {
    RevertFacet({ $0.isDeleted == $1.isDeleted }) { _, now, number, revert throws(Rejection) in
      try now.checkAlone(revert)
      guard now.isDeleted else {
        return [.householdDeleted(HouseholdDeleted(household: number))]
      }
      revert.revive(.household(number))
      return [.householdRestored(HouseholdRestored(household: number))]
    }
  }

  static func facets(of events: [Event]?) -> [RevertFacet<Household>] {
    [
      isThere,
      RevertFacet(Event.householdRenamed),
      RevertFacet(Event.householdCodeChanged),
      RevertFacet({ $0.activeMembers.map(\.account) == $1.activeMembers.map(\.account) }) {
        _, _, _, _ in []
      },
    ]
  }
}

extension HouseholdTask: RevertedEntity {
  static var existence: Existence<HouseholdTask>? {
    Existence(Event.householdTaskDeleted, Event.householdTaskRestored)
  }

  static func facets(of events: [Event]?) -> [RevertFacet<HouseholdTask>] {
    [
      isThere,
      RevertFacet(Event.householdTaskDescribed),
      RevertFacet(Event.householdTaskAssigned) { before, now, revert throws(Rejection) in
        let household = revert.state.households[now.household]
        if let assignee = before.assignee, household?.hasMember(assignee) != true {
          throw .notUndoable(
            revert.position, because: "the assigned member has left the household")
        }
      },
      RevertFacet({ $0.completed == $1.completed }) { before, _, number, _ throws(Rejection) in
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
protocol RevertedContent: StoredContent {
  /// The event that replaces the item's content.
  associatedtype Described: ItemContentEvent where Described.Content == Self

  static var described: (Described) -> Event { get }
  /// The events that delete and restore the item.
  static var existence: Existence<HouseholdItem<Self>> { get }
  /// Refuses content that refers to something deleted.
  func check(_ revert: Revert) throws(Rejection)
  /// Refuses to remove an item while others need it.
  static func checkUnused(
    _ thing: HouseholdItem<Self>, _ number: HouseholdItem<Self>.ID, _ revert: Revert
  ) throws(Rejection)
}

extension RevertedContent {
  func check(_ revert: Revert) throws(Rejection) {}

  static func checkUnused(
    _ thing: HouseholdItem<Self>, _ number: HouseholdItem<Self>.ID, _ revert: Revert
  ) throws(Rejection) {}
}

extension HouseholdItem: RevertedEntity where Content: RevertedContent {
  static var existence: Existence<HouseholdItem>? { Content.existence }

  static func taking(
    _ thing: HouseholdItem, _ number: ID, _ revert: Revert
  ) throws(Rejection) -> [Event] {
    try Content.checkUnused(thing, number, revert)
    return [Content.existence.deleted(number, thing)]
  }

  static func checkReturn(
    _ before: HouseholdItem, _ now: HouseholdItem, _ revert: Revert
  ) throws(Rejection) {
    try before.content.check(revert)
  }

  static func facets(of events: [Event]?) -> [RevertFacet<HouseholdItem>] {
    [isThere, RevertFacet(Content.described, check: checkReturn)]
  }
}

extension RecipeContent: RevertedContent {
  static var described: (RecipeDescribed) -> Event { Event.recipeDescribed }
  static var existence: Existence<Recipe> { Existence(Event.recipeDeleted, Event.recipeRestored) }

  static func checkUnused(
    _ thing: Recipe, _ number: Recipe.ID, _ revert: Revert
  ) throws(Rejection) {
    let meals = revert.state.indexes.households.meals(of: number)
    guard revert.untouched(meals, .meal).isEmpty else {
      throw .holdsOthers(thing.content.title, "planned meals")
    }
  }
}

extension MealContent: RevertedContent {
  static var described: (MealChanged) -> Event { Event.mealChanged }
  static var existence: Existence<Meal> { Existence(Event.mealRemoved, Event.mealRestored) }

  func check(_ revert: Revert) throws(Rejection) {
    if let recipe {
      try revert.checkThere(.recipe(recipe), or: "the recipe of the meal is gone")
    }
  }
}

extension CalendarEvent: RevertedEntity {
  static var existence: Existence<CalendarEvent>? {
    Existence(Event.calendarEventDeleted, Event.calendarEventRestored)
  }

  static func checkReturn(
    _ before: CalendarEvent, _ now: CalendarEvent, _ revert: Revert
  ) throws(Rejection) {
    if let uid = before.content.main?.uid,
      revert.state.liveCalendarEvent(uid, in: now.household) != nil
    {
      throw .notUndoable(revert.position, because: "the calendar has the event again already")
    }
  }

  static func facets(of events: [Event]?) -> [RevertFacet<CalendarEvent>] {
    [isThere, RevertFacet(Event.calendarEventChanged)]
  }
}

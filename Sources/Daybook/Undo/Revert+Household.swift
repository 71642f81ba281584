import Calendar

// How an undo reverts a household's entities: any member may undo what they did themselves.

extension Revert {
  /// Refuses an entity of a household that the actor is not in.
  func checkHome(_ household: Household.ID) throws(Rejection) {
    guard state.household(household, for: actor) != nil else { throw .entryNotFound(position) }
  }
}

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
      RevertFacet(\.name) { .householdRenamed(HouseholdRenamed(household: $0, name: $1.name)) },
      RevertFacet(\.code) { number, before in
        .householdCodeChanged(
          HouseholdCodeChanged(
            household: number, code: before.code?.text, expires: before.code?.expires))
      },
      RevertFacet({ $0.activeMembers.map(\.account) == $1.activeMembers.map(\.account) }) {
        _, _, _, _ in []
      },
    ]
  }
}

extension HouseholdTask: RevertedEntity {
  static func check(_ thing: HouseholdTask, _ number: ID, _ revert: Revert) throws(Rejection) {
    try revert.checkHome(thing.household)
  }

  static func taking(
    _ thing: HouseholdTask, _ number: ID, _ revert: Revert
  ) throws(Rejection) -> [Event] {
    [.householdTaskDeleted(HouseholdTaskDeleted(householdTask: number))]
  }

  static var isThere: RevertFacet<HouseholdTask> {
    RevertFacet({ $0.isDeleted == $1.isDeleted }) { _, now, number, revert throws(Rejection) in
      guard now.isDeleted else { return try taking(now, number, revert) }
      revert.revive(.householdTask(number))
      return [.householdTaskRestored(HouseholdTaskRestored(householdTask: number))]
    }
  }

  static func facets(of events: [Event]?) -> [RevertFacet<HouseholdTask>] {
    [
      isThere,
      RevertFacet(\.content) {
        .householdTaskDescribed(HouseholdTaskDescribed(householdTask: $0, content: $1.content))
      },
      RevertFacet({ $0.assignee == $1.assignee }) { before, now, number, revert throws(Rejection) in
        let household = revert.state.households[now.household]
        if let assignee = before.assignee, household?.hasMember(assignee) != true {
          throw .notUndoable(
            revert.position, because: "the assigned member has left the household")
        }
        return [
          .householdTaskAssigned(
            HouseholdTaskAssigned(householdTask: number, assignee: before.assignee))
        ]
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
  /// The event that restores the item.
  static func restored(_ number: HouseholdItem<Self>.ID) -> Event
  /// The event that deletes the item.
  static func deleted(_ number: HouseholdItem<Self>.ID) -> Event
  /// The event that changes the item's content.
  static func described(_ number: HouseholdItem<Self>.ID, _ content: Self) -> Event
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
  static func check(_ thing: HouseholdItem, _ number: ID, _ revert: Revert) throws(Rejection) {
    try revert.checkHome(thing.household)
  }

  static func taking(
    _ thing: HouseholdItem, _ number: ID, _ revert: Revert
  ) throws(Rejection) -> [Event] {
    try Content.checkUnused(thing, number, revert)
    return [Content.deleted(number)]
  }

  static var isThere: RevertFacet<HouseholdItem> {
    RevertFacet({ $0.isDeleted == $1.isDeleted }) {
      before, now, number, revert throws(Rejection) in
      guard now.isDeleted else { return try taking(now, number, revert) }
      try before.content.check(revert)
      revert.revive(Aggregate(Content.kind, number.number))
      return [Content.restored(number)]
    }
  }

  static func facets(of events: [Event]?) -> [RevertFacet<HouseholdItem>] {
    [
      isThere,
      RevertFacet({ $0.content == $1.content }) { before, _, number, revert throws(Rejection) in
        try before.content.check(revert)
        return [Content.described(number, before.content)]
      },
    ]
  }
}

extension RecipeContent: RevertedContent {
  static func restored(_ number: Recipe.ID) -> Event {
    .recipeRestored(RecipeRestored(recipe: number))
  }
  static func deleted(_ number: Recipe.ID) -> Event {
    .recipeDeleted(RecipeDeleted(recipe: number))
  }
  static func described(_ number: Recipe.ID, _ content: RecipeContent) -> Event {
    .recipeDescribed(RecipeDescribed(recipe: number, content: content))
  }

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
  static func restored(_ number: Meal.ID) -> Event { .mealRestored(MealRestored(meal: number)) }
  static func deleted(_ number: Meal.ID) -> Event { .mealRemoved(MealRemoved(meal: number)) }
  static func described(_ number: Meal.ID, _ content: MealContent) -> Event {
    .mealChanged(MealChanged(meal: number, content: content))
  }

  func check(_ revert: Revert) throws(Rejection) {
    if let recipe {
      try revert.checkThere(.recipe(recipe), or: "the recipe of the meal is gone")
    }
  }
}

extension PantryStapleContent: RevertedContent {
  static func restored(_ number: PantryStaple.ID) -> Event {
    .pantryStapleRestored(PantryStapleRestored(pantryStaple: number))
  }
  static func deleted(_ number: PantryStaple.ID) -> Event {
    .pantryStapleRemoved(PantryStapleRemoved(pantryStaple: number))
  }
  static func described(_ number: PantryStaple.ID, _ content: PantryStapleContent) -> Event {
    .pantryStapleDescribed(PantryStapleDescribed(pantryStaple: number, content: content))
  }
}

extension CalendarEvent: RevertedEntity {
  static func check(_ thing: CalendarEvent, _ number: ID, _ revert: Revert) throws(Rejection) {
    try revert.checkHome(thing.household)
  }

  /// The event keeps the source: an imported item counts as deleted by a file, so that the next import brings it back.
  static func taking(
    _ thing: CalendarEvent, _ number: ID, _ revert: Revert
  ) throws(Rejection) -> [Event] {
    [.calendarEventDeleted(CalendarEventDeleted(event: number, source: thing.source))]
  }

  static var isThere: RevertFacet<CalendarEvent> {
    RevertFacet({ $0.isDeleted == $1.isDeleted }) {
      before, now, number, revert throws(Rejection) in
      guard now.isDeleted else { return try taking(now, number, revert) }
      if let uid = before.content.main?.uid,
        revert.state.liveCalendarEvent(uid, in: now.household) != nil
      {
        throw .notUndoable(
          revert.position, because: "the calendar has the event again already")
      }
      revert.revive(.calendarEvent(number))
      return [
        .calendarEventRestored(CalendarEventRestored(event: number, synced: before.synced))
      ]
    }
  }

  static func facets(of events: [Event]?) -> [RevertFacet<CalendarEvent>] {
    [
      isThere,
      RevertFacet({ $0.content == $1.content }) { before, _, number, _ throws(Rejection) in
        [.calendarEventChanged(CalendarEventChanged(event: number, content: before.content))]
      },
    ]
  }
}

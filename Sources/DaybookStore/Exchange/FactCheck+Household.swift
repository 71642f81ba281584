import Avro
import Daybook

extension BookState {
  /// Why nobody could have recorded this event of a household or of what belongs to it; nil when
  /// somebody could. The actor's membership was already checked.
  func contradiction(of event: Event, inHousehold number: Household.ID) -> String? {
    guard let household = households[number] else { return nil }
    switch event.byContext {
    case .household(.householdJoined(let event)):
      if household.hasMember(event.member) { return "the person is a member already" }
      if event.byCode, household.code == nil { return "the household shows no code" }
      if accounts[event.member]?.isErased == true { return "a line above erases the person" }
      return household.activeMembers.count < Household.maximumMemberCount
        ? nil : "the household is full"
    case .household(.householdLeft(let event)):
      if let reason = faultUnlessMember(event.member, household) { return reason }
      guard household.activeMembers.count > 1 else {
        return "the last member cannot leave; the household is deleted instead"
      }
      return isAssigned(event.member, in: number)
        ? "open tasks are still assigned to the person; unassign them first" : nil
    case .householdTasks(.householdTaskCreated(let event)):
      return event.assignee.flatMap { faultUnlessMember($0, household) }
    case .householdTasks(.householdTaskAssigned(let event)):
      return event.assignee.flatMap { faultUnlessMember($0, household) }
    case .householdTasks(.householdTaskCompleted(let event)):
      return householdTasks[event.householdTask]?.isComplete == true
        ? "the task is done already" : nil
    case .householdTasks(.householdTaskReopened(let event)):
      guard let householdTask = householdTasks[event.householdTask] else { return nil }
      return householdTask.isComplete
        ? householdTask.assignee.flatMap { faultUnlessMember($0, household) } : "the task is open"
    case .calendar(.calendarEventRestored(let event)):
      guard let found = calendarEvents[event.event] else { return nil }
      guard found.isDeleted else { return "the calendar event was not deleted" }
      return fault(of: found.content, in: number, of: event.event)
    case .household(.householdCodeChanged(let event)):
      guard let code = event.code else { return nil }
      if event.expires == nil { return "the code never expires" }
      return JoinCode.isCode(code) ? nil : "the code is not twelve hexadecimal digits"
    case .recipes(.recipeCreated(let event)):
      return fault(of: event.content, event.key, after: nil, in: number)
    case .recipes(.recipeDescribed(let event)):
      guard let recipe = recipes[event.recipe] else { return nil }
      return fault(of: event.content, recipe.key, after: recipe.content, in: number)
    case .recipes(.recipeDeleted(let event)):
      let isPlanned = householdEntities(.meal, in: meals, of: number).contains {
        $0.thing.content.recipe == event.recipe
      }
      return isPlanned ? "meals are still planned with the recipe; change them first" : nil
    case .mealPlan(.mealPlanned(let event)): return fault(of: event.content, in: number)
    case .mealPlan(.mealChanged(let event)): return fault(of: event.content, in: number)
    case .calendar(.calendarEventCreated(let event)):
      return fault(of: event.content, in: number, of: nil)
    case .calendar(.calendarEventChanged(let event)):
      return fault(of: event.content, in: number, of: event.event)
    case .groceries(let event): return contradiction(of: event)
    // Any member may do this with what exists.
    case .household(.householdCreated), .household(.householdRenamed),
      .household(.householdDeleted), .household(.householdRestored),
      .householdTasks(.householdTaskDescribed), .householdTasks(.householdTaskDeleted),
      .householdTasks(.householdTaskRestored), .recipes(.recipeRestored),
      .mealPlan(.mealRemoved), .mealPlan(.mealRestored), .calendar(.calendarEventDeleted):
      return nil
    // These have nothing to do with a household.
    case .accounts, .habits, .goals, .hives, .tasks, .activities, .others: return nil
    }
  }

  private func faultUnlessMember(_ account: Account.ID, _ household: Household) -> String? {
    household.hasMember(account) ? nil : "the person is not a member of the household"
  }

  private func isAssigned(_ member: Account.ID, in household: Household.ID) -> Bool {
    householdEntities(.householdTask, in: householdTasks, of: household).contains {
      $0.thing.assignee == member && !$0.thing.isComplete
    }
  }

  private func fault(
    of content: RecipeContent, _ key: Key, after old: RecipeContent?, in household: Household.ID
  ) -> String? {
    do throws(Rejection) {
      try checkParts(of: content, after: old, key, in: household)
    } catch { return error.description }
    if let servings = content.baseServings, !servings.isPositive { return Self.noServings }
    if content.ingredients.contains(where: { $0.amount.map { $0 < .zero } ?? false }) {
      return "a quantity is below 0"
    }
    if content.ingredients.contains(where: { $0.extra != nil && $0.extraMembers.isEmpty }) {
      return "the further data of an ingredient is not an object"
    }
    if content.steps.contains(where: { $0.object != nil && $0.writtenJSON.members == nil }) {
      return "a step is neither words nor an object"
    }
    if !content.ingredients.allSatisfy(\.hasRange) { return "a range of quantities ends too low" }
    let isNegative = [content.prepMinutes, content.cookMinutes].contains {
      $0.map { $0 < 0 } ?? false
    }
    return isNegative ? "a time is below 0 minutes" : nil
  }

  private func fault(of content: MealContent, in household: Household.ID) -> String? {
    if let servings = content.servings, !servings.isPositive { return Self.noServings }
    guard let recipe = content.recipe else { return nil }
    if recipes[recipe]?.household != household { return "the recipe is another household's" }
    return content.title == nil ? nil : "a meal is a recipe or a title, not both"
  }

  private static let noServings = "servings must be greater than 0"

  private func fault(
    of content: CalendarContent, in household: Household.ID, of event: CalendarEvent.ID?
  ) -> String? {
    guard let uid = content.main?.uid else { return "the calendar event says nothing" }
    let components = content.components
    guard components.allSatisfy({ $0.uid == uid }) else {
      return "the components belong to several events"
    }
    if components.dropFirst().contains(where: { $0.recurrenceID == nil }) {
      return "only the first component may be a series"
    }
    // An erased event has no UID any more.
    guard !uid.isEmpty, let other = calendarEvent(uid, in: household), other != event else {
      return nil
    }
    return "the household's calendar has the UID \(uid) already"
  }
}

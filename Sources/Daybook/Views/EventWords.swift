import Calendar
import Values

extension BookState {
  /// A description of an event, as a sentence without its full stop: the entity, by its current name, and what happened
  /// to it.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - account: The reader, in whose time zone times are shown.
  ///   - query: The query that provides the time zones.
  /// - Returns: The sentence; details that only members of a household or a hive may see are shown to them alone.
  package func summary(of event: Event, for account: Account.ID, _ query: Query) -> String {
    if event.isOfTasks { return words(of: event, for: accounts[account], query) }
    let subject = subject(of: event).flatMap { isKnown($0, to: account) ? $0 : nil }
    let day = event.day.map { ", \($0)" } ?? ""
    let verb = verb(of: event)
    if case .day = event.dayEffect {
      return "\(subject?.displayName ?? "a habit")\(day): \(verb)"
    }
    // An entity that was shared may not be visible to the reader any more; then no details are shown.
    guard let subject else { return event.name + day }
    if subject is Account { return verb + day }
    return "\(shownName(of: subject)): \(verb)\(day)"
  }

  /// Whether an account may see an entity now, whatever the instant of the view.
  private func isKnown(_ subject: any Entity, to account: Account.ID) -> Bool {
    if let home = subject.home { return isMember(account, of: home) }
    if subject is Household {
      return households.number(of: subject.key).map { isMember(account, of: $0) } ?? false
    }
    if subject is Hive {
      let number = hives.number(of: subject.key)
      return number.flatMap { people.hives[$0]?.member(account) } != nil
    }
    if subject is Account { return accounts.number(of: subject.key) == account }
    return subject.ownedBy == account
  }

  /// The name by which an entity is shown: a meal by its recipe, a grocery list by its week.
  func shownName(of subject: any Entity) -> String {
    switch subject {
    case let meal as Meal: title(of: meal)
    case let list as GroceryList: "Groceries of \(list.weekStart)"
    default: subject.displayName
    }
  }

  /// The effect of an event, in a few words; a line of a grocery list is named by its current text.
  private func verb(of event: Event) -> String {
    guard case .groceryItemMarked(let marked) = event else { return event.verb }
    let line = lists[marked.list]?.items.first { $0.key == marked.item }
    return "\(line?.content.name ?? "a line") \(event.verb)"
  }
}

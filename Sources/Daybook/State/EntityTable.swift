package import Values

/// A table of a state, whatever it holds: what the borders ask of every kind alike.
package protocol EntityTable {
  /// How many there are, deleted ones too.
  var count: Int { get }
  /// The number that a key names, if it names one.
  func entityNumber(of key: Key) -> Int32?
  /// What is known of the entity of a number, if there is one.
  func entity(_ number: Int32) -> (any Entity)?
}

extension Table: EntityTable {
  /// How many there are, deleted ones too.
  public var count: Int { elements.count }

  /// The number that a key names, if it names one.
  package func entityNumber(of key: Key) -> Int32? { number(of: key)?.number }

  /// What is known of the entity of a number, if there is one.
  package func entity(_ number: Int32) -> (any Entity)? {
    EntityNumber<Element>(Int(number)).flatMap { self[$0] }
  }
}

extension BookState {
  /// The table of a kind.
  package func table(of kind: EntityKind) -> any EntityTable {
    switch kind {
    case .account: accounts
    case .habit: habits
    case .goal: goals
    case .hive: hives
    case .household: households
    case .householdTask: householdTasks
    case .recipe: recipes
    case .meal: meals
    case .task: tasks
    case .label: labels
    case .list: lists
    case .pantryStaple: pantryStaples
    case .calendarEvent: calendarEvents
    case .activity: activities
    }
  }

  /// What an aggregate is in this state, if it is there.
  package func entity(_ aggregate: Aggregate) -> (any Entity)? {
    table(of: aggregate.kind).entity(aggregate.number)
  }

  /// Whose an aggregate is: an account its own.
  public func owner(of aggregate: Aggregate) -> Account.ID? {
    if aggregate.kind == .account { return Account.ID(Int(aggregate.number)) }
    return entity(aggregate)?.ownedBy
  }

  /// Whose it is what an event changes or creates; nobody's when an account begins.
  public func owner(of subject: Subject) -> Account.ID? {
    switch subject {
    case .aggregate(let aggregate): owner(of: aggregate)
    case .new(_, _, let owner): owner
    }
  }
}

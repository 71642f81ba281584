import Values

extension BookState {
  /// All that ever was one person's, or is shared with them: what the rows that they may see are made of. Of a household
  /// that is what its members of now see; of a hive, also one that they left.
  ///
  /// - Parameters:
  ///   - number: Who.
  ///   - withOthersHabits: Whether the habits of those are there, too, with whom hives are shared: rows of hives name them.
  /// - Returns: The aggregates; with the accounts of those with whom something is shared, whom rows name.
  package func aggregates(
    of number: Account.ID, withOthersHabits: Bool = false
  ) -> Set<Aggregate> {
    var all: Set<Aggregate> = [.account(number)]
    all.formUnion(indexes.habits.habits(of: number).map { .habit($0) })
    all.formUnion(indexes.habits.goals(of: number).map { .goal($0) })
    all.formUnion(indexes.tasks.tasks(of: number).map { .task($0) })
    all.formUnion(indexes.tasks.labels(of: number).map { .label($0) })
    all.formUnion(indexes.activities.activities(of: number).map { .activity($0) })
    for hive in indexes.hives.hives(of: number) {
      all.insert(.hive(hive))
      for member in hives[hive]?.members.map(\.account) ?? [] {
        all.insert(.account(member))
        guard withOthersHabits else { continue }
        all.formUnion(indexes.habits.habits(of: member).map { .habit($0) })
      }
    }
    for household in indexes.households.households(of: number) where isMember(number, of: household)
    {
      all.formUnion(aggregates(of: household))
      all.formUnion(households[household]?.members.map { .account($0.account) } ?? [])
    }
    return all
  }

  /// A habit with what its rows name: its owner and their goals.
  package func aggregates(of number: Habit.ID) -> Set<Aggregate> {
    guard let owner = habits[number]?.owner else { return [] }
    let own: Set<Aggregate> = [.habit(number), .account(owner)]
    return own.union(indexes.habits.goals(of: owner).map { .goal($0) })
  }

  /// Those to whom something belongs, or with whom it is shared or was.
  package func people(of aggregate: Aggregate) -> [Account.ID] {
    if let household = household(of: aggregate) {
      return households[household]?.members.map(\.account) ?? []
    }
    if aggregate.kind == .hive {
      return Hive.ID(Int(aggregate.number)).flatMap { hives[$0] }?.members.map(\.account) ?? []
    }
    return owner(of: aggregate).map { [$0] } ?? []
  }
}

extension Event {
  /// Whether it is about what one signs in by: that is told of a whole book alone, for another account may take it over,
  /// which no entry of one's own says.
  package var isOfSignIn: Bool {
    guard case .accounts(let event) = byContext else { return false }
    return switch event {
    case .identityLinked, .identityVerified, .identityUnlinked, .deviceRegistered,
      .deviceUnregistered:
      true
    case .accountCreated, .profileChanged, .dayClockChanged, .accountPaused, .accountResumed,
      .accountErased, .contactsUploaded, .contactsRemoved, .birthdayChanged,
      .notificationsChanged, .accountOnboarded, .pausesReverted, .habitsOrdered, .commandUndone,
      .contactNamed, .upgradeRequested, .rowNamed:
      false
    }
  }

  /// What is linked or registered by it: by that, too, the rows are found that it changes, of whomever they were.
  var taken: String? {
    if case .identityLinked(let event) = self { return event.hash?.description }
    if case .deviceRegistered(let event) = self { return event.token }
    return nil
  }
}

extension BookState {
  /// Who loses what an event takes over for another account.
  package func loser(by event: Event) -> Account.ID? {
    if case .identityLinked(let event) = event, takesFromOther(event) {
      return event.identity.flatMap { account(having: $0) }
    }
    if case .deviceRegistered(let event) = event, takesFromOther(event) {
      return account(ofDevice: event.token)
    }
    return nil
  }
}

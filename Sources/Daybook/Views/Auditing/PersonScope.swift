import Values

extension BookState {
  /// All aggregates that were ever a person's, or are shared with them: the rows that they may see are made from these.
  /// For a household, this is what its current members see; a hive is included even after they left it.
  ///
  /// - Parameters:
  ///   - number: The person.
  ///   - withOthersHabits: Whether to include the habits of people who share a hive with the person: rows of hives
  ///     refer to them.
  /// - Returns: The aggregates, including the accounts of people who share something with the person, as rows refer to
  ///   them.
  package func aggregates(
    of number: Account.ID, withOthersHabits: Bool = false
  ) -> Set<Aggregate> {
    var all: Set<Aggregate> = []
    for kind in EntityKind.allCases where !kind.isShared {
      all.formUnion(kind.type.aggregates(ownedBy: number, in: self))
    }
    for hive in indexes.hives.hives(of: number) {
      all.insert(.hive(hive))
      for member in hives[hive]?.members.map(\.account) ?? [] {
        all.insert(.account(member))
        guard withOthersHabits else { continue }
        all.formUnion(indexes.owned[Habit.self][member].map { .habit($0) })
      }
    }
    for household in indexes.households.households(of: number) where isMember(number, of: household)
    {
      all.formUnion(aggregates(of: household))
      all.formUnion(households[household]?.members.map { .account($0.account) } ?? [])
    }
    return all
  }

  /// The aggregates behind a habit's rows: the habit, its owner and their goals.
  package func aggregates(of number: Habit.ID) -> Set<Aggregate> {
    guard let owner = habits[number]?.owner else { return [] }
    let own: Set<Aggregate> = [.habit(number), .account(owner)]
    return own.union(indexes.owned[Goal.self][owner].map { .goal($0) })
  }

  /// The owner of an aggregate, and the people with whom it is or was shared.
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

extension StoredEntity {
  fileprivate static func aggregates(
    ownedBy account: Account.ID, in state: BookState
  ) -> [Aggregate] {
    owned(by: account, in: state).map { Aggregate($0) }
  }
}

extension Event {
  /// Whether it concerns means of signing in. Only a view of the whole book can show those: another account may take
  /// one over, and no entry of the former owner records that.
  package var isOfSignIn: Bool {
    guard case .tables(let tables) = rowScope else { return false }
    return !tables.isDisjoint(with: ["identities", "device_tokens"])
  }

  /// The identity or device that it links or registers: the former owner's rows that change are found by it, too.
  var taken: String? {
    if case .identityLinked(let event) = self { return event.hash?.description }
    if case .deviceRegistered(let event) = self { return event.token }
    return nil
  }
}

extension BookState {
  /// The account that loses what an event takes over for another account.
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

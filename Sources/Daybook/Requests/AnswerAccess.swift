// Access to repeated answers: only those who may still see what an answer is about receive it again.

/// How much of an aggregate an account may see.
package enum Visibility: Int, Comparable, Sendable {
  /// Nothing: it belongs to another person, to a household or hive that they are not in, or to an erased account.
  case nothing
  /// The household, hive or account that it belongs to, but not the entity, which no longer exists there.
  case place
  /// The entity itself.
  case thing

  /// Compares how much is visible.
  package static func < (left: Visibility, right: Visibility) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension BookState {
  /// Whether an account may see an entity now: it owns it, or is in the hive or household that it is or belongs to. For
  /// a hive in the past, membership at that time counts, too.
  package func isVisible(_ aggregate: Aggregate, to account: Account.ID) -> Bool {
    if let household = household(of: aggregate) { return isMember(account, of: household) }
    guard aggregate.kind == .hive else { return owner(of: aggregate) == account }
    guard let hive = Hive.ID(Int(aggregate.number)) else { return false }
    return [self, people].allSatisfy { $0.hives[hive]?.hasMember(account) == true }
  }

  /// How much of an aggregate an account may see; without an account, everything that exists is visible.
  package func visibility(of aggregate: Aggregate, for viewer: Account.ID?) -> Visibility {
    if let viewer, accounts[viewer]?.isErased != false { return .nothing }
    guard let thing = entity(aggregate) else { return .nothing }
    let isThere = !thing.isDeleted
    if let home = household(of: aggregate) {
      guard seesHousehold(home, viewer) else { return .nothing }
    } else if aggregate.kind == .hive {
      guard let number = Hive.ID(Int(aggregate.number)),
        let hive = hives[number], isThere, viewer == nil || viewer.flatMap(hive.member) != nil
      else { return .nothing }
    } else if let owner = owner(of: aggregate) {
      guard accounts.isThere(owner), viewer == nil || viewer == owner else {
        return .nothing
      }
    }
    return isThere ? .thing : .place
  }

  private func seesHousehold(_ number: Household.ID, _ viewer: Account.ID?) -> Bool {
    guard let viewer else { return households[number]?.isDeleted == false }
    return household(number, for: viewer) != nil
  }

  /// The reason why a command's answer is not repeated to the actor in this state: they may see less of it now than
  /// right after the command. The answer is refused like a command of theirs about the same entity.
  ///
  /// - Parameters:
  ///   - actor: The actor of the command.
  ///   - aggregate: The aggregate that the answer is about.
  ///   - then: How much of that the actor could see right after the command.
  /// - Returns: The rejection; nothing when the answer may be repeated.
  package func refusal(
    for actor: Account.ID?, about aggregate: Aggregate?, seenThen then: Visibility
  ) -> Rejection? {
    if let actor, accounts[actor]?.isErased != false { return Rejection.accountNotFound }
    guard let aggregate, self.visibility(of: aggregate, for: actor) < then else { return nil }
    if aggregate.kind == .hive, entity(aggregate)?.isDeleted == false {
      return Rejection.notMember
    }
    return aggregate.kind.notFound
  }
}

/// An answer that names one entity of a book.
package protocol AggregateAnswer: Sendable {
  /// The aggregate that is named.
  var aggregate: Aggregate? { get }
}

extension EntityNumber: AggregateAnswer {
  /// The entity with the number.
  package var aggregate: Aggregate? {
    EntityKind(rawValue: Kind.entityName.description).map { Aggregate($0, number) }
  }
}

extension GroceryItemID: AggregateAnswer {
  /// The list that the line is on.
  package var aggregate: Aggregate? { Aggregate(list) }
}

extension HiveInvite.ID: AggregateAnswer {
  /// The hive that it invites to.
  package var aggregate: Aggregate? { .hive(hive) }
}

extension HiveMemberDay: AggregateAnswer {
  /// The hive in which the day is shared.
  package var aggregate: Aggregate? { .hive(hive) }
}

extension RequestBody where Answer: AggregateAnswer {
  /// The aggregate that the answer names.
  package func aggregate(of answer: Answer) -> Aggregate? { answer.aggregate }
}

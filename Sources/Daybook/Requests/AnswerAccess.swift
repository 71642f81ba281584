// Who may be told again what a command was answered: whoever still sees what the answer is about.

/// How much of what an answer is about somebody sees.
package enum Visibility: Int, Comparable, Sendable {
  /// Nothing: it is another's, of a household or hive that they are not in, or of an erased account.
  case nothing
  /// The household, hive or account that it belongs to, in which it is no more.
  case place
  /// The thing itself.
  case thing

  /// Less is seen.
  package static func < (left: Visibility, right: Visibility) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension BookState {
  /// Whether an account sees something now: it owns it, or is in the hive or the household that it is or belongs to. In a
  /// hive of the past it was then, too.
  package func isVisible(_ aggregate: Aggregate, to account: Account.ID) -> Bool {
    if let household = household(of: aggregate) { return isMember(account, of: household) }
    guard aggregate.kind == .hive else { return owner(of: aggregate) == account }
    guard let hive = Hive.ID(Int(aggregate.number)) else { return false }
    return [self, people].allSatisfy { $0.hives[hive]?.hasMember(account) == true }
  }

  /// How much of an aggregate somebody sees; nobody in particular sees all that is there.
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

  /// Why what a command was answered is not told again, in this state, to the one who asked: they see less of it
  /// now than they did right after the command. Then it is refused as a command of theirs about it would be.
  ///
  /// - Parameters:
  ///   - actor: Who asked.
  ///   - aggregate: What the answer is about.
  ///   - then: How much of that the actor saw right after the command.
  /// - Returns: The refusal; nothing when it may be told.
  package func refusal(
    toTell actor: Account.ID?, about aggregate: Aggregate?, seenThen then: Visibility
  ) -> Rejection? {
    if let actor, accounts[actor]?.isErased != false { return Rejection.accountNotFound }
    guard let aggregate, self.visibility(of: aggregate, for: actor) < then else { return nil }
    if aggregate.kind == .hive, entity(aggregate)?.isDeleted == false {
      return Rejection.notMember
    }
    return aggregate.kind.notFound
  }
}

/// An answer that names one thing of a book.
package protocol AggregateAnswer: Sendable {
  /// What is named.
  var aggregate: Aggregate? { get }
}

extension EntityNumber: AggregateAnswer {
  /// The entity of the number.
  package var aggregate: Aggregate? {
    EntityKind(rawValue: Kind.entityName.description).map { Aggregate($0, number) }
  }
}

extension GroceryItemID: AggregateAnswer {
  /// The list that the line is on.
  package var aggregate: Aggregate? { .list(list) }
}

extension HiveInvite.ID: AggregateAnswer {
  /// The hive to which it invites.
  package var aggregate: Aggregate? { .hive(hive) }
}

extension HiveMemberDay: AggregateAnswer {
  /// The hive in which the day is shared.
  package var aggregate: Aggregate? { .hive(hive) }
}

extension RequestBody where Answer: AggregateAnswer {
  /// What the answer names.
  package func aggregate(of answer: Answer) -> Aggregate? { answer.aggregate }
}

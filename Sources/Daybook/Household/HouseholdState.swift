public import Values
public import Calendar

/// People who live together and share what the house needs (MC-1). See `Docs/Household.md` for the rules.
///
/// All members are equal. What belongs to a household is seen and changed by those who are members now, and by
/// nobody else (MC-11): see ``BookState/household(_:for:)``.
public struct Household: Entity, Hashable {
  /// The number of a household in its book.
  public typealias ID = EntityNumber<Household>
  /// "household-number".
  @inlinable
  public static var entityName: StaticString { "household-number" }
  /// How many members a household has at most.
  package static let maximumMemberCount = Limit.householdMembers.maximum

  /// The client's name for the household.
  public internal(set) var key: Key
  /// Who began it. They may have left since, and have no more to say in it than others.
  public internal(set) var creator: Account.ID
  /// What it is called.
  public internal(set) var name: String
  /// When it was created.
  public internal(set) var created: Instant
  /// When its name or its members last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted. Who was a member then stays one on record.
  public internal(set) var isDeleted = false
  /// Everybody who ever was a member, in the order in which they first came.
  public internal(set) var members: [HouseholdMember]
  /// The code by which people join, if it shows one.
  public internal(set) var code: HouseholdCode?

  /// What people call it.
  public var displayName: String { name }
  /// Who began it.
  public var ownedBy: Account.ID? { creator }

  /// Those who are members now, in the order in which they first came.
  public var activeMembers: [HouseholdMember] { members.filter(\.isActive) }

  /// Whether somebody is a member now.
  package func hasMember(_ account: Account.ID) -> Bool {
    members.contains { $0.account == account && $0.isActive }
  }

  /// Where somebody who is or was a member stands among the members.
  func place(of account: Account.ID) -> Int? { members.firstIndex { $0.account == account } }
}

/// Somebody who is or was a member of a household.
public struct HouseholdMember: Hashable, Sendable {
  /// Whose membership it is.
  public internal(set) var account: Account.ID
  /// From when until when they were a member; somebody may leave and come back.
  public internal(set) var stays: [HouseholdStay]

  /// Whether they are a member now.
  public var isActive: Bool { stays.last.map { $0.left == nil } ?? false }
}

/// One time of being a household's member.
public struct HouseholdStay: Hashable, Sendable {
  /// When they came.
  public internal(set) var joined: Instant
  /// When they left.
  public internal(set) var left: Instant?
}

extension HouseholdCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> Household {
    Household(
      key: key, creator: owner, name: name, created: head.at,
      updated: head.at,
      members: [HouseholdMember(account: owner, stays: [HouseholdStay(joined: head.at)])])
  }
}

extension HouseholdRenamed: EditEvent {
  var changed: Household.ID { household }
  func edit(_ household: inout Household) { household.name = name }
}

extension HouseholdJoined: ChangeEvent {
  var changed: Household.ID { household }
  func change(_ household: inout Household, _ head: EntryHead) {
    household.apply(self, at: head.at)
  }
}

extension HouseholdLeft: ChangeEvent {
  var changed: Household.ID { household }
  func change(_ household: inout Household, _ head: EntryHead) {
    guard let place = household.place(of: member), household.members[place].isActive
    else { return }
    household.members[place].stays[household.members[place].stays.count - 1].left = head.at
    household.updated = head.at
  }
}

extension HouseholdDeleted: DeletionEvent {
  var changed: Household.ID { household }
}

extension HouseholdRestored: RestorationEvent {
  var changed: Household.ID { household }
}

extension HouseholdCodeChanged: ChangeEvent {
  var changed: Household.ID { household }
  func change(_ household: inout Household, _ head: EntryHead) {
    household.code = code.map { HouseholdCode(text: $0, expires: expires ?? head.at) }
    household.updated = head.at
  }
}

extension Household {
  fileprivate mutating func apply(_ event: HouseholdJoined, at instant: Instant) {
    let stay = HouseholdStay(joined: instant)
    if let place = place(of: event.member) {
      guard !members[place].isActive else { return }
      members[place].stays.append(stay)
    } else {
      members.append(HouseholdMember(account: event.member, stays: [stay]))
    }
    updated = instant
  }
}

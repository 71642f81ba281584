public import Values
public import Calendar

/// People who live together and share the needs of the house (MC-1). See `Docs/Household.md` for the rules.
///
/// All members are equal. Only current members see and change what belongs to a household (MC-11): see
/// ``BookState/household(_:for:)``.
public struct Household: Entity, Hashable {
  /// The number of a household in its book.
  public typealias ID = EntityNumber<Household>
  /// "household-number".
  @inlinable
  public static var entityName: StaticString { "household-number" }
  /// The maximum number of members of a household.
  package static let maximumMemberCount = Limit.householdMembers.maximum

  /// The client's name for the household.
  public internal(set) var key: Key
  /// The account that created it. They may have left since, and have no more rights than others.
  public internal(set) var creator: Account.ID
  /// The name.
  public internal(set) var name: String
  /// When it was created.
  public internal(set) var created: Instant
  /// When its name or its members last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted. Its members then stay on record.
  public internal(set) var isDeleted = false
  /// All present and former members, in the order of first joining.
  public internal(set) var members: [HouseholdMember]
  /// The join code, if it has one.
  public internal(set) var code: HouseholdCode?

  /// The name that people see.
  public var displayName: String { name }
  /// The account that created it.
  public var ownedBy: Account.ID? { creator }

  /// The current members, in the order of first joining.
  public var activeMembers: [HouseholdMember] { members.filter(\.isActive) }

  /// Whether an account is a current member.
  package func hasMember(_ account: Account.ID) -> Bool {
    members.contains { $0.account == account && $0.isActive }
  }

  /// The index of a present or former member among the members.
  func place(of account: Account.ID) -> Int? { members.firstIndex { $0.account == account } }
}

/// A present or former member of a household.
public struct HouseholdMember: Hashable, Sendable {
  /// The member's account.
  public internal(set) var account: Account.ID
  /// The spans of membership; a person may leave and come back.
  public internal(set) var stays: [HouseholdMembership]

  /// Whether they are a member now.
  public var isActive: Bool { stays.last.map { $0.left == nil } ?? false }
}

/// One span of membership in a household.
public struct HouseholdMembership: Hashable, Sendable {
  /// When the member joined.
  public internal(set) var joined: Instant
  /// When the member left.
  public internal(set) var left: Instant?
}

extension Household: StoredEntity {
  static var kind: EntityKind { .household }
  static var table: WritableKeyPath<BookState, Table<Household>> { \.households }
  static var countField: StaticString { "households" }
  static var isShared: Bool { true }
  static var notFound: Rejection { .householdNotFound }

  static func owned(by account: Account.ID, in state: BookState) -> [ID] {
    state.indexes.households.households(of: account).filter { number in
      state.households[number].map { state.isErased($0, with: account) } ?? false
    }
  }

  mutating func erase(at instant: Instant) {
    (name, code) = ("", nil)
    isDeleted = true
    updated = instant
  }

  static func creation(of lost: LostEntity) -> Event {
    .householdCreated(HouseholdCreated(of: lost) { $0.name = lost.name })
  }
}

extension HouseholdCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> Household {
    Household(
      key: key, creator: owner, name: name, created: head.at,
      updated: head.at,
      members: [HouseholdMember(account: owner, stays: [HouseholdMembership(joined: head.at)])])
  }
}

extension HouseholdRenamed: EditEvent, SetEvent {
  var changed: Household.ID { household }
  func edit(_ household: inout Household) { household.name = name }
  init(_ id: Household.ID, as household: Household) {
    self.init(household: id, name: household.name)
  }
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
  static var number: Number { \.household }
  var changed: Household.ID { household }
}

extension HouseholdRestored: RestorationEvent {
  static var number: Number { \.household }
  var changed: Household.ID { household }
}

extension HouseholdCodeChanged: SetEvent {
  var changed: Household.ID { household }
  func change(_ household: inout Household, _ head: EntryHead) {
    household.code = code.map { HouseholdCode(text: $0, expires: expires ?? head.at) }
    household.updated = head.at
  }
  init(_ id: Household.ID, as household: Household) {
    self.init(household: id, code: household.code?.text, expires: household.code?.expires)
  }
}

extension Household {
  fileprivate mutating func apply(_ event: HouseholdJoined, at instant: Instant) {
    let stay = HouseholdMembership(joined: instant)
    if let place = place(of: event.member) {
      guard !members[place].isActive else { return }
      members[place].stays.append(stay)
    } else {
      members.append(HouseholdMember(account: event.member, stays: [stay]))
    }
    updated = instant
  }
}

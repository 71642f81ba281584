package import Daybook

/// What of a book is one account's: its own things whole, and those that it shares as a member, with as much of
/// the other members as is needed to read them (DM-13).
///
/// Of others only this is told: their name and how their days are told from instants, for a hive's days close
/// by them. Nothing of what is theirs alone: habits, goals, tasks, identities, devices, contacts.
struct AccountScope {
  private let account: Account.ID
  private let included: Set<Aggregate>
  /// Who is named by what is shared.
  private var others: Set<Aggregate> = []
  private var aggregates = AggregateReader()

  /// Finds what is an account's in a state.
  init(of account: Account.ID, in state: BookState) {
    self.account = account
    var included: Set<Aggregate> = []
    for kind in EntityKind.allCases {
      for index in 0..<state.table(of: kind).count {
        let aggregate = Aggregate(code: Int64(kind.index) << 32 | Int64(index + 1))
        if let aggregate, state.isVisible(aggregate, to: account) { included.insert(aggregate) }
      }
    }
    self.included = included
  }

  /// The entry as the account's export has it; nothing when it is not the account's. Entries are given from
  /// the book's first, in order.
  mutating func part(of entry: Entry) -> Entry? {
    let aggregate = aggregates.aggregate(of: entry.event)
    guard included.contains(aggregate) else {
      guard others.contains(aggregate), entry.event.isIntroduction else { return nil }
      return entry.actorIsOwn(of: Account.ID(Int(aggregate.number)))
    }
    return entry.told(to: account, about: aggregate, sees: included.contains)
  }

  /// Takes note of the accounts that an entry of the export names.
  mutating func introduce(those entry: Entry) {
    for reference in entry.references where reference.kind == .account {
      if let other = Account.ID(reference.number) { others.insert(.account(other)) }
    }
  }

  /// The scope, about to be given the entries once more.
  var rewound: AccountScope {
    var scope = self
    scope.aggregates = AggregateReader()
    return scope
  }
}

extension Entry {
  /// The entry as an account reads it that sees what it is about, or did: without what others keep to themselves in what
  /// they share, such as which of their habits logs the hive's day, and without the codes of what they are not in now.
  ///
  /// - Parameters:
  ///   - account: Who reads.
  ///   - aggregate: What the entry is about.
  ///   - sees: What they see now (``BookState/isVisible(_:to:)``).
  /// - Returns: What is told; nothing when all of it is another's.
  package func told(
    to account: Account.ID, about aggregate: Aggregate, sees: (Aggregate) -> Bool
  ) -> Entry? {
    var told = self
    if event.holdsCredential, !sees(aggregate) { told.event = event.withoutCredentials }
    if case .hiveHabitLinked(let linked) = event, linked.member != account { return nil }
    // A stranger may have made or erased the account, or signed in on a device: who, is not the account's to
    // know.
    if !aggregate.kind.isShared { told = told.actorIsOwn(of: account) }
    if case .hiveCreated(var created) = event, let habit = created.source, !sees(.habit(habit)) {
      created.source = nil
      told.event = .hiveCreated(created)
    }
    // A hive that one left is none of one's own.
    if case .activityPosted(var posted) = event, let hive = posted.hive, !sees(.hive(hive)) {
      posted.hive = nil
      told.event = .activityPosted(posted)
    }
    return told
  }
}

extension Entry {
  /// An entry about an account as if nobody else had done it.
  fileprivate func actorIsOwn(of account: Account.ID?) -> Entry {
    guard head.actor != account else { return self }
    var told = self
    told.head.actor = event.isBirth ? nil : account
    return told
  }
}

extension Event {
  /// Whether an account begins by it.
  fileprivate var isBirth: Bool {
    if case .accountCreated = self { true } else { false }
  }

  /// Whether it is what others may know of an account: that it is there, its name, and its clock.
  fileprivate var isIntroduction: Bool {
    guard case .accounts(let event) = byContext else { return false }
    return switch event {
    case .accountCreated, .profileChanged, .dayClockChanged, .accountErased: true
    case .accountPaused, .accountResumed, .identityLinked, .identityVerified, .identityUnlinked,
      .deviceRegistered, .deviceUnregistered, .contactsUploaded, .contactsRemoved,
      .birthdayChanged, .notificationsChanged, .accountOnboarded, .pausesReverted, .habitsOrdered,
      .commandUndone, .contactNamed, .upgradeRequested, .rowNamed:
      false
    }
  }
}

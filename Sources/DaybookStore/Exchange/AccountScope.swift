package import Daybook

/// The part of a book that belongs to one account: its own entities, and those that it shares as a
/// member, with as much about the other members as is needed to read them (DM-13).
///
/// Other members appear only with their names and day clocks, because a hive's days close by these.
/// Nothing that is theirs alone is included: habits, goals, tasks, identities, devices, contacts.
struct AccountScope {
  private let account: Account.ID
  private let included: Set<Aggregate>
  /// The accounts that shared entities refer to.
  private(set) var others: Set<Aggregate> = []
  private var aggregates = AggregateReader()

  /// Finds what belongs to an account in a state.
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

  /// Makes the scope of aggregates that are known already.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - included: The aggregates that it may see.
  ///   - others: The accounts to which entries about these refer.
  init(of account: Account.ID, including included: Set<Aggregate>, others: Set<Aggregate>) {
    self.account = account
    self.included = included
    self.others = others
  }

  /// The entry as the account's export shows it; nil when it is not part of the export. Entries are
  /// given in order from the book's first.
  mutating func part(of entry: Entry) -> Entry? {
    part(of: entry, about: aggregates.aggregate(of: entry.event))
  }

  /// The entry as the account's export shows it; nil when it is not part of the export.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - aggregate: The aggregate that it is about.
  /// - Returns: What the export shows of it.
  func part(of entry: Entry, about aggregate: Aggregate) -> Entry? {
    guard included.contains(aggregate) else {
      guard others.contains(aggregate), entry.event.isIntroduction else { return nil }
      return entry.actorIsOwn(of: Account.ID(Int(aggregate.number)))
    }
    var told = entry.asSeen(by: account, about: aggregate, sees: included.contains)
    // Other people's idempotency keys are left out: they concern nobody else.
    if let actor = entry.head.actor, actor != account { told?.head.key = nil }
    return told
  }

  /// Notes the accounts that an entry of the export refers to.
  mutating func introduce(those entry: Entry) {
    for reference in entry.references where reference.kind == .account {
      if let other = Account.ID(reference.number) { others.insert(.account(other)) }
    }
  }

  /// The scope, ready for a second pass over the entries.
  var rewound: AccountScope {
    var scope = self
    scope.aggregates = AggregateReader()
    return scope
  }
}

extension Entry {
  /// The entry as it may be shown to an account that sees its aggregate, or once did. It leaves out
  /// what members of a shared entity keep to themselves, such as which of their habits logs the
  /// hive's day, and the codes of what the account is no longer in.
  ///
  /// - Parameters:
  ///   - account: The account that reads.
  ///   - aggregate: The aggregate that the entry is about.
  ///   - sees: Whether the account sees an aggregate now (``BookState/isVisible(_:to:)``).
  /// - Returns: The entry to show; nil when all of it belongs to another account.
  package func asSeen(
    by account: Account.ID, about aggregate: Aggregate, sees: (Aggregate) -> Bool
  ) -> Entry? {
    var told = self
    if event.holdsCredential, !sees(aggregate) { told.event = event.withoutCredentials }
    if case .hiveHabitLinked(let linked) = event, linked.member != account { return nil }
    // Somebody else may have made or erased the account, or signed in on a device; the account must
    // not learn who.
    if !aggregate.kind.isShared { told = told.actorIsOwn(of: account) }
    if case .hiveCreated(var created) = event, let habit = created.source, !sees(.habit(habit)) {
      created.source = nil
      told.event = .hiveCreated(created)
    }
    // A hive that the account left is hidden.
    if case .activityPosted(var posted) = event, let hive = posted.hive, !sees(.hive(hive)) {
      posted.hive = nil
      told.event = .activityPosted(posted)
    }
    return told
  }
}

extension Entry {
  /// The entry about an account, as if the account itself had acted.
  fileprivate func actorIsOwn(of account: Account.ID?) -> Entry {
    guard head.actor != account else { return self }
    var told = self
    told.head.actor = event.isBirth ? nil : account
    return told
  }
}

extension Event {
  /// Whether the event creates an account.
  fileprivate var isBirth: Bool {
    if case .accountCreated = self { true } else { false }
  }

  /// Whether it is something that others may know of an account: that it exists, its name and its
  /// day clock. Anything else of it, new events included, is private.
  fileprivate var isIntroduction: Bool {
    if case .profileChanged = self { return true }
    if case .dayClockChanged = self { return true }
    if case .accountErased = self { return true }
    return isBirth
  }
}

public import Avro

/// The one thing that an entry changes: every event touches one aggregate (design, "One action").
///
/// So the entries of a book fall into lists, one for each aggregate, and what a habit's streak depends on is
/// two of them: its own, and its owner's.
public struct Aggregate: Hashable, Comparable, Sendable {
  /// The kinds, in the order in which an index keeps them.
  public enum Kind: Int64, Sendable, CaseIterable {
    case account = 0
    case habit = 1
    case goal = 2
  }

  /// What kind of thing it is.
  public let kind: Kind
  /// Its number among those of its kind, from 1.
  public let number: Int32

  /// An account.
  public static func account(_ id: Account.ID) -> Aggregate { .init(.account, id.number) }
  /// A habit.
  public static func habit(_ id: Habit.ID) -> Aggregate { .init(.habit, id.number) }
  /// A goal.
  public static func goal(_ id: Goal.ID) -> Aggregate { .init(.goal, id.number) }

  init(_ kind: Kind, _ number: Int32) {
    self.kind = kind
    self.number = number
  }

  /// Kind and number in one word, ordered as aggregates are.
  public var code: Int64 { kind.rawValue << 32 | Int64(number) }

  /// The aggregate of a code, if it is one.
  public init?(code: Int64) {
    guard let kind = Kind(rawValue: code >> 32), code & 0xFFFF_FFFF <= Int64(Int32.max) else {
      return nil
    }
    self.init(kind, Int32(truncatingIfNeeded: code & 0xFFFF_FFFF))
  }

  /// By kind, then by number.
  public static func < (left: Aggregate, right: Aggregate) -> Bool { left.code < right.code }
}

/// Tells the aggregate of each entry. The n-th creation of a kind makes number n, so it counts them as they
/// come: it must be given a book's entries from its first, or begin with the counts before.
public struct AggregateReader: Hashable, Sendable {
  /// How many accounts were created so far.
  public private(set) var accountCount: Int32
  /// How many habits were created so far.
  public private(set) var habitCount: Int32
  /// How many goals were created so far.
  public private(set) var goalCount: Int32

  /// Begins after so many creations.
  public init(accountCount: Int32 = 0, habitCount: Int32 = 0, goalCount: Int32 = 0) {
    self.accountCount = accountCount
    self.habitCount = habitCount
    self.goalCount = goalCount
  }

  /// The aggregate that an event touches.
  public mutating func aggregate(of event: Event) -> Aggregate {
    switch event {
    case .accountCreated:
      accountCount &+= 1
      return Aggregate(.account, accountCount)
    case .habitCreated:
      habitCount &+= 1
      return Aggregate(.habit, habitCount)
    case .goalCreated:
      goalCount &+= 1
      return Aggregate(.goal, goalCount)
    case .profileChanged(let event): return .account(event.account)
    case .dayClockChanged(let event): return .account(event.account)
    case .accountPaused(let event): return .account(event.account)
    case .accountResumed(let event): return .account(event.account)
    case .focusChosen(let event): return .account(event.account)
    case .accountErased(let event): return .account(event.account)
    case .habitDescribed(let event): return .habit(event.habit)
    case .habitScheduleChanged(let event): return .habit(event.habit)
    case .habitTargetChanged(let event): return .habit(event.habit)
    case .habitRemindersChanged(let event): return .habit(event.habit)
    case .habitArchived(let event): return .habit(event.habit)
    case .habitRestored(let event): return .habit(event.habit)
    case .habitDeleted(let event): return .habit(event.habit)
    case .habitLogged(let event): return .habit(event.habit)
    case .habitLogCleared(let event): return .habit(event.habit)
    case .habitDaySkipped(let event): return .habit(event.habit)
    case .habitAttached(let event): return .habit(event.habit)
    case .habitDetached(let event): return .habit(event.habit)
    case .goalDescribed(let event): return .goal(event.goal)
    case .goalDeleted(let event): return .goal(event.goal)
    }
  }

  /// Goes through the entries of a block.
  ///
  /// - Parameters:
  ///   - count: How many entries.
  ///   - bytes: Their bytes, one after another.
  ///   - body: Is given each entry's aggregate, when it was recorded, and where in `bytes` it stands.
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  public mutating func read(
    _ count: Int, in bytes: RawSpan, _ body: (Aggregate, Instant, Range<Int>) -> Void
  ) throws(AvroError) {
    var reader = BinaryReader(bytes)
    var head = EntryHead()
    for _ in 0..<count {
      let start = reader.offset
      try head.visitFields(&reader)
      let branch = try reader.takeInt()
      let aggregate =
        if branch == HabitLogged.branch {
          Aggregate.habit(try HabitLogged(from: &reader).habit)
        } else {
          aggregate(of: try Event(branch: branch, from: &reader))
        }
      body(aggregate, head.at, start..<reader.offset)
    }
    guard reader.isAtEnd else { throw .trailingBytes }
  }
}

package import Calendar
package import Avro

/// The one entity that an entry changes: every event touches one aggregate (design, "One action").
///
/// So the entries of a book divide into lists, one for each aggregate. A habit's streak depends on two of them: the
/// habit's own, and its owner's.
public struct Aggregate: Hashable, Comparable, Sendable {
  /// The kind of entity.
  public let kind: EntityKind
  /// Its number among those of its kind, from 1.
  public let number: Int32

  /// An account.
  public static func account(_ id: Account.ID) -> Aggregate { .init(.account, id.number) }
  /// A habit.
  public static func habit(_ id: Habit.ID) -> Aggregate { .init(.habit, id.number) }
  /// A goal.
  package static func goal(_ id: Goal.ID) -> Aggregate { .init(.goal, id.number) }
  /// A hive.
  public static func hive(_ id: Hive.ID) -> Aggregate { .init(.hive, id.number) }
  /// A household.
  public static func household(_ id: Household.ID) -> Aggregate { .init(.household, id.number) }
  /// A household's task.
  package static func householdTask(_ id: HouseholdTask.ID) -> Aggregate {
    .init(.householdTask, id.number)
  }
  /// A recipe.
  public static func recipe(_ id: Recipe.ID) -> Aggregate { .init(.recipe, id.number) }
  /// A planned meal.
  package static func meal(_ id: Meal.ID) -> Aggregate { .init(.meal, id.number) }
  /// A task.
  public static func task(_ id: TaskItem.ID) -> Aggregate { .init(.task, id.number) }
  /// An event of a household's calendar.
  package static func calendarEvent(_ id: CalendarEvent.ID) -> Aggregate {
    .init(.calendarEvent, id.number)
  }

  /// An entity of any kind.
  init<Thing: StoredEntity>(_ id: EntityNumber<Thing>) { self.init(Thing.kind, id.number) }

  init(_ kind: EntityKind, _ number: Int32) {
    self.kind = kind
    self.number = number
  }

  /// Kind and number in one word, ordered as aggregates are.
  public var code: Int64 { Int64(kind.index) << 32 | Int64(number) }

  /// The aggregate of a code, if the code is valid.
  public init?(code: Int64) {
    guard let kind = EntityKind.allCases[at: Int(code >> 32)],
      code & 0xFFFF_FFFF <= Int64(Int32.max)
    else { return nil }
    self.init(kind, Int32(truncatingIfNeeded: code & 0xFFFF_FFFF))
  }

  /// Compares kinds, then numbers.
  public static func < (left: Aggregate, right: Aggregate) -> Bool { left.code < right.code }
}

/// Finds the aggregate of each entry. The n-th creation of a kind has number n, so the reader counts creations: it must
/// be given a book's entries from the first one, or start from the counts before.
package struct AggregateReader: Hashable, Sendable {
  /// The number of entities of each kind created so far, in the order of the kinds.
  package private(set) var counts: [Int32]

  /// Begins before the first entry.
  package init() { counts = EntityKind.allCases.map { _ in 0 } }

  /// Begins after these many creations of each kind; `nil` when the counts are not valid.
  package init?(counts: [Int32]) {
    guard counts.count == EntityKind.allCases.count, counts.allSatisfy({ $0 >= 0 }) else {
      return nil
    }
    self.counts = counts
  }

  /// The aggregate that an event touches.
  package mutating func aggregate(of event: Event) -> Aggregate {
    switch event.subject {
    case .aggregate(let aggregate): return aggregate
    case .new(let kind, _, _):
      counts[kind.index] &+= 1
      return Aggregate(kind, counts[kind.index])
    }
  }

  /// Visits the entries of a block.
  ///
  /// - Parameters:
  ///   - count: The number of entries.
  ///   - bytes: Their bytes, one after another.
  ///   - body: Called with each entry's aggregate, the instant of its recording, and its place in `bytes`.
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  package mutating func read(
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

extension Array {
  /// The element at an index, if there is one.
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

import Avro
import Testing

@testable import Daybook
@testable import DaybookStore

/// Every kind of entity is in every list of kinds; if one is missing, a sentence says what to add.
@Suite(.tags(.unit)) struct EntityListTests {
  private static let ada = Account.ID.first
  private static let home = Household.ID.first
  private static let noon = Instant(milliseconds: 1_772_452_800_000) ?? .first

  /// The event that creates an entity of a kind: Ada's entity, in her household if the kind belongs to one.
  private static func creation(of kind: EntityKind) -> (event: Event, key: Key, name: String)? {
    Placeholders.creation(
      of: EntityReference(kind: kind, number: 1), in: "toy", owner: ada, household: home, at: noon)
  }

  /// One entity of each kind, and Bee, who owns none of them.
  private static let entries: [Entry] = {
    var bee = AccountCreated.placeholder
    bee.key = Key(high: 0, low: 2)
    (bee.displayName, bee.timeZone) = ("Bee", "UTC")
    var joined = HiveJoined.placeholder
    (joined.hive, joined.member) = (.first, ada)
    let events =
      EntityKind.allCases.compactMap { creation(of: $0)?.event }
      + [.accountCreated(bee), .hiveJoined(joined)]
    return events.enumerated().map { index, event in
      Entry(
        EntryHead(position: Int64(index + 1), at: noon, actor: ada, key: nil), event)
    }
  }()

  private static let state: BookState = {
    var state = BookState()
    for entry in entries { state.apply(entry) }
    return state
  }()

  /// The state after Ada's account is erased.
  private static let erased: BookState = {
    var erased = state
    let head = EntryHead(position: state.position + 1, at: noon, actor: ada, key: nil)
    erased.apply(Entry(head, .accountErased(AccountErased(account: ada, segments: []))))
    return erased
  }()

  @Test(arguments: EntityKind.allCases)
  func `each kind appears in every list of kinds`(kind: EntityKind) throws {
    let word = kind.word
    let created = try #require(
      Self.creation(of: kind), "EntityKind.creation makes no \(word): salvage needs one.")
    let aggregate = try #require(Aggregate(code: Int64(kind.index) << 32 | 1))
    #expect(EntityKind.allCases[kind.index] == kind, "EntityKind.index of \(word) is another's.")
    #expect(
      EntityKind.createdByTypes.contains(kind),
      "No event creates a \(word): give one the subject .new.")
    #expect(
      created.event.createdName == created.name || kind == .list || kind == .activity,
      "displayName of a new \(word) is not what its creation(of:) calls it.")
    #expect(
      "\(kind.type.entityName)" == kind.rawValue,
      "EntityKind.type of \(word) is \(kind.type), which has another entityName.")
    let table = Self.state.table(of: kind)
    #expect(
      table.entityNumber(of: created.key) == 1,
      "The table of \(kind.type) has no \(word) after its creation: does apply create it there?")
    #expect(
      Self.state.entity(aggregate)?.ownedBy == (kind == .account ? nil : Self.ada),
      "ownedBy should return the owner of a \(word).")
    let rows = Self.rows(of: created.key, in: Self.state)
    #expect(rows > 0, "BookState.tables shows no row of a \(word).")
    #expect(
      !Set(StateRecords.schemas).isDisjoint(with: [kind.type.schema]),
      "StateRecords, the content of a snapshot, have no \(word).")
  }

  @Test(arguments: EntityKind.allCases)
  func `each kind declares who may see it`(kind: EntityKind) throws {
    let aggregate = try #require(Aggregate(code: Int64(kind.index) << 32 | 1))
    let isOfHousehold = kind.type is any HouseholdEntity.Type
    let home = Self.state.household(of: aggregate)
    #expect(
      (home != nil) == (isOfHousehold || kind == .household),
      "A \(kind.word): home of the entity and HouseholdBelonging should agree.")
    if isOfHousehold {
      #expect(
        kind.isShared, "A \(kind.word) belongs to a household, so EntityKind.isShared should hold.")
      #expect(
        Self.state.aggregates(of: Self.home).contains(aggregate),
        "A \(kind.word) is a household's: its indexKeys should put it into HouseholdIndex.")
    }
    for (viewer, isSeen) in [(1, true), (2, false)] {
      var scope = AccountScope(of: try #require(Account.ID(viewer)), in: Self.state)
      let place = try #require(
        Self.entries.firstIndex { EntityKind.created(by: $0.event)?.kind == kind })
      let parts = Self.entries.map { scope.part(of: $0) }
      #expect(
        (parts[place] != nil) == isSeen,
        "AccountScope: \(isSeen ? "its owner" : "a stranger") and a \(kind.word).")
    }
  }

  @Test(arguments: EntityKind.allCases)
  func `an erasure covers each kind`(kind: EntityKind) throws {
    let aggregate = try #require(Aggregate(code: Int64(kind.index) << 32 | 1))
    let key = try #require(Self.creation(of: kind)?.key)
    #expect(
      Self.state.isErased(aggregate, with: Self.ada),
      "BookState.isErased says that a \(kind.word) stays when its owner is erased.")
    let name = try #require(Self.erased.entity(aggregate)).displayName
    #expect(
      !name.hasPrefix("Lost"),
      "A \(kind.word) keeps its name when its owner is erased: owned(by:in:) or erase(at:).")
    #expect(
      kind == .account || Self.rows(of: key, in: Self.erased) == 0,
      "A \(kind.word) is still shown when its owner is erased: delete it in erase(at:).")
  }

  @Test func `snapshots and rollbacks cover each kind`() throws {
    var writer = BinaryWriter()
    var records = StateRecords(Self.state)
    while records.writeNext(to: &writer) {}
    var builder = StateBuilder()
    let bytes = writer.bytes
    var reader = BinaryReader(bytes.span.bytes)
    while !reader.isAtEnd {
      var piece = StatePiece()
      let branch = try reader.takeLong()
      #expect(try piece.read(branch, atMost: 1, from: &reader) == 1)
      try builder.append(piece)
    }
    let found = try #require(
      builder.finish(), "BookState.head counts other entities than there are.")
    #expect(found.head.counts == EntityKind.allCases.map { $0 == .account ? 2 : 1 })
    let fields = EntityKind.allCases.map { "\($0.type.countField)" }
    #expect(Set(fields).count == fields.count, "Two kinds are counted in one field of StateHead.")
    #expect(found.dump == Self.state.dump)
    #expect(
      found.indexes == Self.state.indexes, "Not every index is found again.")

    var undone = BookState()
    var rollback = Rollback()
    for entry in Self.entries { undone.apply(entry, noting: &rollback) }
    undone.rollBack(&rollback)
    for kind in EntityKind.allCases {
      #expect(undone.table(of: kind).count == 0, "A \(kind.word) is not rolled back.")
    }
    #expect(undone.indexes == BookState().indexes)
  }

  /// The number of rows with a key of their own.
  private static func rows(of key: Key, in state: BookState) -> Int {
    let name = JSON.string(key.description)
    return state.tables.reduce(0) { sum, table in
      sum + table.rows.count { row in row.members?.contains { $0.value == name } ?? false }
    }
  }
}

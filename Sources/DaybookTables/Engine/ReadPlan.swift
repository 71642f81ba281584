import Values

/// A plan for reading a table, with all names resolved. It is made once for a request and followed
/// for each row.
struct ReadPlan: Sendable {
  /// A member of the answer's objects.
  struct Member: Sendable {
    let name: String
    let content: Content
  }

  /// A member as it is written: the bytes before its value, and the column if the member shows one unchanged.
  struct Slot: Sendable {
    /// The range in ``ReadPlan/names`` of the name as it is written: `,"id":`.
    let name: Range<Int>
    let column: Int?
  }

  enum Content: Sendable {
    case column(Int)
    case value(Operand)
    /// A value as text.
    case text(Operand)
    /// The number of rows.
    case count
    /// Embedded rows, by the embed's place in ``ReadPlan/embeds``.
    case embed(Int)
  }

  /// A column by which rows are ordered.
  struct Order: Sendable {
    /// The embed that has the column, by its place in ``ReadPlan/embeds``; `nil` for a column of the row itself.
    let embed: Int?
    let operand: Operand
    let isDescending: Bool
    let nullsFirst: Bool
  }

  /// Whether a shown row must have embedded rows.
  enum Presence: Sendable {
    /// It may or may not.
    case any
    /// It must have at least one.
    case some
    /// It must have none.
    case none
  }

  /// Rows of another table that belong to the rows of this one.
  ///
  /// A class, because a plan has many parts and an embedded plan is passed on for every row.
  final class Embed: Sendable {
    let relation: ForeignRelation
    let plan: ReadPlan
    let presence: Presence
    /// Whether a condition tests the embed's presence.
    let isAsked: Bool
    /// The places of the columns that join the rows.
    let columns: [Int]
    let otherColumns: [Int]
    /// The junction table between the two, and the places of its columns.
    let junction: (table: AppTable, own: [Int], other: [Int])?

    init(
      _ relation: ForeignRelation, _ plan: ReadPlan, presence: Presence, isAsked: Bool,
      columns: [Int], otherColumns: [Int], junction: (table: AppTable, own: [Int], other: [Int])?
    ) {
      (self.relation, self.plan) = (relation, plan)
      (self.presence, self.isAsked) = (presence, isAsked)
      (self.columns, self.otherColumns, self.junction) = (columns, otherColumns, junction)
    }

    /// Whether the embedded rows affect which rows are shown.
    var decides: Bool { presence != .any || isAsked }
  }

  let table: AppTable
  private(set) var members: [Member] = []
  /// The place of each member by its name.
  private var memberPlaces: [String: Int] = [:]
  var embeds: [Embed] = []
  /// The embeds as the query names them.
  var embedNames: [EmbedItem] = []
  var predicates: [Predicate] = []
  /// The predicates that also test whether anything is embedded.
  var embedPredicates: [Predicate] = []
  var bounds = ScanBounds()
  var order: [Order] = []
  var limit: Int?
  var offset = 0
  /// The places of the columns that answering a row reads.
  var places: Set<Int> = []
  /// The members in order, prepared for writing.
  private(set) var slots: [Slot] = []
  /// The names of the members, one after another.
  private(set) var names: [UInt8] = []

  /// Begins a plan that shows nothing.
  init(of table: AppTable) { self.table = table }

  /// The plan that finds the rows to write: embeds only shape the answer.
  var findingRows: ReadPlan {
    var plan = self
    plan.embeds = []
    plan.embedPredicates = []
    return plan
  }

  /// The one habit that, with its owner, determines what is read; `nil` where more is read.
  var habit: Key? {
    guard table.isOfHabit, embeds.isEmpty, let keys = bounds.keys("habit_id"), keys.count == 1
    else { return nil }
    return keys[0]
  }

  /// Whether rows are counted instead of shown.
  var counts: Bool {
    members.contains { if case .count = $0.content { true } else { false } }
  }
}

extension ReadPlan {
  /// Adds the places of the columns that are shown, compared, ordered by and embedded by.
  mutating func notePlaces() {
    for member in members {
      switch member.content {
      case .column(let place): places.insert(place)
      case .value(let operand), .text(let operand): places.insert(operand.index)
      case .count, .embed: break
      }
    }
    for embed in embeds { places.formUnion(embed.columns) }
    for predicate in predicates + embedPredicates { predicate.notePlaces(&places) }
    guard !order.isEmpty else { return }
    places.formUnion(order.lazy.filter { $0.embed == nil }.map(\.operand.index))
    places.formUnion(table.places(of: table.primaryKey) ?? [])
  }

  /// Prepares what is written for each row.
  mutating func makeSlots() {
    for (place, member) in members.enumerated() {
      let start = names.count
      if place > 0 { names.append(UInt8(ascii: ",")) }
      names.append(quoted: member.name)
      names.append(UInt8(ascii: ":"))
      let column: Int? = if case .column(let index) = member.content { index } else { nil }
      slots.append(Slot(name: start..<names.count, column: column))
    }
  }

  /// Adds a member. It replaces a member of the same name, because an object has each name once.
  mutating func show(_ name: String, _ content: Content) {
    let member = Member(name: name, content: content)
    if let place = memberPlaces[name] {
      members[place] = member
    } else {
      memberPlaces[name] = members.count
      members.append(member)
    }
  }
}

extension AppTable {
  /// The places of columns; `nil` if one does not exist.
  func places(of columns: [String]) -> [Int]? {
    let places = columns.compactMap { place(of: $0) }
    return places.count == columns.count ? places : nil
  }
}

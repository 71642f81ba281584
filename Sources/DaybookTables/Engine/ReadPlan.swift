import Values

/// What is read of a table, all names found: made once for a request, and then followed row by row.
struct ReadPlan: Sendable {
  /// A member of the answer's objects.
  struct Member: Sendable {
    let name: String
    let content: Content
  }

  /// Where a member stands in an object: what is written before its value, and the column, if it shows one as it is.
  struct Slot: Sendable {
    /// Where in ``ReadPlan/names`` the name stands as it is written: `,"id":`.
    let name: Range<Int>
    let column: Int?
  }

  /// What a member shows.
  enum Content: Sendable {
    case column(Int)
    case value(Operand)
    /// A value as text.
    case text(Operand)
    /// How many rows there are.
    case count
    /// What is embedded, by its place among ``ReadPlan/embeds``.
    case embed(Int)
  }

  /// A column by which rows are ordered.
  struct Order: Sendable {
    /// Whose column it is, by its place among ``ReadPlan/embeds``; nothing for one of the rows themselves.
    let embed: Int?
    let operand: Operand
    let isDescending: Bool
    let nullsFirst: Bool
  }

  /// What must be embedded in a row that is shown.
  enum Presence: Sendable {
    /// Whatever there is.
    case any
    /// Something.
    case some
    /// Nothing.
    case none
  }

  /// Rows of another table that belong to the rows.
  ///
  /// A class, for a plan has many parts, and the one below is handed on for every row.
  final class Embed: Sendable {
    let relation: ForeignRelation
    let plan: ReadPlan
    let presence: Presence
    /// Whether a condition combines a test for its rows with other tests.
    let isAsked: Bool
    /// Where the columns stand by which rows belong together.
    let columns: [Int]
    let otherColumns: [Int]
    /// The table of pairs between the two, and where its columns stand.
    let junction: (table: Table, own: [Int], other: [Int])?

    init(
      _ relation: ForeignRelation, _ plan: ReadPlan, presence: Presence, isAsked: Bool,
      columns: [Int], otherColumns: [Int], junction: (table: Table, own: [Int], other: [Int])?
    ) {
      (self.relation, self.plan) = (relation, plan)
      (self.presence, self.isAsked) = (presence, isAsked)
      (self.columns, self.otherColumns, self.junction) = (columns, otherColumns, junction)
    }

    /// Whether the embedded rows decide which rows there are.
    var decides: Bool { presence != .any || isAsked }
  }

  let table: Table
  private(set) var members: [Member] = []
  /// Where a member of a name stands among them.
  private var memberPlaces: [String: Int] = [:]
  var embeds: [Embed] = []
  /// How the query names them.
  var embedNames: [EmbedItem] = []
  var predicates: [Predicate] = []
  /// The predicates that also test whether anything is embedded.
  var embedPredicates: [Predicate] = []
  var narrowing = Narrowing()
  var order: [Order] = []
  var limit: Int?
  var offset = 0
  /// The places of the columns that are looked at when its rows are answered.
  var places: Set<Int> = []
  /// The members in their order, made ready to be written.
  private(set) var slots: [Slot] = []
  /// Their names, one after another.
  private(set) var names: [UInt8] = []

  /// Begins a plan that shows nothing.
  init(of table: Table) { self.table = table }

  /// What finds the rows that are written: what is embedded shapes the answer alone.
  var findingRows: ReadPlan {
    var plan = self
    plan.embeds = []
    plan.embedPredicates = []
    return plan
  }

  /// The habit on which, with its owner, all that is read depends; `nil` when more is asked for.
  var habit: Key? {
    guard table.isOfHabit, embeds.isEmpty, let keys = narrowing.keys("habit_id"), keys.count == 1
    else { return nil }
    return keys[0]
  }

  /// Whether rows are counted instead of shown.
  var counts: Bool {
    members.contains { if case .count = $0.content { true } else { false } }
  }
}

extension ReadPlan {
  /// Notes which columns are looked at for what is shown, compared, ordered and embedded.
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

  /// Makes ready what is written of each row.
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

  /// Shows something by a name; what had the name before is shown no more, for an object has each name once.
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

extension Table {
  /// Where columns stand; nothing if one of them is not there.
  func places(of columns: [String]) -> [Int]? {
    let places = columns.compactMap { place(of: $0) }
    return places.count == columns.count ? places : nil
  }
}

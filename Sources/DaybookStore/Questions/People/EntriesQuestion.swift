package import Avro
package import Daybook

/// `entries`: some entries by their positions, such as those that earned an award (DG-6).
package struct EntriesQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "entries", "Some entries by their positions, as far as the asker sees what they are about.",
    answer: "a list of entries", asker: .account, [])
  package static let defaults = EntriesQuestion()

  /// The most positions in one question, so that they fit into a request's target.
  package static let greatestCount = 500

  /// Where the entries are; those that the asker does not see are passed over.
  package var positions: [Int64] = []

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "positions", &positions,
      [
        .needed, .bounds(["maxItems": .number(Self.greatestCount)]),
        .doc("positions of entries; those of what the asker does not see are left out"),
      ])
  }

  /// - Throws: ``Rejection`` for too many positions, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> SeenEntries {
    guard positions.count <= Self.greatestCount else {
      throw Rejection.invalidField(
        "positions", "\(positions.count) are more than \(Self.greatestCount)")
    }
    let wanted = Set(positions)
    let moments = try MomentScope().moments(of: needed(asker), in: view)
    return try SeenEntries(moments.filter { wanted.contains($0.position) }, asker, view)
  }
}

/// Entries that an account sees: who did what to which thing, and when it was recorded.
package struct SeenEntries: Listing, QuestionAnswer {
  /// By position.
  package let found: [(entry: Entry, moment: RecordedMoment)]
  private let asker: Account.ID?
  private let state: BookState

  /// Reads the entries of some moments, those about one thing together.
  ///
  /// - Throws: ``JournalError``.
  init(_ moments: [RecordedMoment], _ asker: Account.ID?, _ view: BookView) throws {
    (self.asker, state) = (asker, view.state)
    let byPosition = Dictionary(moments.map { ($0.position, $0) }) { first, _ in first }
    let positions = byPosition.keys
    let lists = try AggregateEntries(
      of: Set(moments.map(\.aggregate)), after: (positions.min() ?? 1) - 1,
      through: positions.max() ?? 0, in: view.reader
    ).lists
    found = lists.values.joined().compactMap { entry in
      byPosition[entry.head.position].map { (entry, $0) }
    }.sorted { $0.moment.position < $1.moment.position }
  }

  /// How many there are.
  package var stepCount: Int { found.count }

  /// Writes one row for each entry.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for (entry, moment) in found[steps] {
      let actor = entry.head.actor.flatMap { state.isAmong($0, in: moment.aggregate) ? $0 : nil }
      let subject = state.subject(of: entry.event)
      rows.object { row in
        row.member("position", entry.head.position)
        row.member("at", entry.head.at)
        row.member("event", entry.event.name)
        row.member("kind", moment.aggregate.kind.word)
        row.member("id", subject?.key)
        row.member("name", subject.map { state.entryName(of: $0) })
        row.member("day", moment.about)
        row.member("late", moment.isLate)
        row.member("source", entry.event.source?.rawValue)
        row.member("actor_name", actor.flatMap { state.accounts[$0]?.displayName })
        row.member("own", entry.head.actor == asker)
      }
    }
  }
}

extension BookState {
  /// Whether an account has or shares an entity now: the present names of others are not shown after they left.
  fileprivate func isAmong(_ account: Account.ID, in aggregate: Aggregate) -> Bool {
    if let home = household(of: aggregate) { return household(home, for: account) != nil }
    guard aggregate.kind == .hive else { return people(of: aggregate).contains(account) }
    return hives(of: account).contains { .hive($0) == aggregate }
  }

  /// The name of what an entry is about: a meal's is that of its recipe.
  fileprivate func entryName(of subject: any Entity) -> String {
    (subject as? Meal).map { title(of: $0) } ?? subject.displayName
  }
}

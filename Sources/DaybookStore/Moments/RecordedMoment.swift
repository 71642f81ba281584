package import Avro
package import Daybook

/// When an entry was recorded, and what it is about: enough to count the entries of days, and to step from one entry to
/// the next, without reading the entries again.
package struct RecordedMoment: Hashable, Sendable {
  /// The entry's position.
  package let position: Int64
  /// When it was recorded.
  package let at: Instant
  /// The account's day on which it was recorded.
  package let recordedOn: Day
  /// The day that it is about, if it is about one.
  package let about: Day?
  /// What it touches.
  package let aggregate: Aggregate

  /// Whether it was recorded after the day that it is about was over.
  package var isLate: Bool { about.map { $0 < recordedOn } ?? false }
}

/// A part of what an account sees.
package enum MomentArea: String, ChoiceForm {
  /// The account's habits, goals and pauses.
  case habits
  /// Its hives.
  case hives
  /// Its tasks and labels.
  case tasks
  /// Its households, with all that belongs to them.
  case household

  /// Whether things of a kind belong to it.
  func holds(_ kind: EntityKind) -> Bool {
    switch kind {
    case .account, .habit, .goal: self == .habits
    case .hive: self == .hives
    case .task, .label: self == .tasks
    // What is shared outside of hives belongs to households.
    default: kind.isShared && self == .household
    }
  }
}

/// The entries that a question is about: all that its asker sees, or some of them.
package struct MomentScope: Hashable, Sendable {
  /// The key of the one thing that they touch.
  package var about: Key?
  /// The part of the book that they belong to.
  package var area: MomentArea?

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "about", &about,
      [.doc("only what touches this thing, by its key: a habit, a task, a hive, a recipe, …")])
    try visitor.column(
      "area", &area, [.doc("only what belongs to it; unless given, all that the asker sees")])
  }

  /// The moments of the scope, by position.
  ///
  /// - Throws: ``Rejection`` for a key that names nothing of the asker's, or ``JournalError``.
  func moments(of asker: Account.ID, in view: BookView) throws -> [RecordedMoment] {
    let all = try view.reader.moments.list(of: asker, in: view)
    let wanted = try about.map { key in
      let found = EntityKind.allCases.compactMap { kind in
        view.state.aggregate(of: kind, key: key)
      }
      guard let seen = found.first(where: { view.state.isSeen($0, by: asker) }) else {
        throw Rejection.invalidField("about", "\(key) is nothing of yours")
      }
      return seen
    }
    guard wanted != nil || area != nil else { return all }
    return all.filter { moment in
      wanted.map { $0 == moment.aggregate } ?? true
        && area.map { $0.holds(moment.aggregate.kind) } ?? true
    }
  }
}

extension BookState {
  /// The aggregates whose entries an account sees now: its own, those of its households, and the hives that it is in.
  func seenAggregates(of account: Account.ID) -> Set<Aggregate> {
    aggregates(of: account).filter { isSeen($0, by: account) }
  }

  /// Whether an account sees the entries of an aggregate now.
  fileprivate func isSeen(_ aggregate: Aggregate, by account: Account.ID) -> Bool {
    switch aggregate.kind {
    case .account: aggregate == .account(account)
    case .hive: hives(of: account).contains { .hive($0) == aggregate }
    default: people(of: aggregate).contains(account) && isShared(aggregate, with: account)
    }
  }

  /// Whether an account may see a household's thing: members who left see no more of it.
  private func isShared(_ aggregate: Aggregate, with account: Account.ID) -> Bool {
    guard let home = household(of: aggregate) else { return true }
    return household(home, for: account) != nil
  }

  /// The thing of a kind with a key.
  fileprivate func aggregate(of kind: EntityKind, key: Key) -> Aggregate? {
    table(of: kind).entityNumber(of: key).flatMap {
      Aggregate(code: Int64(kind.index) << 32 | Int64($0))
    }
  }
}

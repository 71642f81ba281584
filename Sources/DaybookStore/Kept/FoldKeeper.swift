import Daybook
import Synchronization

/// Keeps what the entries of habits, hives or accounts amount to, so that a question reads only what was recorded since
/// the last one. What is kept must also answer for any moment before the last entry applied to it.
///
/// It keeps a limited number of entries' worth, and forgets what nobody asked for longest first.
final class FoldKeeper<ID: Hashable & Sendable, Fold: Projection & Sendable>: Sendable {
  /// Something that a question needs.
  struct Wish {
    let id: ID
    /// The aggregates whose entries determine it.
    let aggregates: [Aggregate]
    /// What it is before the first entry.
    let start: Fold
  }

  fileprivate struct Kept {
    var fold: Fold
    /// The position up to which the entries were applied.
    var position: Int64
    var entryCount = 0
    /// The number of the last question.
    var usedAt = 0
  }

  private struct Contents {
    var kept: [ID: Kept] = [:]
    var entryCount = 0
    var questionCount = 0
    /// How often everything was forgotten; what was read before the last time is not kept.
    var forgotten = 0
  }

  private let maximumCount: Int
  private let contents = Mutex(Contents())

  /// - Parameter maximumCount: The most entries whose outcome is kept: some 100 bytes each.
  init(keeping maximumCount: Int = 300_000) { self.maximumCount = maximumCount }

  /// What is kept of some wishes, and what has to be read for them.
  struct Plan {
    fileprivate let wishes: [Wish]
    /// What is kept and used.
    fileprivate var kept: [ID: Kept] = [:]
    /// Those of which nothing is kept.
    fileprivate var new: [Wish] = []
    /// Those to which entries are missing.
    fileprivate var old: [Wish] = []
    fileprivate let forgotten: Int

    fileprivate init(_ wishes: [Wish], _ forgotten: Int) {
      self.wishes = wishes
      self.forgotten = forgotten
    }

    /// What to read for them.
    var needs: EntryNeeds {
      EntryNeeds(
        all: Set(new.flatMap(\.aggregates)), later: Set(old.flatMap(\.aggregates)),
        after: old.compactMap { kept[$0.id]?.position }.min() ?? .max)
    }
  }

  /// Looks up what is kept for a view.
  func plan(_ wishes: [Wish], in view: BookView) -> Plan {
    let position = view.recordedPosition
    let (former, forgotten) = take(wishes)
    var plan = Plan(wishes, forgotten)
    for wish in wishes {
      // Supposed entries follow the view's, not later ones that another question has seen.
      guard let kept = former[wish.id], kept.position <= position || view.supposed.isEmpty else {
        plan.new.append(wish)
        continue
      }
      plan.kept[wish.id] = kept
      if kept.position < position { plan.old.append(wish) }
    }
    return plan
  }

  /// What the wishes of a plan amount to after the entries of a view, supposed ones included; it may reach beyond the
  /// view.
  ///
  /// - Parameters:
  ///   - plan: The plan for the view.
  ///   - entries: What the plan needs.
  ///   - view: The view.
  /// - Returns: The outcomes. They are kept, too.
  func folds(_ plan: Plan, from entries: NeededEntries, in view: BookView) -> [ID: Fold] {
    var folds = plan.kept
    for (wishes, lists) in [(plan.new, entries.all), (plan.old, entries.later)] {
      for wish in wishes {
        var kept = folds[wish.id] ?? Kept(fold: wish.start, position: 0)
        let entries = wish.aggregates.flatMap { aggregate in
          (lists[aggregate] ?? []).filter { $0.head.position > kept.position }
        }
        for entry in entries.sorted(by: { $0.head.position < $1.head.position }) {
          kept.fold.apply(entry)
        }
        kept.entryCount += entries.count
        kept.position = view.recordedPosition
        folds[wish.id] = kept
      }
    }
    // A reader of files without an open book does not learn of erasures.
    if view.reader.log.signal != nil {
      let read = (plan.new + plan.old).compactMap { wish in folds[wish.id].map { (wish.id, $0) } }
      keep(read, plan.forgotten)
    }
    return supposing(plan.wishes, folds.mapValues(\.fold), view)
  }

  /// What some wishes amount to, where nothing else is read.
  ///
  /// - Throws: ``JournalError``.
  func folds(_ wishes: [Wish], in view: BookView) throws -> [ID: Fold] {
    let plan = plan(wishes, in: view)
    return folds(plan, from: try NeededEntries([plan.needs], in: view), in: view)
  }

  /// What is kept of some wishes, and how often everything was forgotten.
  private func take(_ wishes: [Wish]) -> ([ID: Kept], Int) {
    contents.withLock { contents in
      contents.questionCount += 1
      var found: [ID: Kept] = [:]
      for wish in wishes {
        contents.kept[wish.id]?.usedAt = contents.questionCount
        found[wish.id] = contents.kept[wish.id]
      }
      return (found, contents.forgotten)
    }
  }

  /// Keeps what was read, unless somebody has read further meanwhile.
  private func keep(_ read: [(ID, Kept)], _ forgotten: Int) {
    guard !read.isEmpty else { return }
    let dropped = contents.withLock { contents -> [Kept] in
      guard contents.forgotten == forgotten else { return [] }
      var dropped: [Kept] = []
      for (id, kept) in read {
        if let present = contents.kept[id] {
          guard present.position < kept.position else { continue }
          contents.entryCount -= present.entryCount
          dropped.append(present)
        }
        var kept = kept
        kept.usedAt = contents.questionCount
        contents.kept[id] = kept
        contents.entryCount += kept.entryCount
      }
      guard contents.entryCount > maximumCount else { return dropped }
      // More than needed is forgotten at once, so that this is seldom.
      for (id, kept) in contents.kept.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
        guard contents.entryCount > maximumCount * 3 / 4 else { break }
        contents.entryCount -= kept.entryCount
        contents.kept[id] = nil
        dropped.append(kept)
      }
      return dropped
    }
    // They are released outside the lock, because they may be large.
    _ = dropped
  }

  /// The same with the supposed entries of the view.
  private func supposing(
    _ wishes: [Wish], _ recorded: [ID: Fold], _ view: BookView
  ) -> [ID: Fold] {
    guard !view.supposed.isEmpty else { return recorded }
    var folds = recorded
    for wish in wishes {
      let aggregates = Set(wish.aggregates)
      for entry in view.supposed {
        guard let aggregate = view.state.aggregate(of: entry.event), aggregates.contains(aggregate)
        else { continue }
        folds[wish.id]?.apply(entry)
      }
    }
    return folds
  }

  /// The number of entries whose outcome is kept.
  var entryCount: Int { contents.withLock { $0.entryCount } }

  /// Forgets everything, because an erasure blanked entries.
  func forget() {
    let dropped = contents.withLock { contents in
      defer {
        contents.kept = [:]
        contents.entryCount = 0
        contents.forgotten += 1
      }
      return contents.kept
    }
    _ = dropped
  }
}

/// The entries that several keepers need for one question.
struct EntryNeeds {
  /// The aggregates all of whose entries are needed.
  var all: Set<Aggregate> = []
  /// The aggregates of which only later entries are needed.
  var later: Set<Aggregate> = []
  /// The position after which they are.
  var after = Int64.max
}

/// What was read for one question, at once for all keepers.
struct NeededEntries {
  /// The entries of aggregates of which all are needed.
  let all: [Aggregate: [Entry]]
  /// The later entries of the others.
  let later: [Aggregate: [Entry]]

  /// Reads what is needed up to the position of a view.
  ///
  /// - Throws: ``JournalError``.
  init(_ needs: [EntryNeeds], in view: BookView) throws {
    func read(_ aggregates: Set<Aggregate>, after position: Int64) throws -> [Aggregate: [Entry]] {
      guard !aggregates.isEmpty else { return [:] }
      return try AggregateEntries(
        of: aggregates, after: position, through: view.recordedPosition, in: view.reader
      ).lists
    }
    all = try read(needs.reduce(into: []) { $0.formUnion($1.all) }, after: 0)
    later = try read(
      needs.reduce(into: []) { $0.formUnion($1.later) }, after: needs.map(\.after).min() ?? 0)
  }
}

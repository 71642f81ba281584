import Synchronization
import Wire

/// A cache of query plans: clients send the same queries again and again.
///
/// A plan depends on the schema and the query alone, not on the caller.
final class PlanCache: Sendable {
  /// The key of a plan in the cache.
  struct PlanKey: Hashable, Sendable {
    let schema: String
    let table: String
    /// The components of the path. A function's arguments, unlike a table's, are not filters of its rows.
    let path: [String]
    let query: WireQuery
  }

  /// The most plans that are kept. A full cache is emptied, because each plan is soon made again.
  static let capacity = 1000
  /// The longest query that is cached, in bytes.
  static let maximumLength = 1000

  private let plans = Mutex<[PlanKey: ReadPlan]>([:])

  /// The number of plans in the cache.
  var count: Int { plans.withLock { $0.count } }

  /// The plan under a key, if it is cached.
  subscript(key: PlanKey) -> ReadPlan? {
    get { plans.withLock { $0[key] } }
    set {
      guard key.query.length <= Self.maximumLength else { return }
      plans.withLock { plans in
        if plans.count >= Self.capacity { plans.removeAll() }
        plans[key] = newValue
      }
    }
  }
}

extension TableRequest {
  /// The cache key of the query on a table.
  func planKey(of table: AppTable) -> PlanCache.PlanKey {
    PlanCache.PlanKey(
      schema: schema.name, table: table.name, path: request.path, query: request.query)
  }
}

extension WireQuery {
  /// Whether the query may name "now" or "today", whose meaning changes; any text that contains such a word counts.
  var mayNameTime: Bool {
    items.contains { item in
      // Reading may remove whatever stands between the letters.
      let text = item.value.lowercased().filter(\.isLetter)
      return TimestampText.words.contains { text.contains($0) }
    }
  }

  /// The total length of its texts, in bytes.
  fileprivate var length: Int {
    items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }
}

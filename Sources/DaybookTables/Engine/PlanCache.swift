import Synchronization
import Wire

/// The plans of queries that were asked before: clients ask the same ones again and again.
///
/// A plan follows from the schema and the query alone, and says nothing of who asks.
final class PlanCache: Sendable {
  /// What a plan was made of.
  struct Question: Hashable, Sendable {
    let schema: String
    let table: String
    /// The pieces of the path: what a function's arguments are called is no filter of the rows that it answers.
    let path: [String]
    let query: WireQuery
  }

  /// How many plans are kept; then all are forgotten, for each is soon made again.
  static let capacity = 1000
  /// How long a query may be, in bytes, that is kept.
  static let maximumLength = 1000

  private let plans = Mutex<[Question: ReadPlan]>([:])

  /// How many plans are kept now.
  var count: Int { plans.withLock { $0.count } }

  /// The plan of a question, if it is kept.
  subscript(question: Question) -> ReadPlan? {
    get { plans.withLock { $0[question] } }
    set {
      guard question.query.length <= Self.maximumLength else { return }
      plans.withLock { plans in
        if plans.count >= Self.capacity { plans.removeAll() }
        plans[question] = newValue
      }
    }
  }
}

extension TableRequest {
  /// What the query asks of a table.
  func question(of table: Table) -> PlanCache.Question {
    PlanCache.Question(
      schema: schema.name, table: table.name, path: request.path, query: request.query)
  }
}

extension WireQuery {
  /// Whether it may say "now" or "today", which mean something else each time; whatever has such a word in it is taken for that.
  var mayNameTime: Bool {
    items.contains { item in
      // Whatever stands between the letters may be gone once it is read.
      let text = item.value.lowercased().filter(\.isLetter)
      return TimestampText.words.contains { text.contains($0) }
    }
  }

  /// How long its texts are together, in bytes.
  fileprivate var length: Int {
    items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }
}

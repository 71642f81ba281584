import Synchronization
import Wire

/// A cache of parsed request targets: clients use the same ones again and again.
final class TargetCache: Sendable {
  /// A parsed target and its route.
  struct CachedTarget: Sendable {
    let target: RequestTarget
    let route: Route
    /// The label in metrics and logs.
    let label: String
    let query: WireQuery

    /// Whether it needs only one answer and a small body: rows and questions.
    var isDirect: Bool {
      switch route {
      case .rest: true
      case .api(let path): path.first == "ask"
      case .auth, .function, .realtime, .feed, .dev, .health, .ready, .metrics, .page: false
      }
    }

    /// Whether it is a request to monitor the server.
    var isWatching: Bool { [.health, .ready, .metrics].contains(route) }
  }

  /// The most targets that are kept. A full cache is emptied, because each target is soon parsed again.
  static let capacity = 1000
  /// The longest target that is kept, in bytes.
  static let maximumLength = 500

  /// The names of tables and of database functions.
  private let names: Set<String>
  private let known = Mutex<[String: CachedTarget]>([:])

  init(names: Set<String>) { self.names = names }

  /// The number of targets in the cache.
  var count: Int { known.withLock { $0.count } }

  /// The parsed target and its route; `nil` for a target that is refused or has no route.
  func find(_ text: String) -> CachedTarget? {
    if let found = known.withLock({ $0[text] }) { return found }
    guard let target = RequestTarget(text), let route = Route(target.path) else { return nil }
    let found = CachedTarget(
      target: target, route: route, label: route.label(names),
      query: WireQuery(encoded: target.query))
    // The address of a calendar is a secret.
    if case .feed = route { return found }
    if text.utf8.count <= Self.maximumLength {
      known.withLock { known in
        if known.count >= Self.capacity { known.removeAll() }
        known[text] = found
      }
    }
    return found
  }
}

import Synchronization
import Wire

/// Finds what request targets name. Clients name the same ones again and again: those are taken apart once.
final class TargetCache: Sendable {
  /// A target, taken apart, and the part of the server that it names.
  struct Found: Sendable {
    let target: RequestTarget
    let route: Route
    /// What figures and logs call it.
    let label: String
    let query: WireQuery

    /// Whether it asks for one answer, which a small body is enough for: rows, and questions.
    var isDirect: Bool {
      switch route {
      case .rest: true
      case .api(let path): path.first == "ask"
      case .auth, .function, .realtime, .dev, .health, .ready, .metrics: false
      }
    }

    /// Whether it is asked by who watches over the server.
    var isWatching: Bool { [.health, .ready, .metrics].contains(route) }
  }

  /// How many targets are kept; then all are forgotten, for each is soon found again.
  static let capacity = 1000
  /// How long a target may be, in bytes, that is kept.
  static let maximumLength = 500

  /// The names of tables and of functions of the database.
  private let names: Set<String>
  private let known = Mutex<[String: Found]>([:])

  init(names: Set<String>) { self.names = names }

  /// How many targets are kept now.
  var count: Int { known.withLock { $0.count } }

  /// What a target names; nothing where it is none that is taken, or there is no such part.
  func find(_ text: String) -> Found? {
    if let found = known.withLock({ $0[text] }) { return found }
    guard let target = RequestTarget(text), let route = Route(target.path) else { return nil }
    let found = Found(
      target: target, route: route, label: route.label(names),
      query: WireQuery(encoded: target.query))
    if text.utf8.count <= Self.maximumLength {
      known.withLock { known in
        if known.count >= Self.capacity { known.removeAll() }
        known[text] = found
      }
    }
    return found
  }
}

/// Which part of the server answers a request.
enum Route: Sendable, Hashable {
  /// Sign-in.
  case auth([String])
  /// Tables, and functions of the database.
  case rest([String])
  /// Functions beside it.
  case function(String)
  /// The socket of changes.
  case realtime
  /// What clients of Daybook's own ask.
  case api([String])
  /// What a dev server shows.
  case dev([String])
  /// Whether the process runs.
  case health
  /// Whether it can answer.
  case ready
  /// Figures.
  case metrics

  /// Finds the part by a path; nothing when there is none.
  init?(_ path: [String]) {
    switch (path.first, path.dropFirst().first) {
    case ("auth", "v1"): self = .auth(Array(path.dropFirst(2)))
    case ("rest", "v1"): self = .rest(Array(path.dropFirst(2)))
    case ("functions", "v1") where path.count == 3: self = .function(path[2])
    case ("realtime", "v1") where path.dropFirst(2) == ["websocket"]: self = .realtime
    case ("v1", .some): self = .api(Array(path.dropFirst()))
    case ("dev", .some): self = .dev(Array(path.dropFirst()))
    case ("health", nil): self = .health
    case ("ready", nil): self = .ready
    case ("metrics", nil): self = .metrics
    default: return nil
    }
  }

  /// What figures and logs call it: a table's or function's name is told, a key never.
  ///
  /// - Parameter names: The names of tables and functions. Any other word was chosen by who asks: it may tell of somebody,
  ///   and were each kept, figures would grow without end.
  /// - Returns: One of few labels, whatever is asked.
  func label(_ names: Set<String>) -> String {
    func plain(_ name: String?) -> String {
      name.map { names.contains($0) || Self.words.contains($0) ? $0 : "other" } ?? ""
    }
    return switch self {
    case .auth(let path): "auth/\(plain(path.first))"
    case .rest(let path):
      path.first == "rpc" ? "rpc/\(plain(path.dropFirst().first))" : "rest/\(plain(path.first))"
    case .function(let name): "functions/\(plain(name))"
    case .realtime: "realtime"
    case .api(let path): plain(path.first)
    case .dev: "dev"
    case .health: "health"
    case .ready: "ready"
    case .metrics: "metrics"
    }
  }

  /// The words of paths that are no names of tables or of functions of the database.
  private static let words: Set<String> = [
    "authorize", "callback", "health", "logout", "otp", "recover", "resend", "settings", "signup",
    "token", "user", "verify", ".well-known", "create-checkout-session", "send-email", "ask",
    "commands", "events", "openapi.json",
  ]

  /// Whether its requests with bodies take turns: those that write to the book. Questions have turns of their own, and a
  /// function may wait for another server.
  var takesTurns: Bool {
    switch self {
    case .rest: true
    case .api(let path): path.first == "commands"
    case .auth, .function, .realtime, .dev, .health, .ready, .metrics: false
    }
  }

  /// Whether the tables and functions of the database answer it.
  var isRest: Bool { if case .rest = self { true } else { false } }

  /// Whether a browser opens it by itself, without the public key.
  var isOpen: Bool {
    switch self {
    case .auth(let path):
      ["authorize", "callback", "verify", "health"].contains(path.first ?? "")
        || path == [".well-known", "jwks.json"]
    case .rest, .function, .realtime: false
    case .api, .dev, .health, .ready, .metrics: true
    }
  }
}

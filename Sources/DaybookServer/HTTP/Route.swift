import DaybookPage

/// The part of the server that answers a request.
enum Route: Sendable, Hashable {
  /// Sign-in.
  case auth([String])
  /// Tables, and functions of the database.
  case rest([String])
  /// Edge functions.
  case function(String)
  /// The socket that notifies of changes.
  case realtime
  /// The API for Daybook's own clients.
  case api([String])
  /// A calendar, by the name of its file.
  case feed(String)
  /// The pages of a development server.
  case dev([String])
  /// The screens for a browser.
  case page([String])
  /// The check that the process runs.
  case health
  /// The check that it can answer.
  case ready
  case metrics

  /// Finds the route of a path; `nil` when there is none.
  init?(_ path: [String]) {
    switch (path.first, path.dropFirst().first) {
    case ("auth", "v1"): self = .auth(Array(path.dropFirst(2)))
    case ("rest", "v1"): self = .rest(Array(path.dropFirst(2)))
    case ("functions", "v1") where path.count == 3: self = .function(path[2])
    case ("realtime", "v1") where path.dropFirst(2) == ["websocket"]: self = .realtime
    case ("v1", .some): self = .api(Array(path.dropFirst()))
    case ("feeds", .some) where path.count == 2: self = .feed(path[1])
    case ("mcp", nil): self = .api(["mcp"])
    case ("dev", .some): self = .dev(Array(path.dropFirst()))
    case ("health", nil): self = .health
    case ("ready", nil): self = .ready
    case ("metrics", nil): self = .metrics
    default:
      guard PageService.has(path) else { return nil }
      self = .page(path)
    }
  }

  /// The route's label in metrics and logs, which contains a table's or function's name but never a
  /// key.
  ///
  /// - Parameter names: The names of tables and functions. Any other word is the client's choice: it may reveal
  ///   somebody, and a label for each would make the metrics grow without bound.
  /// - Returns: One of few labels, whatever the request.
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
    case .feed: "feeds"
    case .dev: "dev"
    case .page(let path): "page/\(plain(path.first))"
    case .health: "health"
    case .ready: "ready"
    case .metrics: "metrics"
    }
  }

  /// The words of paths other than names of tables and of database functions.
  private static let words: Set<String> = [
    "authorize", "callback", "health", "logout", "otp", "recover", "resend", "settings", "signup",
    "token", "user", "verify", ".well-known", "create-checkout-session", "send-email", "ask",
    "commands", "events", "export", "import", "mcp", "openapi.json", "sync", "tokens",
  ]

  /// Whether its requests with bodies take turns: those that write to the book. Questions have turns of their own, and a
  /// function may wait for another server.
  var takesTurns: Bool {
    switch self {
    case .rest: true
    case .api(let path): ["commands", "import", "sync"].contains(path.first)
    case .page(let path): path == ["do"] || path.starts(with: ["settings", "import"])
    case .auth, .function, .realtime, .feed, .dev, .health, .ready, .metrics: false
    }
  }

  /// Whether a browser's cookies tell who sent a request. No other site may read the answers.
  var isPage: Bool { if case .page = self { true } else { false } }

  /// Whether its answer stays open, and tells what happens.
  var isStream: Bool {
    switch self {
    case .api(let path): path.first == "events"
    case .page(let path): path == ["changes"]
    case .auth, .rest, .function, .realtime, .feed, .dev, .health, .ready, .metrics: false
    }
  }

  /// Whether tables or database functions answer it.
  var isRest: Bool { if case .rest = self { true } else { false } }

  /// Whether a browser opens it directly, without the public key.
  var isOpen: Bool {
    switch self {
    case .auth(let path):
      ["authorize", "callback", "verify", "health"].contains(path.first ?? "")
        || path == [".well-known", "jwks.json"]
    case .rest, .function, .realtime: false
    case .api, .feed, .dev, .health, .metrics, .page, .ready: true
    }
  }
}

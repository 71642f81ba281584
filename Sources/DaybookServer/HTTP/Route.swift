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
  var label: String {
    switch self {
    case .auth(let path): "auth/\(path.first.map(Self.plain) ?? "")"
    case .rest(let path):
      path.first == "rpc"
        ? "rpc/\(Self.plain(path.dropFirst().first ?? ""))"
        : "rest/\(Self.plain(path.first ?? ""))"
    case .function(let name): "functions/\(Self.plain(name))"
    case .realtime: "realtime"
    case .api(let path): path.prefix(2).map(Self.plain).joined(separator: "/")
    case .dev: "dev"
    case .health: "health"
    case .ready: "ready"
    case .metrics: "metrics"
    }
  }

  /// A name as it may be told: whatever is none of a program's is left out.
  private static func plain(_ name: String) -> String {
    let isPlain =
      name.utf8.count <= 40
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      }
    return isPlain ? name : "other"
  }

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

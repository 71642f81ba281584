import Wire

/// A request target, taken apart: its path in decoded pieces, and its query as it stands.
struct RequestTarget: Sendable, Hashable {
  /// The app whose prefix the path has: `habithive` of `/p/habithive/rest/v1/habits`; nothing without one.
  var app: String?
  /// The pieces of the path behind the prefix.
  var path: [String]
  /// What stands behind the `?`; empty without one.
  var query: String

  /// Takes a target apart; nothing when it is none that is taken: without a `/` first, or with pieces that would leave
  /// their place (`..`), hold a `/` in code, or control characters.
  init?(_ target: String) {
    guard target.utf8.first == UInt8(ascii: "/") else { return nil }
    let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    query = end == target.endIndex ? "" : String(target[target.utf8.index(after: end)...])
    var path: [String] = []
    for piece in target.utf8[..<end].split(separator: UInt8(ascii: "/")) {
      let decoded = WireQuery.decoded(piece)
      guard decoded != ".", decoded != "..",
        decoded.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") })
      else { return nil }
      path.append(decoded)
    }
    if path.first == "p", path.count > 1 {
      app = path[1]
      path.removeFirst(2)
    }
    self.path = path
  }
}

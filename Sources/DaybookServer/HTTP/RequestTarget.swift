import Wire

/// A parsed request target: the decoded components of its path, and its query unchanged.
struct RequestTarget: Sendable, Hashable {
  /// The app named by the path's prefix: `habithive` of `/p/habithive/rest/v1/habits`; `nil` without a prefix.
  var app: String?
  /// The components of the path after the prefix.
  var path: [String]
  /// The text after the `?`; empty without one.
  var query: String

  /// Parses a target; `nil` for one that is refused: without a leading `/`, or with components that leave their
  /// directory (`..`), contain an encoded `/`, or contain control characters.
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

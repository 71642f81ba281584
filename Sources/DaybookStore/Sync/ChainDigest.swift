package import Journal

/// The digest of the lines of an export: that of the lines before, hashed together with the next line.
///
///     digest(0) = 32 zero bytes
///     digest(n) = SHA-256(digest(n - 1) ‖ line n, without its line end)
///
/// Two copies with the same number of lines and the same digest have the same lines.
package struct ChainDigest: Hashable, Sendable {
  /// The number of lines.
  package private(set) var count: Int64 = 0
  /// The digest after these lines.
  package private(set) var digest = Digest.none

  /// Starts before the first line.
  package init() {}

  /// Starts after some lines.
  package init(count: Int64, digest: Digest) {
    self.count = count
    self.digest = digest
  }

  /// Adds a line, given without its line end.
  package mutating func add(_ line: String) {
    digest = Digest(of: digest.byteList + Array(line.utf8))
    count += 1
  }
}

extension ChainDigest: LosslessStringConvertible {
  /// Parses the count and the digest, as ``description`` has them.
  package init?(_ description: String) {
    let parts = description.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let count = Int64(parts[0]), count >= 0, String(count) == parts[0],
      let digest = Digest(parts[1]), count > 0 || digest == .none
    else { return nil }
    self.init(count: count, digest: digest)
  }

  /// The count and the digest: `17.9f86d0…`.
  package var description: String { "\(count).\(digest)" }
}

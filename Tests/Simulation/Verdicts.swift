import Journal
import Synchronization

/// The results for examined disks, by their fingerprints.
final class Verdicts: Sendable {
  struct Verdict: Sendable {
    var finding: Finding
    var isDeep: Bool
  }

  private let known = Mutex<[UInt64: Verdict]>([:])

  subscript(key: UInt64) -> Verdict? {
    get { known.withLock { $0[key] } }
    set { known.withLock { $0[key] = newValue } }
  }

  private let digests = Mutex<[UInt64: Digest]>([:])

  /// Whether a digest is the first for a key, or equals the first.
  func isFirst(_ digest: Digest, for key: UInt64) -> Bool {
    digests.withLock { digests in
      let first = digests[key, default: digest]
      digests[key] = first
      return first == digest
    }
  }
}

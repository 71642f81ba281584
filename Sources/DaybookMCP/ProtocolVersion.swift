/// The versions of the Model Context Protocol that a session speaks, from the oldest.
///
/// Up to ``november2025``, client and server agree on a version when a session begins (`initialize`). Since ``july2026``
/// there are no sessions: each request says which version it speaks, in `_meta`.
package enum ProtocolVersion: String, CaseIterable, Sendable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// Whether each request names its version, and nothing is agreed on beforehand.
  package var isStateless: Bool { self == .july2026 }

  /// Whether several messages may come in one array; only one version ever had that.
  var hasBatches: Bool { self == .march2025 }

  /// The version to speak with a client that begins a session: the client's own, or the newest that has sessions if that
  /// is unknown here.
  ///
  /// - Parameter proposal: The version that the client proposes.
  /// - Returns: The version.
  static func agreed(on proposal: String) -> Self {
    guard let version = Self(rawValue: proposal), !version.isStateless else { return .november2025 }
    return version
  }

  /// The names of all versions, the newest first.
  package static var names: [String] { allCases.reversed().map(\.rawValue) }
}

import Wire

/// The addresses to which browsers may be sent with a code or a session; sent elsewhere, it could
/// be stolen.
///
/// | pattern | allows |
/// |---|---|
/// | `motiv://` | every address of the app's own scheme |
/// | `motiv://auth-callback` | this one |
/// | `https://app.example.com/welcome` | this one |
/// | `https://app.example.com/*` | all of the host |
/// | `https://app.example.com/app/*` | all below the path; so does `/**` |
///
/// Scheme and host are compared in any case, and a path exactly. A query may follow. The server's own site is
/// always allowed. A target with a user name before its host, a fragment, a backslash, a control character, or a
/// path with `..`, `//` or encoded slashes and dots is never allowed.
struct RedirectList: Sendable {
  private let patterns: [Target]
  private let fallback: String

  /// Parses patterns; an invalid one allows nothing.
  init(_ patterns: [String], site: String, fallback: String) {
    self.patterns = (patterns + [site + "/*"]).compactMap { Self.pattern($0) }
    self.fallback = fallback
  }

  /// A parsed pattern; `nil` for an invalid one, such as one with a `*` in its host.
  private static func pattern(_ text: String) -> Target? {
    // A whole scheme, and everything below a path, may be written with two stars.
    let single = text.hasSuffix("/**") ? String(text.dropLast()) : text
    guard let target = Target(single.hasSuffix("://*") ? String(single.dropLast()) : single) else {
      return nil
    }
    let plain = target.path.hasSuffix("/*") ? target.path.dropLast() : target.path[...]
    return target.authority.contains("*") || plain.contains("*") ? nil : target
  }

  /// Whether a text is a valid pattern.
  static func isPattern(_ text: String) -> Bool { pattern(text) != nil }

  /// Whether an address is a valid target.
  static func isTarget(_ text: String) -> Bool { isPattern(text) && !text.contains("*") }

  /// The target for a requested address: that address if it is allowed, or else the fallback.
  func target(_ asked: String?) -> String {
    guard let asked, allows(asked) else { return fallback }
    return asked
  }

  func allows(_ address: String) -> Bool {
    guard let target = Target(address), !target.authority.contains("*"),
      !target.path.contains("*")
    else { return false }
    return patterns.contains { $0.covers(target) }
  }

  private struct Target: Sendable {
    let scheme: String
    let authority: String
    let path: String

    init?(_ text: String) {
      guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
        !text.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "#") }),
        let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
      else { return nil }
      scheme = text[..<colon].lowercased()
      let rest = text[text.index(colon, offsetBy: 3)...]
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      authority = rest[..<end].lowercased()
      let pathEnd = rest.firstIndex(of: "?") ?? rest.endIndex
      path = String(rest[end..<pathEnd])
      let coded = path.lowercased()
      guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
        scheme.utf8.allSatisfy({
          PercentCode.isUnreserved($0) && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "~")
            || $0 == UInt8(ascii: "+")
        }),
        !authority.contains("@"), !authority.contains("%"), !isWeb || !authority.isEmpty,
        !coded.contains("//"), !coded.contains("%2f"), !coded.contains("%5c"),
        !coded.contains("%2e"), !coded.split(separator: "/").contains("..")
      else { return nil }
    }

    var isWeb: Bool { scheme == "http" || scheme == "https" }

    /// Whether the pattern allows a target.
    func covers(_ target: Target) -> Bool {
      guard scheme == target.scheme else { return false }
      if !isWeb, authority.isEmpty, path.isEmpty || path == "/*" { return true }
      guard authority == target.authority else { return false }
      if path.hasSuffix("/*") {
        return target.path == path.dropLast(2) || target.path.hasPrefix(path.dropLast())
      }
      func plain(_ path: String) -> String { path == "/" ? "" : path }
      return plain(path) == plain(target.path)
    }
  }
}

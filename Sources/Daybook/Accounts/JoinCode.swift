import Avro
import Calendar
import Values

/// The join codes, with which people join a hive (as an invite) or a household.
package enum JoinCode {
  /// The lifetimes that are allowed, in minutes: up to ten years.
  static let lifetime = 1...5_256_000
  /// The bounds in the schema of a column that holds a code.
  static let bounds = FieldNote.bounds(["pattern": "^[0-9a-f]{12}$"])
  /// The bounds in the schema of a column that holds a code's lifetime.
  static let lifetimeBounds = FieldNote.bounds([
    "minimum": .number(lifetime.lowerBound), "maximum": .number(lifetime.upperBound),
  ])

  /// A code in its stored form: people type capitals and spaces.
  static func normalised(_ code: String) -> String { code.trimmingSpace.lowercased() }

  /// Whether it is a code: twelve hexadecimal digits in lower case.
  package static func isCode(_ code: String) -> Bool {
    code.utf8.count == 12
      && code.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// A code from a fresh key, whose last six bytes are as random as a UUID's are (RFC 9562, version 4).
  static func make(from key: Key) -> String {
    let digits = String(key.low & 0xFFFF_FFFF_FFFF, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// The code that the client gave, or else one of a fresh key.
  ///
  /// - Throws: ``Rejection/malformedCode(_:)``.
  static func given(_ code: String?, orFrom key: Key) throws(Rejection) -> String {
    guard let code else { return make(from: key) }
    guard isCode(code) else { throw .malformedCode(code) }
    return code
  }

  /// The instant at which a code expires that is valid for some minutes.
  ///
  /// - Parameters:
  ///   - minutes: The lifetime.
  ///   - instant: When it begins.
  ///   - column: The column that gave the lifetime.
  /// - Returns: The last moment at which the code is valid.
  /// - Throws: ``Rejection/invalidLifetime(_:_:)``.
  static func end(
    after minutes: Int, from instant: Instant, _ column: String
  ) throws(Rejection) -> Instant {
    guard lifetime.contains(minutes) else { throw .invalidLifetime(minutes, column) }
    return instant.advanced(byMilliseconds: Int64(minutes) * 60_000)
  }
}

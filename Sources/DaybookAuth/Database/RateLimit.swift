import Calendar
import GRDB

/// Counts how often something is done in a period of time. The thing that is counted is stored only
/// as a hash.
enum RateLimit {
  /// Counts one more time.
  ///
  /// - Returns: Whether the count is still within the limit.
  static func count(
    _ what: String, most: Int, within seconds: Int, at now: Instant, in database: Database
  ) throws -> Bool {
    if most == .max { return true }
    let bucket = Secret.digest(what)
    let count = try Int.fetchOne(
      database,
      sql: """
        INSERT INTO limits (bucket, expires_at, count) VALUES (?, ?, 1)
        ON CONFLICT (bucket) DO UPDATE SET
          count = CASE WHEN expires_at > ? THEN count + 1 ELSE 1 END,
          expires_at = CASE WHEN expires_at > ? THEN expires_at ELSE excluded.expires_at END
        RETURNING count
        """,
      arguments: [
        bucket, now.milliseconds + Int64(seconds) * 1000, now.milliseconds, now.milliseconds,
      ])
    return (count ?? 1) <= most
  }

  /// Whether one more time would still be within the limit.
  static func allows(
    _ what: String, most: Int, at now: Instant, in database: Database
  ) throws -> Bool {
    let count = try Int.fetchOne(
      database, sql: "SELECT count FROM limits WHERE bucket = ? AND expires_at > ?",
      arguments: [Secret.digest(what), now.milliseconds])
    return (count ?? 0) < most
  }
}

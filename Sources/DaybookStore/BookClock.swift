public import Daybook
import Foundation
public import Journal

/// What a book takes from outside when it records: the time, fresh keys, and the salts of its
/// segments.
public struct BookClock: Sendable {
  /// The time now.
  public var now: @Sendable () -> Instant
  /// Generates a key that nothing has yet.
  public var freshKey: @Sendable () -> Key
  /// The source of salts. The commitments that outlive erased personal fields depend on them, so
  /// nobody may be able to guess them.
  public var salts: SaltSource

  /// Makes a clock. Tests give their own time, and keys and salts where these must be reproducible.
  public init(
    now: @escaping @Sendable () -> Instant, freshKey: @escaping @Sendable () -> Key = { Key() },
    salts: SaltSource = .system
  ) {
    self.now = now
    self.freshKey = freshKey
    self.salts = salts
  }

  /// The machine's time, and random UUIDs.
  public static let system = BookClock { .ofMachine }
}

extension Instant {
  /// The machine's time, made without a `Date` because every entry asks for it.
  fileprivate static var ofMachine: Instant {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Instant(Date()) }
    return Instant(clamping: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

extension BookClock {
  /// The instant of an entry: the given one, or else the clock's, but never before the last entry.
  ///
  /// - Throws: ``Rejection/clockBackwards(given:last:)``.
  func instant(
    _ given: Instant?, after last: Instant, isFirst: Bool
  ) throws(Rejection) -> Instant {
    guard let given else { return max(now(), last) }
    guard given >= last || isFirst else { throw .clockBackwards(given: given, last: last) }
    return given
  }
}

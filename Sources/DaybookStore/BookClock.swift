public import Daybook
import Foundation
public import Journal

/// What a book takes from the world when it records: the time, fresh keys, and the salts of its segments.
public struct BookClock: Sendable {
  /// The time now.
  public var now: @Sendable () -> Instant
  /// A key that nothing has yet.
  public var freshKey: @Sendable () -> Key
  /// What stands for personal fields comes from these, once they are erased: nobody may guess them.
  public var salts: SaltSource

  /// Makes a clock; tests give their own time, and keys and salts when these are to be the same each time.
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
  /// The machine's time. Every entry asks for it, so that no `Date` is made of it first.
  fileprivate static var ofMachine: Instant {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Instant(Date()) }
    return Instant(clamping: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

extension BookClock {
  /// The instant of an entry: the one that is given, if any is, and never before the last entry.
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

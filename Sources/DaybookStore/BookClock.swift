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

  /// Makes a clock; tests give their own time, keys and salts.
  public init(
    now: @escaping @Sendable () -> Instant, freshKey: @escaping @Sendable () -> Key,
    salts: SaltSource = .system
  ) {
    self.now = now
    self.freshKey = freshKey
    self.salts = salts
  }

  /// The machine's time, and random UUIDs.
  public static let system = BookClock(
    now: { Instant(clamping: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) },
    freshKey: {
      var generator = SystemRandomNumberGenerator()
      let version: UInt64 = 0x4000
      let variant: UInt64 = 1 << 63
      return Key(
        high: generator.next() & ~0xF000 | version,
        low: generator.next() & ~(3 << 62) | variant)
    })
}

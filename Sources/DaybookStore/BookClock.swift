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
  public static let system = BookClock { Instant(Date()) }
}

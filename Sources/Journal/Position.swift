/// The place of an entry in a journal, counted from 1; 0 means "before everything".
public struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, from 1; 0 before everything.
  public let number: Int64

  /// Before the first entry.
  public static let start = Position(0)

  /// Makes a position; a negative number becomes 0.
  @inlinable
  public init(_ number: Int64) { self.number = number < 0 ? 0 : number }

  /// The position after this one.
  @inlinable
  public var next: Position { advanced(by: 1) }

  /// The position this many entries later.
  @inlinable
  public func advanced(by count: Int) -> Position { Position(number &+ Int64(count)) }

  /// Whether the left position is before the right one.
  @inlinable
  public static func < (left: Position, right: Position) -> Bool { left.number < right.number }

  /// The number.
  public var description: String { String(number) }
}

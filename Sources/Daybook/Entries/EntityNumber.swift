public import Values
public import Avro

/// A kind of entity that a book numbers: accounts, habits, goals.
public protocol Entity: Sendable {
  /// The kind's name in the schema, which an export uses to turn numbers into keys.
  static var entityName: StaticString { get }
  /// The client's name for it.
  var key: Key { get }
  /// The name that people see.
  var displayName: String { get }
  /// The owner; an account is its own owner.
  var ownedBy: Account.ID? { get }
  /// The household to which it belongs, if any: its members may act on it (MC-11).
  var home: Household.ID? { get }
  /// Whether it was deleted.
  var isDeleted: Bool { get }
}

/// The number of an entity in its book: the n-th habit that was created is number n for ever.
///
/// Events refer to entities by number: so they are small, and replay hashes nothing.
public struct EntityNumber<Kind: Entity>: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, from 1.
  @usableFromInline package let number: Int32

  /// Makes a number; it must be at least 1.
  @inlinable
  package init?(_ number: Int) {
    guard number >= 1, number <= Int(Int32.max) else { return nil }
    self.number = Int32(truncatingIfNeeded: number)
  }

  @inlinable
  init(unchecked number: Int32) { self.number = number }

  /// The first entity of the kind.
  @inlinable
  public static var first: Self { Self(unchecked: 1) }

  /// The value before any field is read.
  @inlinable
  static var placeholder: Self { first }

  /// The index in the table of all entities of the kind, from 0.
  @inlinable
  package var index: Int { Int(number) &- 1 }

  /// The entity at an index of the table, from 0.
  init(index: Int) { self.init(unchecked: Int32(clamping: index + 1)) }

  /// Compares numbers: earlier entities are less.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// The number.
  public var description: String { String(number) }
}

extension EntityNumber: AvroNumber {
  /// `int`, with the kind's name as logical type.
  @inlinable
  public static var kind: AvroNumberKind {
    .int(Kind.entityName, 1...Int64(Int32.max), "an entity's number")
  }
  /// The number in its written form.
  @inlinable
  public var avroNumber: Int64 { Int64(number) }
  /// The entity of a number that is in the range.
  @inlinable
  public init(avroNumber number: Int64) {
    self.init(unchecked: Int32(truncatingIfNeeded: number))
  }
}

public import Calendar
public import Avro

/// The part of a snapshot that is not an entity: the position of the state, and the numbers of entities.
public struct StateHead: AvroRecord, Hashable {
  /// The position of the last entry applied.
  public var position: Int64 = 0
  /// When it was recorded.
  public var at: Instant = .placeholder
  /// The number of entities of each kind, deleted ones too, in the order of the kinds.
  package var counts = EntityKind.allCases.map { _ in Int32(0) }

  public static var recordName: String { "State" }
  public static var placeholder: StateHead { StateHead() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("position", &position, [.doc("the last entry that it takes into account")])
    try visitor.visit("at", &at, [.doc("when that was recorded")])
    for kind in EntityKind.allCases {
      try visitor.visit(
        kind.type.countField, &counts[kind.index],
        [.doc("how many \(kind.type.plural) follow, by number")])
    }
  }
}

extension BookState {
  /// The head of the state's snapshot.
  public var head: StateHead {
    StateHead(
      position: position, at: at,
      counts: EntityKind.allCases.map { Int32(clamping: table(of: $0).count) })
  }

  /// The version of the state's meaning. It is raised when the effect of ``apply(_:)`` changes, or when days are packed
  /// in another way: older snapshots are then ignored and made anew. `StateVersionTests` fails when that was forgotten.
  public static let version: Int32 = 8
}

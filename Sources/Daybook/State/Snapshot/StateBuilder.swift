package import Avro

/// Rebuilds a state from its records (``StateRecords``).
///
/// Invalid records end in an error or in no state, never in a trap.
package struct StateBuilder: Sendable {
  private var head: StateHead?
  private var state = BookState()

  /// Expects the head.
  package init() {}

  /// Adds the next records.
  ///
  /// - Throws: ``AvroError`` when another record was expected.
  package mutating func append(_ piece: StatePiece) throws(AvroError) {
    if let head = piece.head { try begin(head) }
    for run in piece.runs { run.create(in: &state) }
  }

  private mutating func begin(_ head: StateHead) throws(AvroError) {
    guard self.head == nil else { throw .invalidLength }
    self.head = head
    state.position = head.position
    state.at = head.at
    // The reservation is bounded, as a head may announce entities that do not follow.
    for kind in EntityKind.allCases {
      kind.type.reserve(min(Int(head.counts[kind.index]), 1 << 18), in: &state)
    }
  }

  /// The state; nothing when its entities do not match the head.
  package consuming func finish() -> BookState? {
    guard head == state.head else { return nil }
    state.leaveOutDays()
    return state
  }
}

extension StoredEntity {
  fileprivate static func reserve(_ count: Int, in state: inout BookState) {
    state[keyPath: table].reserve(count)
  }
}

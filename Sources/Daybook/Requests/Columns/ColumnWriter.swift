package import Avro

/// Writes columns as the members of a JSON object.
package struct ColumnWriter: ColumnVisitor {
  package typealias Failure = Never

  /// The written members.
  package private(set) var members: [JSON.Member] = []
  private let state: BookState
  private let leavesOutNull: Bool
  /// The indices of the columns to write; nothing when all are written.
  private let places: Set<Int>?
  /// The index of the next column.
  private var place = 0

  /// Begins without members.
  ///
  /// - Parameters:
  ///   - state: The state in which entities' keys are looked up.
  ///   - leavesOutNull: Whether null is left out where it is not required, as in a command; a row has all columns.
  package init(in state: BookState, leavingOutNull leavesOutNull: Bool = false) {
    self.init(in: state, leavingOutNull: leavesOutNull, only: nil)
  }

  private init(in state: BookState, leavingOutNull leavesOutNull: Bool, only places: Set<Int>?) {
    self.state = state
    self.leavesOutNull = leavesOutNull
    self.places = places
  }

  /// Writes a column.
  package mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    guard isNextWritten() else { return }
    let notes = notes()
    let json = value.json(state)
    guard json != .null || !leavesOutNull || notes.contains(.needed) else { return }
    members.append(.init(notes.column(name), json))
  }

  /// Writes the columns of a codec.
  package mutating func columns<Codec: ColumnCodec>(_ codec: Codec, _ value: inout Codec.Value) {
    guard isNextWritten() else { return }
    let needed = leavesOutNull ? codec.columns.filter(\.isNeeded).map(\.name) : []
    members += codec.members(of: value, in: state).filter {
      $0.value != .null || !leavesOutNull || needed.contains($0.name)
    }
  }

  /// Writes only the columns that a patch sets; null, too, because it clears.
  package mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) {
    var content = patch.applied(to: .defaults)
    var writer = ColumnWriter(
      in: state, leavingOutNull: false, only: Set(patch.changes.map(\.place)))
    content.visitColumns(&writer)
    members += writer.members
  }

  /// Whether the next column is written.
  private mutating func isNextWritten() -> Bool {
    defer { place += 1 }
    return places?.contains(place) ?? true
  }
}

public import Avro

/// Writes the columns of something as the members of a JSON object.
public struct ColumnWriter: ColumnVisitor {
  /// Nothing goes wrong.
  public typealias Failure = Never

  /// What was written.
  public private(set) var members: [JSON.Member] = []
  private let state: State
  private let leavesOutNull: Bool

  /// Begins with nothing.
  ///
  /// - Parameters:
  ///   - state: Tells which key an entity has.
  ///   - leavesOutNull: Whether null is not written where it need not be said, as in a command; a row has all columns.
  public init(in state: State, leavingOutNull leavesOutNull: Bool = false) {
    self.state = state
    self.leavesOutNull = leavesOutNull
  }

  /// Writes a column.
  public mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    let notes = notes()
    let json = value.json(state)
    guard json != .null || !leavesOutNull || notes.contains(.needed) else { return }
    members.append(.init(notes.column(name), json))
  }

  /// Writes the columns of a codec.
  public mutating func columns<Codec: ColumnCodec>(_ codec: Codec, _ value: inout Codec.Value) {
    let needed = leavesOutNull ? codec.columns.filter(\.isNeeded).map(\.name) : []
    members += codec.members(of: value, in: state).filter {
      $0.value != .null || !leavesOutNull || needed.contains($0.name)
    }
  }

  /// Writes what a patch changes, and nothing else.
  public mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) {
    var content = Content.defaults
    var writer = ChangeWriter(changes: patch.changes[...], state: state)
    content.visitColumns(&writer)
    members += writer.members
  }
}

/// Writes those columns that a patch changes.
private struct ChangeWriter: ColumnVisitor {
  typealias Failure = Never

  var changes: ArraySlice<ColumnChange>
  let state: State
  var place = 0
  var members: [JSON.Member] = []

  private mutating func next<Value>() -> Value? {
    defer { place += 1 }
    guard let change = changes.first, change.place == place else { return nil }
    changes.removeFirst()
    return change.value as? Value
  }

  mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    guard let new: Value = next() else { return }
    members.append(.init(notes().column(name), new.json(state)))
  }

  mutating func columns<Codec: ColumnCodec>(_ codec: Codec, _ value: inout Codec.Value) {
    guard let new: Codec.Value = next() else { return }
    members += codec.members(of: new, in: state)
  }

  mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) {
    preconditionFailure("A patch holds none.")
  }
}

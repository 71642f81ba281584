import Avro

// The visitors of a content's columns that patches use. Contents are not nested in a patch: the columns are visited in
// one sequence, and counted.

/// Writes the values that a patch sets into a content.
struct PatchWriter: ColumnVisitor {
  typealias Failure = Never

  private var changes: ArraySlice<ColumnChange>
  private var place = 0

  init(changes: ArraySlice<ColumnChange>) { self.changes = changes }

  private mutating func put<Value>(_ value: inout Value) {
    defer { place += 1 }
    guard let next = changes.first, next.place == place else { return }
    changes.removeFirst()
    // This also matches a nil Optional.
    if let new = next.value as? Value { value = new }
  }

  mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) { put(&value) }

  mutating func columns<Codec: ColumnCodec>(_ codec: Codec, _ value: inout Codec.Value) {
    put(&value)
  }

  mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) {}
}

/// Fills the columns of a content with their examples, and remembers the values.
struct ColumnFiller: ColumnVisitor {
  typealias Failure = Never

  let isFirst: Bool
  private(set) var values: [any Sendable] = []

  init(isFirst: Bool) { self.isFirst = isFirst }

  mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    value = isFirst ? Value.examples.0 : Value.examples.1
    values.append(value)
  }

  mutating func columns<Codec: ColumnCodec>(_ codec: Codec, _ value: inout Codec.Value) {
    value = isFirst ? codec.examples.0 : codec.examples.1
    values.append(value)
  }

  mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) {}
}

/// Finds the columns of a content that have changed.
struct ChangeFinder: ColumnVisitor {
  typealias Failure = Never

  let before: [any Sendable]
  /// The changes that were found in another content, by index.
  let others: [Int: ColumnChange]
  private(set) var changes: [ColumnChange] = []
  private var place = 0

  init(before: [any Sendable], others: [Int: ColumnChange]) {
    self.before = before
    self.others = others
  }

  private mutating func compare<Value: Sendable>(
    _ value: Value, _ name: String, _ areEqual: (Value, Value) -> Bool
  ) {
    if place < before.count, let old = before[place] as? Value, !areEqual(old, value) {
      // The change is unwrapped first: otherwise a missing change would pass for an absent optional value.
      if let other = others[place], let set = other.value as? Value {
        precondition(areEqual(set, value), "A patch sets \(name) to something else each time.")
      }
      changes.append(ColumnChange(place: place, name: name, value: value))
    }
    place += 1
  }

  mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    compare(value, notes().column(name)) { $0.json(PlainNumbers()) == $1.json(PlainNumbers()) }
  }

  mutating func columns<Codec: ColumnCodec>(_ codec: Codec, _ value: inout Codec.Value) {
    compare(value, codec.columns[0].name, ==)
  }

  mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) {}
}

/// Distinguishes entities when there is no state that knows their keys.
private struct PlainNumbers: EntityKeys {
  func number(of key: JSON, in kind: StaticString) throws(JSONFault) -> Int32 { throw .form }
  func key(of number: Int32, in kind: StaticString) -> JSON { .number(number) }
}

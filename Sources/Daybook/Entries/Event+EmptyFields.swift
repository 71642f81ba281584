import Avro

/// A field that is empty though only an erasure leaves it so.
package enum EmptyField: Sendable {
  /// A name: a personal text that is not optional, and is not marked ``FieldNote/mayBeEmpty``.
  case name
  /// A field that is marked ``FieldNote/neverEmpty``.
  case other
}

extension Event {
  /// The first field of the event that is empty though only an erasure leaves it so; nothing when there is none.
  package var emptyField: EmptyField? { content.record.emptyField }
}

extension EventRecord {
  /// The first such field of the record, or of a record within it.
  var emptyField: EmptyField? {
    var (record, finder) = (self, EmptyFieldFinder())
    record.visitFields(&finder)
    return finder.found
  }
}

private struct EmptyFieldFinder: FieldVisitor {
  var found: EmptyField?

  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    guard found == nil else { return }
    let notes = notes()
    if notes.contains(.neverEmpty) {
      if value.encoded == Self.empty { found = .other }
    } else if Value.self == String.self {
      guard notes.contains(.personal), !notes.contains(.mayBeEmpty) else { return }
      if let text = value as? String, text.isBlank { found = .name }
    } else if var record = value as? any AvroRecord {
      record.visitFields(&self)
    } else if let records = value as? [any AvroRecord] {
      for var record in records { record.visitFields(&self) }
    }
  }

  /// The bytes of an empty text, of an empty list, and of null.
  private static let empty: [UInt8] = [0]
}

extension String {
  /// Whether it has no visible character.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

package import Values
package import Calendar
package import Avro

/// A value in a row that can write itself, without an intermediate JSON value.
package protocol RowValue: Sendable {
  /// Writes the value.
  func write(to json: inout JSONWriter)
}

extension Key: RowValue {
  /// A UUID.
  package func write(to json: inout JSONWriter) { json.plain(appendText) }
}

extension Day: RowValue {
  /// ISO 8601.
  package func write(to json: inout JSONWriter) { json.plain(appendText) }
}

extension Instant: RowValue {
  /// RFC 3339.
  package func write(to json: inout JSONWriter) { json.plain(appendText) }
}

extension LocalTime: RowValue {
  /// Hours and minutes.
  package func write(to json: inout JSONWriter) { json.plain(appendText) }
}

extension Amount: RowValue {
  /// A number as short as possible: whole when whole.
  package func write(to json: inout JSONWriter) { json.digits(appendText) }
}

extension String: RowValue {
  /// A string.
  package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: RowValue {
  /// `true` or `false`.
  package func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Int: RowValue {
  /// A whole number.
  package func write(to json: inout JSONWriter) { json.number(Int64(self)) }
}

extension Int64: RowValue {
  /// A whole number.
  package func write(to json: inout JSONWriter) { json.number(self) }
}

extension JSON: RowValue {
  /// Itself.
  package func write(to json: inout JSONWriter) { json.value(self) }
}

extension Optional: RowValue where Wrapped: RowValue {
  /// The value, or null.
  package func write(to json: inout JSONWriter) {
    if let self { self.write(to: &json) } else { json.null() }
  }
}

extension Array: RowValue where Element: RowValue {
  /// A list.
  package func write(to json: inout JSONWriter) {
    json.array { json in
      for element in self { element.write(to: &json) }
    }
  }
}

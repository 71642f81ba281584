package import Values
package import Calendar
package import Avro

// The members of rows: Daybook's own values as clients see them.
extension JSONWriter {
  /// A key, or null.
  package mutating func member(_ name: String, _ key: Key?) {
    self.name(name)
    key.write(to: &self)
  }

  /// ISO 8601, or null.
  package mutating func member(_ name: String, _ day: Day?) {
    self.name(name)
    day.write(to: &self)
  }

  /// RFC 3339, or null.
  package mutating func member(_ name: String, _ instant: Instant?) {
    self.name(name)
    instant.write(to: &self)
  }

  /// A number as short as possible: whole when whole; or null.
  package mutating func member(_ name: String, _ amount: Amount?) {
    self.name(name)
    amount.write(to: &self)
  }

  /// A text, or null.
  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    text.write(to: &self)
  }

  /// A whole number.
  package mutating func member(_ name: String, _ number: some FixedWidthInteger) {
    self.name(name)
    self.number(Int64(clamping: number))
  }

  /// A Boolean value.
  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  /// A share from 0 to 1 with six digits, or null.
  package mutating func member(_ name: String, share: Double?) {
    self.name(name)
    guard let share, share.isFinite else { return null() }
    digits { bytes in
      let millionths = UInt64((min(max(share, 0), 1) * 1_000_000).rounded())
      bytes.append(decimal: millionths / 1_000_000)
      guard millionths % 1_000_000 > 0 else { return }
      bytes.append(UInt8(ascii: "."))
      bytes.append(decimal: millionths % 1_000_000, width: 6)
      while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
  }

  /// An array with one element for each of a sequence, written by `body`.
  package mutating func member<Element>(
    _ name: String, _ elements: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    array { json in
      for element in elements { body(&json, element) }
    }
  }
}

extension JSON {
  /// A share from 0 to 1 with six digits, or null.
  static func share(_ share: Double?) -> JSON {
    JSON(written: { $0.object { $0.member("share", share: share) } })["share"] ?? .null
  }
}

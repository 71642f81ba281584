import Avro

/// Something that an import leaves out.
package struct Omission: Sendable, Hashable {
  /// A word for it: "categories".
  package var what: String
  /// How often it occurs.
  package var count: Int
}

extension [Omission] {
  /// Counts more of something.
  mutating func note(_ what: String, _ more: Int = 1) {
    guard more > 0 else { return }
    if let place = firstIndex(where: { $0.what == what }) {
      self[place].count += more
    } else {
      append(Omission(what: what, count: more))
    }
  }

  /// An array of objects with `what` and `count`.
  var json: JSON { .array(map { ["what": .string($0.what), "count": .number($0.count)] }) }
}

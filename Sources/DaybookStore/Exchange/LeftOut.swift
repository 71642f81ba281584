import Avro

/// Something that an import does not take over.
package struct LeftOut: Sendable, Hashable {
  /// What it is, in words: "categories".
  package var what: String
  /// How often it is there.
  package var count: Int
}

extension [LeftOut] {
  /// Counts one more of something.
  mutating func note(_ what: String, _ more: Int = 1) {
    guard more > 0 else { return }
    if let place = firstIndex(where: { $0.what == what }) {
      self[place].count += more
    } else {
      append(LeftOut(what: what, count: more))
    }
  }

  /// Objects of `what` and `count`.
  var json: JSON { .array(map { ["what": .string($0.what), "count": .number($0.count)] }) }
}

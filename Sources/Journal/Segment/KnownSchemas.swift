import Avro
import Synchronization

/// The schemas that segments were written with, each parsed once in a process: all segments of nearly all books have
/// one of two or three, of some thirty thousand letters each.
enum KnownSchemas {
  private struct Known {
    var text: String
    var schema: Schema
    var scanner: ValueScanner
    var aggregates: AggregateScanner
  }

  /// How many are kept: a book that was written by many versions has as many, and is read from its oldest on.
  static let capacity = 8
  private static let known = Mutex<[Known]>([])

  /// The schema that a text says, what passes over its values, and what tells what they are about.
  ///
  /// - Throws: `AvroError` for a text that says none. It is not kept.
  static func find(
    _ text: String
  ) throws(AvroError) -> (schema: Schema, scanner: ValueScanner, aggregates: AggregateScanner) {
    if let found = known.withLock({ $0.first { $0.text == text } }) {
      return (found.schema, found.scanner, found.aggregates)
    }
    // Parsed outside of the lock: whoever parses the same text meanwhile gets the same.
    let schema = try Schema(parsing: text)
    let scanner = try ValueScanner(schema)
    let aggregates = AggregateScanner(schema)
    known.withLock { known in
      guard !known.contains(where: { $0.text == text }) else { return }
      if known.count == capacity { known.removeFirst() }
      known.append(Known(text: text, schema: schema, scanner: scanner, aggregates: aggregates))
    }
    return (schema, scanner, aggregates)
  }

  /// How many are kept now.
  static var count: Int { known.withLock { $0.count } }
}

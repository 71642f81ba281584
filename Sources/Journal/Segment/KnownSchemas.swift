import Avro
import Synchronization

/// A cache of the schemas of segments, so that a process parses each once. All segments of nearly
/// all books have one of two or three schemas, of some thirty thousand characters each.
enum KnownSchemas {
  private struct Known {
    var text: String
    var schema: Schema
    var scanner: ValueScanner
    var aggregates: AggregateScanner
  }

  /// How many schemas are kept. A book written by many versions has as many, and is read from its
  /// oldest on.
  static let capacity = 8
  private static let known = Mutex<[Known]>([])

  /// Parses a schema, and makes its value scanner and its aggregate scanner.
  ///
  /// - Throws: `AvroError` for a text that is not a schema; it is not cached.
  static func find(
    _ text: String
  ) throws(AvroError) -> (schema: Schema, scanner: ValueScanner, aggregates: AggregateScanner) {
    if let found = known.withLock({ $0.first { $0.text == text } }) {
      return (found.schema, found.scanner, found.aggregates)
    }
    // Parsed outside the lock; whoever parses the same text meanwhile gets an equal result.
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

  /// How many schemas are cached now.
  static var count: Int { known.withLock { $0.count } }
}

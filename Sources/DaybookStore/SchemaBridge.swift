public import Avro
public import Daybook
public import Journal

/// Converts the entries of segments to the schema of this Daybook, so that one fast decoder reads
/// them all.
///
/// Segments of the same schema are read as they are. So are those of an older schema with the same
/// bytes, such as one that lacks types of events or symbols at the end. All others are resolved
/// block by block.
@usableFromInline
struct SchemaBridge {
  /// The schema of the segment before, as text; nearly always the next segment has the same.
  private var schemaText: String?
  /// How entries of that schema are resolved; `nil` when they are read as they are.
  private var resolution: SchemaResolution?
  /// The resolutions compiled so far, by the schema's text.
  private var resolutions: [String: SchemaResolution?] = [:]
  private var resolved: [UInt8] = []
  /// A schema other than this Daybook's, for tests.
  private let reader: Schema?

  @usableFromInline
  init() { reader = nil }

  init(to reader: Schema) { self.reader = reader }

  /// Calls `body` with the entries of a block as bytes of this Daybook's schema.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - text: The schema that its entries were written with, as JSON.
  ///   - body: Receives the bytes.
  /// - Returns: What `body` returns.
  /// - Throws: ``JournalError/unknownSchema(file:)`` when an entry is of a newer schema and has no place in
  ///   this one, ``JournalError/corrupt(_:)`` when the bytes are damaged or `body` says so.
  @usableFromInline
  mutating func read(
    _ block: borrowing Block, of text: String,
    _ body: (RawSpan) throws(AvroError) -> Bool
  ) throws(JournalError) -> Bool {
    do throws(AvroError) {
      if schemaText != text { try cross(to: text) }
      // From now on this is the segment's own string, which compares equal to itself without being
      // read.
      schemaText = text
      guard let resolution else { return try body(block.bytes) }
      try resolution.resolve(block.count, in: block.bytes, into: &resolved)
      return try body(resolved.span.bytes)
    } catch {
      switch error {
      case .schemaMismatch, .invalidSchema:
        throw .unknownSchema(
          file: block.place.file.split(separator: "/").last.map { String($0) } ?? "")
      default: throw block.corruption("its entries cannot be read (\(error))")
      }
    }
  }

  /// Applies the entries of a block to a projection; returns whether to continue.
  ///
  /// - Throws: as ``read(_:of:_:)`` does.
  @inlinable
  mutating func apply<P: Projection>(
    _ block: borrowing Block, of text: String, to projection: inout P, startingAt start: Int64,
    until last: Instant
  ) throws(JournalError) -> Bool {
    let (count, first) = (block.count, block.first.number)
    return try read(block, of: text) { bytes throws(AvroError) in
      try projection.applyEntries(count, in: bytes, from: first, startingAt: start, until: last)
    }
  }

  /// Switches to the schema of another segment.
  private mutating func cross(to text: String) throws(AvroError) {
    // Compared, not hashed: a schema has some thirty thousand characters, and is nearly always this
    // one.
    if reader == nil, text == BookReader.schemaText {
      resolution = nil
    } else if let known = resolutions[text] {
      resolution = known
    } else {
      let compiled = try SchemaResolution(from: Schema(parsing: text), to: reader ?? Entry.schema)
      resolution = compiled.changesNothing ? nil : compiled
      resolutions[text] = .some(resolution)
    }
  }
}

import Avro

/// One complete block of a log, decompressed.
public struct Block: ~Escapable {
  /// The position of the block's first entry.
  public let first: Position
  /// How many entries it holds.
  public let count: Int
  /// The entries, in Avro's binary encoding, one after another.
  public let bytes: RawSpan

  /// The segment's file, and the block's offset in it.
  package let place: (file: String, offset: Int)

  @_lifetime(copy bytes)
  init(first: Position, count: Int, bytes: RawSpan, place: (file: String, offset: Int)) {
    self.first = first
    self.count = count
    self.bytes = bytes
    self.place = place
  }

  /// Makes a block of a log that is not kept in segment files.
  ///
  /// - Parameters:
  ///   - first: The position of its first entry.
  ///   - count: How many entries it holds.
  ///   - bytes: The entries, in Avro's binary encoding, one after another.
  ///   - source: The block's source, for reports of damage.
  @_lifetime(copy bytes)
  public init(first: Position, count: Int, bytes: RawSpan, of source: String) {
    self.init(first: first, count: count, bytes: bytes, place: (source, 0))
  }

  /// Checks that the block holds as many entries as its count, for callers that do not read them.
  ///
  /// The count is the only number in a block that no checksum covers.
  func checkCount(_ scanner: ValueScanner) throws(JournalError) {
    var reader = BinaryReader(bytes)
    do throws(AvroError) {
      for _ in 0..<count { try scanner.scan(over: &reader) }
      guard reader.isAtEnd else { throw .trailingBytes }
    } catch {
      throw corruption("its entries cannot be read (\(error))")
    }
  }

  /// The damage of a block with a right checksum and wrong entries.
  package func corruption(_ reason: String) -> JournalError {
    .corrupt(
      .init(
        file: place.file, offset: place.offset, after: Position(first.number - 1), reason: reason))
  }
}

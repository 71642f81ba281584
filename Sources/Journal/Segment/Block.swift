import Avro

/// One whole block of a log: of a segment, decompressed.
public struct Block: ~Escapable {
  /// The position of the block's first entry.
  public let first: Position
  /// How many entries it holds.
  public let count: Int
  /// The entries, in Avro's binary encoding, one after another.
  public let bytes: RawSpan

  /// The segment's file, and where the block begins in it, in bytes from 0.
  package let place: (file: String, offset: Int)

  @_lifetime(copy bytes)
  init(first: Position, count: Int, bytes: RawSpan, place: (file: String, offset: Int)) {
    self.first = first
    self.count = count
    self.bytes = bytes
    self.place = place
  }

  /// Makes a block of a log that is kept elsewhere than in segment files.
  ///
  /// - Parameters:
  ///   - first: The position of its first entry.
  ///   - count: How many entries it holds.
  ///   - bytes: The entries, in Avro's binary encoding, one after another.
  ///   - source: What it is a block of, for the report of damage.
  @_lifetime(copy bytes)
  public init(first: Position, count: Int, bytes: RawSpan, of source: String) {
    self.init(first: first, count: count, bytes: bytes, place: (source, 0))
  }

  /// Sees to it that the block holds as many entries as it says, for whoever does not read them.
  ///
  /// A block's count is the one number in it that no checksum guards.
  func checkCount(_ scanner: ValueScanner) throws(JournalError) {
    var reader = BinaryReader(bytes)
    do throws(AvroError) {
      for _ in 0..<count { try scanner.pass(over: &reader) }
      guard reader.isAtEnd else { throw .trailingBytes }
    } catch {
      throw corruption("its entries cannot be read (\(error))")
    }
  }

  /// The damage of a block whose checksum is right and whose entries are not.
  package func corruption(_ reason: String) -> JournalError {
    .corrupt(
      .init(
        file: place.file, offset: place.offset, after: Position(first.number - 1), reason: reason))
  }
}

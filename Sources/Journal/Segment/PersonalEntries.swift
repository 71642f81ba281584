import Avro
import Crypto

/// Tells which entries of blocks contain personal data, using the blocks' own schemas.
package struct PersonalScanners {
  private var scanners = ScannerCache()

  /// Starts without any schema.
  package init() {}

  /// The positions of a block's entries with a personal field that is not blank, ascending.
  ///
  /// - Throws: ``JournalError/corrupt(_:)``.
  package mutating func personalPositions(
    in block: borrowing Block, of header: SegmentHeader
  ) throws(JournalError) -> [Position] {
    let scanner = try scanners.scanner(of: header, block)
    return try PersonalEntries(of: block, scanner).entries.map {
      block.first.advanced(by: $0.index)
    }
  }
}

/// The entries of a block with personal data: those with a personal field that is not blank.
struct PersonalEntries {
  /// An entry with personal data.
  struct Entry {
    /// Its index in the block.
    var index: Int
    /// Its personal fields, blank or not, as a range of ``PersonalEntries/fields``.
    var fields: Range<Int>
  }

  private(set) var entries: [Entry] = []
  /// The personal fields of these entries; their offsets count from the start of the block's bytes.
  private(set) var fields: [ValueScanner.Personal] = []
  /// Where each entry of the block ends.
  private(set) var ends: [Int] = []

  /// Starts without entries.
  init() {}

  /// Finds the entries of a block.
  ///
  /// - Throws: ``JournalError/corrupt(_:)`` when the block does not hold as many entries as its
  ///   count.
  init(of block: borrowing Block, _ scanner: ValueScanner) throws(JournalError) {
    var reader = BinaryReader(block.bytes)
    do throws(AvroError) {
      for _ in 0..<block.count { try scan(over: &reader, scanner) }
      guard reader.isAtEnd else { throw .trailingBytes }
    } catch {
      throw block.corruption("its entries cannot be read (\(error))")
    }
  }

  /// Skips the next entry of the block.
  ///
  /// - Throws: ``AvroError`` when the bytes are no entry.
  @_lifetime(reader: copy reader)
  mutating func scan(
    over reader: inout BinaryReader, _ scanner: ValueScanner
  ) throws(AvroError) {
    let known = fields.count
    try scanner.scan(over: &reader, personal: &fields)
    if fields[known...].allSatisfy(\.isBlank) {
      fields.removeLast(fields.count - known)
    } else {
      entries.append(Entry(index: ends.count, fields: known..<fields.count))
    }
    ends.append(reader.offset)
  }

  /// Forgets the block.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// The commitment to the personal fields of an entry; without the salt it reveals nothing about
  /// them.
  func commitment(
    to entry: Entry, at position: Position, in bytes: RawSpan, _ salt: Digest
  ) -> Digest {
    var hash = SHA256()
    hash.update(salt.bytes)
    hash.update(position.number)
    for field in fields[entry.fields] {
      hash.update(Int64(field.range.count))
      hash.update(bytes.extracting(field.range))
    }
    return Digest(hash.finalize())
  }
}

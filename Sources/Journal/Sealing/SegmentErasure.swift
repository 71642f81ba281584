import Avro

/// An erasure of entries in a sealed segment of format 2 or later: the new header, and the entries.
struct SegmentErasure {
  /// The header of the new file: it gives the salts that are still needed, and none of the erased
  /// entries'.
  let header: SegmentHeader
  /// The segment's seal, which an erasure does not change.
  let seal: SegmentHeader.Seal
  /// The entries to blank.
  let positions: Set<Position>
  /// Blanks the entries.
  let eraser: PersonalEraser

  /// Examines a segment; fails when it is not sealed, or all of the entries are already blank.
  ///
  /// - Throws: ``JournalError/corrupt(_:)`` also when the segment differs from what was sealed:
  ///   commitments to erased data must not hide damage.
  init?(
    of segment: SegmentName, _ wanted: Set<Position>, in journal: Journal,
    _ scanners: inout ScannerCache
  ) throws(JournalError) {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    var reader = try SegmentReader(name: segment, of: journal, decompressor: decompressor)
    let old = reader.header
    guard let seal = old.seal, old.format > 1 else { return nil }
    let scanner = try scanners.scanner(of: reader)
    let sealed = try scanners.digest(ofClosed: segment, in: journal)
    guard sealed.entries.value == seal.entries, var salts = old.salts, var erased = old.erased
    else {
      throw Self.corruption("its entries are not those that were sealed", reader.path, old)
    }
    var needed: [Int] = []
    var added: Set<Position> = []
    while case .block(let count, let byteCount) = try reader.stepOfClosed() {
      let block = reader.block(count: count, byteCount: byteCount)
      let personal = try PersonalEntries(of: block, scanner)
      for entry in personal.entries {
        let position = block.first.advanced(by: entry.index)
        let ordinal = Int(position.number - old.first.number)
        guard wanted.contains(position) else {
          needed.append(ordinal)
          continue
        }
        guard let salt = salts.salt(at: ordinal) else { continue }
        let commitment = personal.commitment(to: entry, at: position, in: block.bytes, salt)
        erased.append(ErasedEntry(position: position, commitment: commitment))
        added.insert(position)
      }
    }
    guard !added.isEmpty else { return nil }
    erased.sort { $0.position < $1.position }
    let gone = erased.map { Int($0.position.number - old.first.number) }
    guard let left = salts.leading(to: needed, without: gone) else {
      throw Self.corruption("an entry has no salt", reader.path, old)
    }
    positions = added
    self.seal = seal
    header = old.erasing(erased, leaving: left)
    do throws(AvroError) {
      eraser = try PersonalEraser(KnownSchemas.find(old.schemaText).schema)
    } catch {
      throw Self.corruption("its schema cannot be read (\(error))", reader.path, old)
    }
  }

  private static func corruption(
    _ reason: String, _ file: String, _ header: SegmentHeader
  ) -> JournalError {
    .corrupt(
      .init(file: file, offset: 0, after: Position(header.first.number - 1), reason: reason))
  }
}

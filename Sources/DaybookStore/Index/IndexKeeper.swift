import Avro
import Daybook
import Journal

/// Writes indexes that are missing, stale or damaged.
struct IndexKeeper: Sendable {
  let journal: Journal

  /// Builds what is missing.
  ///
  /// - Parameters:
  ///   - isThorough: Whether each index is read; otherwise only its existence is checked, and that
  ///     the last one fits.
  ///   - outlines: The outlines of segments that were sealed just now.
  /// - Returns: The segments that were indexed.
  /// - Throws: ``JournalError``.
  func update(
    isThorough: Bool, _ outlines: [SegmentName: MapOutline] = [:]
  ) throws(JournalError) -> [SegmentName] {
    let sealed = try journal.segmentsBySeal().sealed
    if !isThorough {
      guard try needsUpdate(sealed) else { return [] }
    }
    var counts = AggregateReader()
    var built: [SegmentName] = []
    for name in sealed {
      let header = try journal.header(of: name)
      let index = SegmentIndex(of: header, after: counts, in: journal)
      let hasMap = if let index, isThorough { try self.hasMap(index, header) } else { true }
      if let index, hasMap {
        counts = index.countsAfter
      } else {
        counts = try build(name, header, after: counts, outlines[name])
        built.append(name)
      }
    }
    return built
  }

  /// Rebuilds the indexes of some segments.
  ///
  /// - Throws: ``JournalError``.
  func rebuild(_ names: [SegmentName]) throws(JournalError) {
    var counts = AggregateReader()
    for name in try journal.segmentsBySeal().sealed {
      let header = try journal.header(of: name)
      let index = SegmentIndex(of: header, after: counts, in: journal)
      if let index, !names.contains(name) {
        counts = index.countsAfter
      } else {
        counts = try build(name, header, after: counts, nil)
      }
    }
  }

  /// Whether an index has the outline of its segment's map; true for a segment without a map.
  private func hasMap(
    _ index: SegmentIndex, _ header: SegmentHeader
  ) throws(JournalError) -> Bool {
    guard header.format > 2 else { return true }
    return index.outline(journal.storage, try decompressor())?.leads(to: header) ?? false
  }

  /// The outline of a segment's map: the one already known, the one in an index from before an
  /// erasure, or one made from the segment.
  private func outline(
    of name: SegmentName, _ header: SegmentHeader, _ known: MapOutline?
  ) throws(JournalError) -> MapOutline? {
    guard header.format > 2 else { return nil }
    if let known, known.leads(to: header) { return known }
    let path = IndexFile.path(of: name, in: journal)
    let old = SegmentIndex.outline(in: path, journal.storage, try decompressor())
    if let old, old.leads(to: header) { return old }
    return try journal.outline(of: name)
  }

  private func decompressor() throws(JournalError) -> ZstandardDecompressor {
    do throws(AvroError) { return try ZstandardDecompressor() } catch {
      throw .poisoned(reason: error.description)
    }
  }

  private func needsUpdate(_ sealed: [SegmentName]) throws(JournalError) -> Bool {
    guard let last = sealed.last else { return false }
    let files = try onDisk { () throws(StorageError) in
      Set(try journal.storage.names(in: journal.segmentDirectory) ?? [])
    }
    let expected = sealed.map { $0.fileName.dropLast(5) + ".index" }
    guard files.isSuperset(of: expected.map(String.init)) else { return true }
    return try !SegmentIndex.fits(journal.header(of: last), in: journal)
  }

  private func build(
    _ name: SegmentName, _ header: SegmentHeader, after counts: AggregateReader,
    _ known: MapOutline?
  ) throws(JournalError) -> AggregateReader {
    var bridge = SchemaBridge()
    var builder = IndexBuilder(header, after: counts)
    try journal.readBlocks(of: name) { header, block throws(JournalError) in
      let (count, offset) = (block.count, block.place.offset)
      return try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        try builder.append(count, bytes, at: offset)
        return true
      }
    }
    let outline = try outline(of: name, header, known)
    let made: (file: [UInt8], counts: AggregateReader)
    do throws(AvroError) { made = try builder.finish(outline) } catch {
      throw .poisoned(reason: error.description)
    }
    let path = IndexFile.path(of: name, in: journal)
    try onDisk { () throws(StorageError) in
      try journal.storage.replace(path, with: made.file)
    }
    return made.counts
  }
}

extension BookReader {
  /// Rebuilds the indexes of some segments because they do not match the segments' entries.
  ///
  /// - Parameter names: The segments.
  /// - Throws: ``JournalError/locked(path:holder:)`` when somebody is writing to the book, or
  ///   another ``JournalError``.
  package func remakeIndexes(of names: [SegmentName]) throws(JournalError) {
    let lock = try JournalWriter.takeLock(of: journal)
    defer { withExtendedLifetime(lock) {} }
    try IndexKeeper(journal: journal).rebuild(names)
  }
}

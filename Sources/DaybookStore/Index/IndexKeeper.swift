import Avro
import Daybook
import Journal

/// Writes the indexes that are absent, stale or damaged.
struct IndexKeeper: Sendable {
  let journal: Journal

  /// Builds what is missing.
  ///
  /// - Parameter isThorough: Whether each index is looked into; else only whether it is there, and whether
  ///   the last one fits.
  /// - Returns: The segments that were indexed.
  /// - Throws: ``JournalError``.
  func update(isThorough: Bool) throws(JournalError) -> [SegmentName] {
    let sealed = try sealedSegments()
    if !isThorough {
      guard try needsUpdate(sealed) else { return [] }
    }
    var counts = AggregateReader()
    var built: [SegmentName] = []
    for name in sealed {
      let header = try journal.header(of: name)
      if let index = SegmentIndex(of: header, after: counts, in: journal) {
        counts = index.countsAfter
      } else {
        counts = try build(name, header, after: counts)
        built.append(name)
      }
    }
    return built
  }

  /// The sealed segments: the first ones.
  private func sealedSegments() throws(JournalError) -> [SegmentName] {
    var segments = try journal.segments()
    while let last = segments.last, try journal.header(of: last).seal == nil {
      segments.removeLast()
    }
    return segments
  }

  private func needsUpdate(_ sealed: [SegmentName]) throws(JournalError) -> Bool {
    guard let last = sealed.last else { return false }
    let names: [String]
    do throws(StorageError) {
      names = try journal.storage.names(in: journal.directory + "/journal") ?? []
    } catch { throw .storage(error) }
    let files = Set(names)
    let expected = sealed.map { $0.fileName.dropLast(5) + ".index" }
    guard files.isSuperset(of: expected.map(String.init)) else { return true }
    return try !SegmentIndex.fits(journal.header(of: last), in: journal)
  }

  private func build(
    _ name: SegmentName, _ header: SegmentHeader, after counts: AggregateReader
  ) throws(JournalError) -> AggregateReader {
    var bridge = SchemaBridge()
    var builder = IndexBuilder(header, after: counts)
    try journal.readBlocks(of: name) { header, block throws(JournalError) in
      let (count, offset) = (block.count, block.place.offset)
      return try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        try builder.take(count, bytes, at: offset)
        return true
      }
    }
    let made: (file: [UInt8], counts: AggregateReader)
    do throws(AvroError) { made = try builder.finish() } catch {
      throw .poisoned(reason: error.description)
    }
    let path = IndexFile.path(of: name, in: journal)
    do throws(StorageError) {
      let file = try journal.storage.open(path + ".new", .create)
      try file.write(made.file, at: 0)
      try file.synchronize()
      try journal.storage.rename(path + ".new", to: path)
    } catch {
      try? journal.storage.remove(path + ".new")
      throw .storage(error)
    }
    return made.counts
  }
}

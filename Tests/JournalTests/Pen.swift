import Avro

@testable import Journal

/// An adversary with write access: rewrites sealed segments of diaries consistently.
enum Pen {
  /// Changes the entries of a segment, with a new seal or the old one.
  static func rewrite(
    _ name: SegmentName, of journal: Journal, sealing: Bool = true,
    _ change: (inout Diary, Position) -> Void
  ) throws {
    let header = try journal.header(of: name)
    var bytes: [UInt8] = []
    var count = 0
    try journal.readBlocks(of: name) { _, block throws(JournalError) in
      var reader = BinaryReader(block.bytes)
      for index in 0..<block.count {
        guard var entry = try? Diary(from: &reader) else { throw block.corruption("no diary") }
        change(&entry, block.first.advanced(by: index))
        bytes += entry.encoded
        count += 1
      }
      return true
    }
    try put(header, count, bytes, at: name, of: journal, sealing: sealing)
  }

  /// Changes the salts and erased entries in a sealed segment's header, and seals it again.
  static func reheader(
    _ name: SegmentName, of journal: Journal,
    _ change: (inout SaltTree, inout [ErasedEntry]) -> Void
  ) throws {
    let old = try journal.header(of: name)
    guard var salts = old.salts, var erased = old.erased else { return }
    change(&salts, &erased)
    let header = old.erasing(erased.sorted { $0.position < $1.position }, leaving: salts)
    var bytes: [UInt8] = []
    var count = 0
    try journal.readBlocks(of: name) { _, block in
      bytes += block.bytes.withUnsafeBytes { [UInt8]($0) }
      count += block.count
      return true
    }
    try put(header, count, bytes, at: name, of: journal, sealing: false)
  }

  private static func put(
    _ old: SegmentHeader, _ count: Int, _ bytes: [UInt8], at name: SegmentName,
    of journal: Journal, sealing: Bool
  ) throws {
    var header = old
    if sealing, let seal = old.seal {
      var digest = EntriesDigest(of: old)
      var personal = PersonalEntries()
      var reader = BinaryReader(bytes.span.bytes)
      let scanner = try ValueScanner(Schema(parsing: old.schemaText))
      for _ in 0..<count { try personal.scan(over: &reader, scanner) }
      digest.update(count, in: bytes.span.bytes, from: name.first, personal)
      header = old.sealed(
        .init(
          last: seal.last, entries: digest.value, previous: seal.previous, created: digest.created))
    }
    let path = journal.path(of: name)
    try journal.storage.remove(path)
    try journal.overwrite(
      path,
      with: header.container.encoded
        + ContainerBlock.encode(
          count: count, payload: try ZstandardCompressor().compress(bytes),
          syncMarker: header.marker))
  }
}

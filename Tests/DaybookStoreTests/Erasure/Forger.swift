import Avro
import Daybook
import Testing

@testable import DaybookStore
@testable import Journal

/// An adversary with write access: makes a book with other entries, and makes everything else consistent with
/// Daybook's own writer: frames, checksums, digests, chain, and the headers' salts and erasures.
struct Forger {
  /// A segment: its header, and its entries.
  struct Part {
    var schemaText: String
    var book: String
    var first: Position
    var salts: SaltTree?
    var erased: [ErasedEntry]
    var blind: Digest?
    var entries: [[UInt8]]
    var isSealed: Bool
  }

  var parts: [Part] = []

  /// Takes a book apart.
  init(_ journal: Journal) throws {
    var scanners: [String: ValueScanner] = [:]
    for name in try journal.segments() {
      let header = try journal.header(of: name)
      var part = Part(
        schemaText: header.schemaText, book: header.book, first: name.first, salts: header.salts,
        erased: header.erased ?? [], blind: header.blind, entries: [], isSealed: header.seal != nil)
      let scanner =
        try scanners[header.schemaText] ?? ValueScanner(Schema(parsing: header.schemaText))
      scanners[header.schemaText] = scanner
      try journal.readBlocks(of: name) { _, block throws(JournalError) in
        var reader = BinaryReader(block.bytes)
        do throws(AvroError) {
          for _ in 0..<block.count {
            let start = reader.offset
            try scanner.scan(over: &reader)
            part.entries.append(
              block.bytes.extracting(start..<reader.offset).withUnsafeBytes { [UInt8]($0) })
          }
        } catch { throw block.corruption("\(error)") }
        return true
      }
      parts.append(part)
    }
  }

  /// The place of an entry.
  func place(of position: Int64) -> (part: Int, entry: Int)? {
    for (index, part) in parts.enumerated() {
      let entry = Int(position - part.first.number)
      if part.entries.indices.contains(entry) { return (index, entry) }
    }
    return nil
  }

  /// Makes a book of the parts, with the same segments sealed; in format 1 if requested.
  func book(inOldFormat: Bool = false, sealing: Bool = true) throws -> BookReader {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.storage.createDirectory("book/journal")
    for part in parts {
      let header =
        if let salts = part.salts, !inOldFormat {
          SegmentHeader(
            book: part.book, first: part.first, schemaText: part.schemaText, salts: salts,
            erased: part.erased, blind: part.blind)
        } else {
          SegmentHeader(book: part.book, first: part.first, schemaText: part.schemaText)
        }
      var bytes = header.container.encoded
      if !part.entries.isEmpty {
        bytes += ContainerBlock.encode(
          count: part.entries.count,
          payload: try ZstandardCompressor().compress(part.entries.flatMap(\.self)),
          syncMarker: header.marker)
      }
      try journal.storage.open(journal.path(of: SegmentName(first: part.first)), .create)
        .write(bytes, at: 0)
    }
    if sealing, parts.count > 1, let last = parts.last(where: \.isSealed) {
      let active = SegmentName(first: last.first.advanced(by: last.entries.count))
      var sealer = SegmentSealer(
        journal, lock: try JournalWriter.takeLock(of: journal), blockByteCount: 4096, level: 1)
      while try sealer.sealNext(before: active) != nil {}
    }
    return BookReader(at: "book", storage: journal.storage)
  }

  /// Appends an event.
  mutating func append(_ event: Event, by actor: Account.ID, at: Instant) {
    parts[parts.count - 1].entries.append(
      Entry(EntryHead(position: 0, at: at, actor: actor, key: nil), event).encoded)
  }
}

extension BookReader {
  /// Whether a verification against earlier heads finds nothing changed.
  func passes(_ heads: [Head]) -> Bool {
    guard let found = try? verify(expecting: heads).journal else { return false }
    return found.isWhole && found.proofs.values.allSatisfy { $0 == .contained }
  }
}

import Avro
import Testing

@testable import Journal

/// A golden book in memory, one of whose files is damaged and repaired again.
struct Patient {
  /// The outcome of damage.
  enum Outcome: Hashable {
    /// The same entries are read.
    case harmless
    /// The entries before the missing end are read, as if there had never been others.
    case earlier
    /// The last block is reported as torn; the next writer cuts it off, and saves its bytes.
    case torn
    /// Reading fails and states where; nothing is written to the book.
    case corrupt
    /// Like `corrupt`, but only when the entries are decoded: the blocks themselves look whole.
    case miscounted
    /// Like `corrupt`, but mistaken for damage by a newer Daybook.
    case newerFormat
    /// Anything else, which must not occur.
    case wrong
  }

  let journal = Journal(directory: "book", storage: MemoryStorage())
  /// The entries of the book, and of each file's blocks.
  let notes: [Note]
  private let blocks: [[[Note]]]
  private let layouts: [SegmentLayout]
  private let files: [any StorageFile]
  private let names: [SegmentName]
  /// The file that is damaged.
  var number = 0

  /// Lays out a directory of segments under `Fixtures`.
  init(_ fixture: String) throws {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let directory = parts.joined(separator: "/") + "/Fixtures/" + fixture
    let disk = Journal(directory: directory)
    names = try #require(try disk.storage.names(in: directory)).compactMap(
      SegmentName.init(fileName:))
    try journal.storage.createDirectory("book/journal")
    layouts = try names.map {
      try SegmentLayout(disk.bytes(of: "\(directory)/\($0.fileName)"))
    }
    files = try zip(names, layouts).map { [journal] name, layout in
      try journal.overwrite(journal.path(of: name), with: layout.bytes)
      return try journal.storage.open(journal.path(of: name), .readWrite)
    }
    var blocks = names.map { _ in [] as [[Note]] }
    try journal.readBlocks { [names] header, block throws(JournalError) in
      let number = names.lastIndex { $0.first <= block.first } ?? 0
      blocks[number].append(try Note.notes(in: block))
      return true
    }
    self.blocks = blocks
    notes = blocks.joined().flatMap(\.self)
  }

  /// The file that is damaged.
  var layout: SegmentLayout { layouts[number] }
  var path: String { journal.path(of: names[number]) }
  /// Whether it is the active segment.
  var isActive: Bool { number == layouts.count - 1 }

  /// The position of the first entry of one of its blocks; after its last block, of the next file.
  func first(of block: Int) -> Position {
    names[number].first.advanced(by: blocks[number][..<block].joined().count)
  }

  /// The outcome of a flipped bit.
  func outcome(flipping bit: Int) throws -> Outcome {
    let block = layout.parts.first { $0.range.contains(bit / 8) }?.part.block
    return try withFlipped(bit) { try outcome(in: block, isWhole: true) }
  }

  func withFlipped<Result>(_ bit: Int, _ body: () throws -> Result) throws -> Result {
    let byte = layout.bytes[bit / 8]
    try files[number].write([byte ^ 1 << UInt8(bit % 8)], at: bit / 8)
    defer { try? files[number].write([byte], at: bit / 8) }
    return try body()
  }

  /// The outcome of a missing end.
  func outcome(cuttingTo byteCount: Int) throws -> Outcome {
    try withCut(to: byteCount) {
      let block = byteCount < layout.headerByteCount ? nil : layout.wholeBlockCount(in: byteCount)
      return try outcome(in: block, isWhole: false)
    }
  }

  func withCut<Result>(to byteCount: Int, _ body: () throws -> Result) throws -> Result {
    try files[number].truncate(to: byteCount)
    defer { try? files[number].write(layout.bytes, at: 0) }
    return try body()
  }

  /// The outcome of damage to a block, or to the header when no block is given; missing blocks are reported, too.
  private func outcome(in block: Int?, isWhole: Bool) throws -> Outcome {
    let damaged = try journal.bytes(of: path)
    do throws(JournalError) {
      let (commits, end) = try journal.read()
      let found = commits.flatMap(\.self)
      if let torn = end.torn {
        guard isActive, let block, torn.file == path, found == notes(before: block),
          torn.offset == layout.start(of: block), torn.offset + torn.byteCount == damaged.count
        else { return .wrong }
        return try isCut(torn, of: damaged) ? .torn : .wrong
      }
      if found == notes { return .harmless }
      guard !isWhole, isActive, let block, found == notes(before: block) else { return .wrong }
      return .earlier
    } catch {
      guard try failure({ _ = try journal.open() }) == error.name,
        try journal.bytes(of: path) == damaged
      else { return .wrong }
      switch error {
      case .newerFormat where block == nil: return .newerFormat
      case .corrupt(let corruption):
        // The next segment shows that whole blocks are missing at the end of a segment without a seal.
        let isGap = !isWhole && !isActive && corruption.file == journal.path(of: names[number + 1])
        guard isGap || corruption.file == path,
          corruption.offset == (isGap ? 0 : block.map(layout.start) ?? 0),
          corruption.after.next == first(of: block ?? 0)
        else { return .wrong }
        return (try? journal.readBlocks { _, _ in true }) == nil ? .corrupt : .miscounted
      default: return .wrong
      }
    }
  }

  private func notes(before block: Int) -> [Note] {
    Array(notes[..<Int(first(of: block).number - 1)])
  }

  /// Whether a writer cuts off only the torn tail, and saves it; the file is restored afterwards.
  private func isCut(_ torn: TornTail, of damaged: [UInt8]) throws(JournalError) -> Bool {
    do {
      let kept = "\(path).torn-\(torn.offset)"
      let recovered = try journal.open().writer.recovered
      let isRight =
        try recovered == torn && journal.bytes(of: kept) == Array(damaged[torn.offset...])
        && journal.bytes(of: path) == Array(layout.bytes[..<torn.offset])
      try journal.storage.remove(kept)
      try files[number].write(Array(damaged[torn.offset...]), at: torn.offset)
      return isRight
    } catch let error as JournalError {
      throw error
    } catch {
      return false
    }
  }
}

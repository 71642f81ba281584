import Avro
import Fuzzing
import Journal

/// Segments of any content: reading gives whole blocks in order, a writer cuts off nothing whole, and a corrupt
/// journal is not changed.
@c(LLVMFuzzerTestOneInput)
public func fuzzJournal(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let disk = Disk(Input(start, count: count))
  let before = disk.files
  let read = Reading(disk.journal)
  hold(disk.files == before, "reading changes nothing")
  hold(Reading(disk.journal) == read, "reading again gives the same")
  checkSuffixes(of: read, disk.journal)
  checkVerified(disk.journal, read)
  switch read.end {
  case .failure: checkRefusal(disk, before)
  case .success(let torn): checkWriting(disk, before, read, torn: torn)
  }
  return 0
}

/// The result of reading a journal.
struct Reading: Equatable {
  struct Block: Equatable {
    var first: Int64
    var entries: [[UInt8]]
    var end: Int64 { first + Int64(entries.count) }
  }

  struct Refusal: Error, Equatable { var reason: String }

  var blocks: [Block] = []
  var end: Result<TornTail?, Refusal>

  init(_ journal: Journal, from start: Int64 = 0) {
    var blocks: [Block] = []
    do throws(JournalError) {
      let end = try journal.readBlocks(from: Position(start)) {
        header, block throws(JournalError) in
        let entries = try Decoder.entries(in: block, header)
        blocks.append(Block(first: block.first.number, entries: entries))
        return true
      }
      if start == 0 {
        hold(
          end.head.number == blocks.last.map { $0.end - 1 } ?? 0,
          "the head is the last block's end")
      }
      self.end = .success(end.torn)
    } catch {
      self.end = .failure(Refusal(reason: "\(error)"))
    }
    self.blocks = blocks
    for (block, following) in zip(blocks, blocks.dropFirst()) {
      hold(block.end == following.first, "positions have no gap")
    }
    hold(blocks.allSatisfy { !$0.entries.isEmpty }, "no block is empty")
  }
}

/// Separates the entries of blocks by their segments' schemas.
private enum Decoder {
  /// The last one is kept between inputs; the fuzzer has one thread.
  nonisolated(unsafe) private static var scanner: (schemaText: String, scanner: ValueScanner)?

  /// The encoded entries of a block, which must hold exactly its count of them.
  static func entries(
    in block: borrowing Block, _ header: SegmentHeader
  ) throws(JournalError) -> [[UInt8]] {
    do throws(AvroError) {
      var found = scanner
      if found?.schemaText != header.schemaText {
        found = (header.schemaText, try ValueScanner(Schema(parsing: header.schemaText)))
        scanner = found
      }
      var reader = BinaryReader(block.bytes)
      var entries: [[UInt8]] = []
      for _ in 0..<block.count {
        let start = reader.offset
        try found?.scanner.scan(over: &reader)
        let entry = block.bytes.extracting(start..<reader.offset)
        entries.append(entry.withUnsafeBytes { Array($0) })
      }
      guard reader.isAtEnd else { throw .trailingBytes }
      return entries
    } catch {
      throw block.corruption("\(error)")
    }
  }
}

/// A reading from a position on gives the blocks that end there or later.
private func checkSuffixes(of read: Reading, _ journal: Journal) {
  guard case .success = read.end else { return }
  for start in read.blocks.prefix(3).flatMap({ [$0.first, $0.end] }) {
    let suffix = Reading(journal, from: start)
    let expected = read.blocks.filter { $0.end > start }
    hold(suffix.blocks == expected && suffix.end == read.end, "a reading from \(start)")
  }
}

/// A journal that verifies as whole is read whole; one that is read and does not verify has a wrong time, a file that
/// differs from the sealed one, or a schema whose entries have no time.
private func checkVerified(_ journal: Journal, _ read: Reading) {
  let found = succeed("any journal is verified") { try journal.verify() }
  let count = read.blocks.map(\.entries.count).reduce(0, +)
  switch read.end {
  case .failure(let refusal): hold(!found.isWhole, "verified as whole, and not read: \(refusal)")
  case .success(let torn):
    hold(found.torn == torn, "verifying finds the torn tail that reading does")
    guard found.isWhole else { return }
    hold(found.entryCount == Int64(count), "what is verified is what is read")
    hold(found.head?.position.number == Int64(count), "the head is of all that is read")
  }
}

/// Trying to write changes nothing in an unreadable journal.
private func checkRefusal(_ disk: Disk, _ before: [String: [UInt8]]) {
  do {
    _ = try open(disk.journal)
    hold(false, "a journal that cannot be read is not written to")
  } catch {
    hold(disk.files == before, "a refused journal stays as it is")
  }
}

/// A writer cuts off only the torn tail, keeps it, and continues; the sealed journal then has the same entries.
private func checkWriting(
  _ disk: Disk, _ before: [String: [UInt8]], _ read: Reading, torn: TornTail?
) {
  let (opened, lock) = succeed("a journal that can be read is written to") {
    try open(disk.journal)
  }
  hold(opened.recovered == torn, "the writer reports what the reader did")
  var expected = before
  if let torn, let name = torn.file.split(separator: "/").last.map(String.init) {
    let bytes = before[name] ?? []
    hold(torn.offset + torn.byteCount == bytes.count, "a torn tail goes to the end of the file")
    expected[name] = Array(bytes.prefix(torn.offset))
    expected["\(name).torn-\(torn.offset)"] = Array(bytes.dropFirst(torn.offset))
    checkNothingWhole(in: Array(bytes.dropFirst(torn.offset)), of: bytes)
  }
  hold(disk.files == expected, "nothing but the torn tail is cut off, and it is kept")
  let first = succeed("a recovered journal takes entries") {
    try opened.append(count: 2, entries: [2, 2, 7, 2, 0])
  }
  let after = Reading(disk.journal)
  let block = Reading.Block(first: first.number, entries: [[2, 2, 7], [2, 0]])
  hold(after.blocks == read.blocks + [block] && after.end == .success(nil), "an append is read")

  var sealer = SegmentSealer(disk.journal, lock: lock)
  succeed("closed segments are sealed") { while try sealer.sealNext() != nil {} }
  let sealed = Reading(disk.journal)
  checkVerified(disk.journal, sealed)
  hold(
    sealed.blocks.flatMap(\.entries) == after.blocks.flatMap(\.entries)
      && sealed.end == .success(nil), "sealing changes no entry")
}

/// Opens for writing, as a book does.
private func open(_ journal: Journal) throws(JournalError) -> (JournalWriter, any StorageLock) {
  let lock = try JournalWriter.takeLock(of: journal)
  let end = try journal.readBlocks { header, block throws(JournalError) in
    _ = try Decoder.entries(in: block, header)
    return true
  }
  let writer = try JournalWriter(
    journal, after: end, lock: lock, schemaText: Disk.schemaText,
    salts: SaltSource { _ in [UInt8](repeating: 1, count: 32) })
  return (writer, lock)
}

/// No part of what a writer cuts off is a whole block, from its sixth byte on (Docs/Format.md, "Reading and
/// recovery"): tried at every byte.
private func checkNothingWhole(in tail: [UInt8], of segment: [UInt8]) {
  var reader = BinaryReader(segment.span.bytes)
  guard let header = try? ContainerHeader(from: &reader),
    let decompressor = try? ZstandardDecompressor()
  else { return hold(false, "the segment of a torn tail has a header") }
  var buffer: [UInt8] = []
  for start in tail.indices.dropFirst(5) {
    var reader = BinaryReader(tail.span.bytes.extracting(droppingFirst: start))
    guard let block = try? ContainerBlock(from: &reader, syncMarker: header.syncMarker),
      block.count > 0
    else { continue }
    let payload = Array(tail[start + block.payload.lowerBound..<start + block.payload.upperBound])
    let isWhole = (try? decompressor.decompress(payload.span.bytes, into: &buffer)) != nil
    hold(!isWhole, "a whole block at byte \(start) of a torn tail")
  }
}

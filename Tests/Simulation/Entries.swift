import Avro
import Journal

/// The entries of the simulation: each is a function of its number, so that a wrong byte is detected at once.
enum Entries {
  static let schemaText =
    #"{"type":"record","name":"Note","fields":[{"name":"at","type":"long"},"#
    + #"{"name":"text","type":"string"}]}"#

  /// The bytes of an entry; entries with odd numbers are long.
  static func write(_ number: Int, to writer: inout BinaryWriter) {
    writer.put(Int64(number))
    writer.put(counted: text(of: number).utf8)
  }

  static func text(of number: Int) -> String {
    number % 2 == 0 ? "note \(number)" : longText(of: number)
  }

  /// Text that takes more room than any short entry, even compressed.
  private static func longText(of number: Int) -> String {
    var bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    return (0..<10).map { _ in
      bits = (bits ^ bits >> 29) &* 0xBF58_476D_1CE4_E5B9
      return String(bits, radix: 36)
    }.joined()
  }

  /// Reads the numbers of a block's entries.
  static func numbers(in block: borrowing Block) throws(AvroError) -> [Int] {
    var reader = BinaryReader(block.bytes)
    var numbers: [Int] = []
    for _ in 0..<block.count {
      let number = Int(try reader.takeLong())
      guard try reader.takeText() == text(of: number) else { throw .invalidText }
      numbers.append(number)
    }
    guard reader.isAtEnd else { throw .trailingBytes }
    return numbers
  }
}

extension SaltSource {
  /// Salts that are the same in every run: the same script writes the same bytes.
  static let simulated = SaltSource { first in
    (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(first.number)) }
  }
}

extension Journal {
  static func simulated(on storage: any Storage) -> Journal {
    Journal(directory: "book", storage: storage)
  }

  func create() throws(JournalError) {
    try create(
      book: "9f0c7f3e-5a63-4b8a-9d0c-1d2f6f8f2a11", schemaText: Entries.schemaText,
      salts: .simulated)
  }

  /// Reads the book as a program would; `nil` when there is none.
  func read() throws(JournalError) -> (numbers: [Int], end: JournalEnd) {
    var numbers: [Int] = []
    var next = Position(1)
    let end = try readBlocks { _, block throws(JournalError) in
      guard block.first == next else { throw block.corruption("positions are not contiguous") }
      next = next.advanced(by: block.count)
      do throws(AvroError) { numbers += try Entries.numbers(in: block) } catch {
        throw block.corruption("\(error)")
      }
      return true
    }
    return (numbers, end)
  }

  /// Opens for writing as a book does: lock, read to the end, write.
  func open(
    segmentByteCount: Int
  ) throws(JournalError) -> (writer: JournalWriter, numbers: [Int], torn: TornTail?) {
    let lock = try JournalWriter.takeLock(of: self)
    let (numbers, end) = try read()
    let writer = try JournalWriter(
      self, after: end, lock: lock, schemaText: Entries.schemaText,
      segmentByteCount: segmentByteCount, salts: .simulated)
    return (writer, numbers, end.torn)
  }
}

extension Journal {
  /// Seals everything closed, in small blocks; returns the sealed segments.
  @discardableResult
  func seal(before active: SegmentName, lock: any StorageLock) throws(JournalError) -> [SegmentName]
  {
    var sealer = SegmentSealer(self, lock: lock, blockByteCount: 16, level: 3)
    var sealed: [SegmentName] = []
    while let next = try sealer.sealNext(before: active) { sealed.append(next) }
    return sealed
  }

  /// Sealed segments come first, end where the next begins, and contain the head before them.
  func checkChain() throws {
    let segments = try segments()
    var isSealed = true
    var heads: [Head] = []
    for (index, name) in segments.enumerated() {
      guard let seal = try header(of: name).seal else {
        isSealed = false
        continue
      }
      try Flaw.require(isSealed, "\(name.fileName) is sealed, and one before it is not")
      if index + 1 < segments.count {
        try Flaw.require(
          seal.last.next == segments[index + 1].first, "it was sealed with another end")
      }
      if let head = Head("\(name.first.number - 1):\(seal.previous)") { heads.append(head) }
    }
    let proofs = try verify(expecting: heads).proofs
    try Flaw.require(
      proofs.values.allSatisfy { $0 == .contained }, "the chain is broken: \(proofs)")
  }
}

extension JournalWriter {
  func write(_ numbers: [Int]) throws(JournalError) {
    var writer = BinaryWriter()
    for number in numbers { Entries.write(number, to: &writer) }
    try write(count: numbers.count, entries: writer.bytes)
  }

  func append(_ numbers: [Int]) throws(JournalError) {
    var writer = BinaryWriter()
    for number in numbers { Entries.write(number, to: &writer) }
    let expected = head.next
    guard try append(count: numbers.count, entries: writer.bytes) == expected else {
      throw .poisoned(reason: "an append was told another position than the next")
    }
  }
}

import Avro
import Crypto
import Fuzzing
import Journal

/// A journal in memory, made from the fuzzer's bytes.
///
/// An input that starts like a segment is the only segment. Any other is a script, because no fuzzer finds a
/// checksum: each byte determines the next step.
///
/// | byte modulo 8 | what it adds |
/// |---|---|
/// | 0 | a block as a writer makes it: how many entries, and for each its time, how many bytes, these |
/// | 1 | as 0, and its count is another: which |
/// | 2 | bytes as they are: how many, these |
/// | 3 | the segment's sync marker |
/// | 4 | as 0, but the first of the block's bytes is changed: which bit |
/// | 5 | a zstd frame's first bytes |
/// | 6 | the end of the segment: a new one, the given number of positions too far |
/// | 7 | nothing, and the segment's last byte goes |
struct Disk {
  static let path = "book"
  static let book = "9f0c7f3e-5a63-4b8a-9d0c-1d2f6f8f2a11"
  static let schemaText =
    #"{"type":"record","name":"Note","fields":[{"name":"at","type":"long"},"#
    + #"{"name":"text","type":"bytes","personal":true}]}"#

  let journal = Journal(directory: Disk.path, storage: MemoryStorage())
  private var first: Int64 = 1
  private var next: Int64 = 1
  private var marker: [UInt8] = []
  private var segment: [UInt8] = []

  init(_ input: Input) {
    succeed("a directory is made") { try journal.storage.createDirectory("\(Self.path)/journal") }
    if input.rest.starts(with: Array("Obj\u{1}".utf8)) {
      segment = Array(input.rest)
    } else {
      begin(at: 1)
      var input = input
      while let byte = input.takeByte() { add(byte % 8, &input) }
    }
    save()
  }

  private mutating func add(_ piece: UInt8, _ input: inout Input) {
    switch piece {
    case 0: segment += block(&input)
    case 1:
      let count = Int(input.takeByte() ?? 1)
      segment += block(&input, count: count)
    case 2: segment += input.take(Int(input.takeByte() ?? 0))
    case 3: segment += marker
    case 4:
      let bit = input.takeByte() ?? 0
      var block = block(&input)
      block[Int(bit / 8) % block.count] ^= 1 << (bit % 8)
      segment += block
    case 5: segment += [0x28, 0xB5, 0x2F, 0xFD]
    case 6:
      save()
      begin(at: max(first + 1, next) + Int64(input.takeByte() ?? 0))
    default: if !segment.isEmpty { segment.removeLast() }
    }
  }

  private mutating func block(_ input: inout Input, count: Int? = nil) -> [UInt8] {
    var entries = BinaryWriter()
    let entryCount = Int(input.takeByte() ?? 1)
    for _ in 0..<entryCount {
      entries.put(Int64(input.takeByte() ?? 0))
      AvroBytes(input.take(Int(input.takeByte() ?? 0))).write(to: &entries)
    }
    next += Int64(count ?? entryCount)
    let frame = succeed("bytes are compressed") {
      try ZstandardCompressor().compress(entries.bytes)
    }
    return ContainerBlock.encode(
      count: count ?? entryCount, payload: frame, syncMarker: marker)
  }

  /// Starts a segment with a header by Docs/Format.md, made without the journal's own code.
  private mutating func begin(at position: Int64) {
    var header = ContainerHeader(
      schema: Self.schemaText, codec: .zstandard,
      metadata: [
        .init("daybook.format", "3"), .init("daybook.book", Self.book),
        .init("daybook.first", String(position)),
        .init("daybook.salts", "1:" + String(repeating: "5a", count: 32)),
        .init("daybook.blind", String(repeating: "5b", count: 32)),
      ], syncMarker: [UInt8](repeating: 0, count: 16))
    marker = Array(SHA256.hash(data: header.encoded.dropLast(16)).prefix(16))
    header.syncMarker = marker
    segment = header.encoded
    first = position
    next = position
  }

  private func save() {
    let name = SegmentName(first: Position(first)).fileName
    write(segment, to: "\(Self.path)/journal/\(name)")
  }

  private func write(_ bytes: [UInt8], to path: String) {
    succeed("a file is written") { try journal.storage.open(path, .create).write(bytes, at: 0) }
  }

  /// The bytes of every file, by its name.
  var files: [String: [UInt8]] {
    let names = succeed("names are read") { try journal.storage.names(in: "\(Self.path)/journal") }
    var files: [String: [UInt8]] = [:]
    for name in names ?? [] {
      files[name] = succeed("a file is read") {
        let file = try journal.storage.open("\(Self.path)/journal/\(name)", .read)
        var bytes: [UInt8] = []
        try file.read(file.byteCount(), at: 0, appendingTo: &bytes)
        return bytes
      }
    }
    return files
  }
}

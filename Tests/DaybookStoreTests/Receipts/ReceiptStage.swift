import Avro
import Daybook
import Journal

@testable import DaybookStore

/// Runs a book's maintenance immediately: it is done when the commit returns.
struct AtOnce: MaintenanceExecutor {
  func later(_ round: @escaping @Sendable () -> Void) { round() }
  func now(_ body: () -> Void) { body() }
}

/// Books with accounts whose lines have ids, with and without stored answers.
enum ReceiptStage {
  static let (ada, bob) = (Menu.key(1, 1), Menu.key(1, 2))

  /// The same random numbers each time.
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &+ 0x9E37_79B9_7F4A_7C15
      return splitMix(state)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
  }

  static func open(_ storage: any Storage, pepper: Pepper? = nil) throws -> Book {
    let reader = BookReader(at: "book", storage: storage)
    if try !reader.journal.exists() {
      try Book.create(
        at: "book", storage: storage, clock: HandClock(Menu.beginnings[0]).bookClock)
    }
    return try Book(
      opening: reader, clock: HandClock(Menu.beginnings[0]).bookClock,
      segmentByteCount: Book.segmentByteCount(holding: 1 << 20), sealing: .onRequest,
      snapshots: .standard, pepper: pepper, maintainedOn: AtOnce())
  }

  /// Two accounts, one of them, Ada, with a household, and lines of many kinds with their own ids, from `create_task`
  /// on.
  static let beginning = [
    #"{"do":"create_account","key":"\#(ada)","display_name":"Ada"}"#,
    #"{"do":"create_account","key":"\#(bob)","display_name":"Bob"}"#,
    #"{"do":"create_household","as":"\#(ada)","key":"\#(Menu.key(5, 1))","name":"Home"}"#,
    #"{"do":"create_habit","as":"\#(ada)","key":"\#(Menu.key(2, 1))","name":"Read"}"#,
  ]

  static func lines(_ count: Int) -> [String] {
    (0..<count).map { number in
      let fields =
        switch number % 6 {
        case 0: #""do":"create_task","key":"\#(Menu.key(6, number))","title":"Sweep \#(number)""#
        case 1: #""do":"update_task","task":"\#(Menu.key(6, number - 1))","title":"Mop""#
        case 2: #""do":"rename_household","name":"Home \#(number)""#
        case 3:
          #""do":"create_recipe","key":"\#(Menu.key(8, number))","title":"Tea","notes":"\#(number)""#
        case 4: #""do":"complete_task","task":"\#(Menu.key(6, number - 4))""#
        default: #""do":"update_task","task":"\#(Menu.key(6, number - 5))","title":"\#(number)""#
        }
      return #"{\#(fields),"as":"\#(ada)","id":"\#(Menu.key(7, number))"}"#
    }
  }

  static func answers(_ lines: [String], of book: Book) throws -> [String] {
    try lines.map { String(decoding: try book.record(line: $0).text, as: UTF8.self) }
  }

  static func files(of storage: any Storage) throws -> [String] {
    try (storage.names(in: "book/journal") ?? []).filter { $0.contains(".receipts") }
      .map { "book/journal/" + $0 }
  }

  /// The same files on their own disk, without the stored answers.
  static func bare(_ storage: any Storage) throws -> MemoryStorage {
    let copy = MemoryStorage()
    for directory in ["book", "book/journal", "book/snapshots"] {
      for name in try storage.names(in: directory) ?? [] where name.contains(".") {
        guard !name.contains(".receipts") else { continue }
        let file = try storage.open("\(directory)/\(name)", .read)
        var bytes: [UInt8] = []
        try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
        try copy.createDirectory(directory)
        try copy.replace("\(directory)/\(name)", with: bytes)
      }
    }
    return copy
  }

  /// The decompressed content of a file of receipts.
  static func text(of bytes: [UInt8]) throws -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    for offset in bytes.indices where bytes[offset...].starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      let rest = bytes.span.bytes.extracting(droppingFirst: offset)
      guard let count = ZstandardDecompressor.frameByteCount(rest) else { continue }
      var buffer: [UInt8] = []
      let written = try ZstandardDecompressor().decompress(
        rest.extracting(first: count), into: &buffer)
      text += String(decoding: buffer[..<written], as: UTF8.self)
    }
    return text
  }
}

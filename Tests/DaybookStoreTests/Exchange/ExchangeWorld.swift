import Daybook
import DaybookStore
import Foundation
import Journal
import Synchronization
import Testing

/// Shared by the exchange tests: books in memory, exports on a memory disk, and their lines.
enum ExchangeWorld {
  /// Where fixtures of other projects lie: beside the package, never in it.
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/fixtures").standardizedFileURL

  static let fixturesExist = FileManager.default.fileExists(
    atPath: fixtures.appending(path: "loop-export-2016").path)

  static let ada = Key(high: 0xADA, low: 1)
  static var clock: BookClock { clock(at: "2026-08-01T12:00:00Z") }

  /// A clock that stands still, with a sequence of keys.
  static func clock(at text: String) -> BookClock {
    let next = Mutex<UInt64>(0)
    return BookClock(
      now: { Instant(text) ?? .first },
      freshKey: {
        next.withLock { count in
          count += 1
          return Key(high: 7, low: count)
        }
      })
  }

  static func book(
    _ storage: MemoryStorage = MemoryStorage(), clock: BookClock = ExchangeWorld.clock
  ) throws -> Book {
    try Book(at: "book", storage: storage, clock: clock)
  }

  static func account(_ zone: String = "America/New_York") -> HabitImport.Account {
    .new(CreateAccount(key: ada, name: "Ada", timeZone: zone, dayStartHour: 4))
  }

  /// A disk with files.
  static func disk(_ files: [String: String]) throws -> MemoryStorage {
    let storage = MemoryStorage()
    for (path, text) in files { try write(Array(text.utf8), to: path, storage) }
    return storage
  }

  static func write(_ bytes: [UInt8], to path: String, _ storage: MemoryStorage) throws {
    if let slash = path.lastIndex(of: "/") { try storage.createDirectory(String(path[..<slash])) }
    try storage.open(path, .create).write(bytes, at: 0)
  }

  /// The files of a fixture, by relative path.
  static func fixtureFiles(_ name: String) throws -> [String: [UInt8]] {
    let folder = fixtures.appending(path: name)
    var files: [String: [UInt8]] = [:]
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for path in paths where path.hasSuffix("s.csv") && !path.hasSuffix("Scores.csv") {
      files[path] = Array(try Data(contentsOf: folder.appending(path: path)))
    }
    return files
  }

  static func export(_ book: Book, as format: ExportFormat = .jsonl) throws -> [String] {
    var lines: [String] = []
    try book.reader.export(as: format) { lines.append($0) }
    return lines
  }

  /// Imports lines unchanged.
  @discardableResult
  static func importing(_ lines: [String], into book: Book) throws -> Int {
    var rest = lines[...]
    return try book.importExport(file: "export.jsonl") {
      rest.popFirst().map { Array($0.utf8) }
    }
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

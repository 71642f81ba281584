import Daybook
import DaybookSamples
import DaybookStore
import Journal

extension Bench {
  /// Measures a person's wait for one habit's past in a sealed book: its streak and audit as of instants
  /// throughout the book's life, each time for another habit.
  func past(_ path: String) throws -> [Figure] {
    let reader = try book(path)
    do { try Book(opening: reader).seal() }
    let state = try reader.state()
    let habits = state.habits.elements
    let begin = habits.map(\.created.milliseconds).max() ?? 0
    let length = max(1, state.at.milliseconds - begin)
    var random = BenchRandom()
    var streaks: [Double] = []
    var audits: [Double] = []
    var length0 = 0
    for _ in 0..<rounds {
      guard let habit = Habit.ID(random.next(habits.count) + 1) else { continue }
      let instant = Instant(clamping: begin + Int64(random.next(Int(length))))
      streaks.append(
        try Self.seconds {
          length0 +=
            try reader.view(of: habit, asOf: instant).streak(of: habit).current?.length ?? 0
        })
      audits.append(
        try Self.seconds {
          length0 += try reader.view(of: habit, asOf: instant).audit(of: habit).days.count
        })
    }
    return [
      ("entries", Double(state.position)),
      ("segments", Double(try reader.journal.segments().count)),
      ("days_seen", Double(length0)),
    ] + Self.spread("streak_milliseconds", streaks) + Self.spread("audit_milliseconds", audits)
  }

  static func spread(_ name: String, _ seconds: [Double]) -> [Figure] {
    let sorted = seconds.sorted()
    guard let last = sorted.last else { return [] }
    return [
      ("\(name)_median", sorted[sorted.count / 2] * 1000),
      ("\(name)_p99", sorted[min(sorted.count - 1, sorted.count * 99 / 100)] * 1000),
      ("\(name)_max", last * 1000),
    ]
  }

  private var rounds: Int { 2000 }

  /// Measures block sizes and compression levels: the book is sealed with each, from the same unsealed
  /// segments.
  func seal(_ path: String) throws -> [Figure] {
    let reader = try book(path)
    let count = Double(try reader.state().position)
    var figures: [Figure] = [
      ("entries", count), ("unsealed_bytes_per_entry", Double(try Self.byteCount(path)) / count),
    ]
    for blockByteCount in [64 << 10, 128 << 10, 192 << 10, 256 << 10] {
      for level in [3, 6, 9, 12] {
        let copy = MemoryStorage()
        try Self.copy(reader.journal, to: copy)
        let journal = Journal(directory: "book", storage: copy)
        let lock = try JournalWriter.takeLock(of: journal)
        var sealer = SegmentSealer(
          journal, lock: lock, blockByteCount: blockByteCount, level: level)
        let sealing = try Self.seconds { while try sealer.sealNext() != nil {} }
        var bytes = 0
        for name in try journal.segments() {
          bytes += try copy.open(journal.path(of: name), .read).byteCount()
        }
        let sealed = BookReader(at: "book", storage: copy)
        let reading = try (0..<3).map { _ in
          try Self.seconds { try sealed.journal.readBlocks { _, _ in true } }
        }
        let name = "\(blockByteCount >> 10)_KiB_level_\(level)"
        figures.append(("\(name)_bytes_per_entry", Double(bytes) / count))
        figures.append(("\(name)_sealed_million_entries_per_second", count / sealing / 1e6))
        figures.append(
          ("\(name)_decompressed_million_entries_per_second", count / Self.median(reading) / 1e6))
      }
    }
    return figures
  }

  private static func copy(_ journal: Journal, to storage: MemoryStorage) throws {
    try storage.createDirectory("book/journal")
    for name in try journal.segments() {
      let file = try journal.storage.open(journal.path(of: name), .read)
      var bytes: [UInt8] = []
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
      try storage.open("book/journal/\(name.fileName)", .create).write(bytes, at: 0)
    }
  }
}

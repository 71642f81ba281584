import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Salvage makes a new book of everything whole in a damaged one, and gives no entry to another entity.
@Suite(.tags(.damage)) struct SalvageTests {
  /// A book of four segments, three of them sealed: a habit is created in each of the first three.
  struct World {
    let storage = MemoryStorage()
    /// The names of the habits, in the order of their numbers.
    static let names = ["Read", "Run", "Swim"]

    init() throws {
      let start = try #require(Instant("2026-03-01T08:00:00Z"))
      let book = try Book(at: "book", storage: storage, clock: HandClock(start).bookClock)
      let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"), at: start)
      var habits: [Habit.ID] = []
      for segment in 0..<4 {
        if segment > 0 { try book.seal() }
        if segment < 3 {
          habits.append(try book.record(CreateHabit(name: Self.names[segment]), by: ada))
        }
        for day in 1...3 {
          let at = start.advanced(byMilliseconds: Int64(segment * 3 + day) * 86_400_000)
          for (name, habit) in zip(Self.names, habits) {
            try book.record(LogHabit(habit, note: name), by: ada, at: at)
          }
        }
      }
    }

    var reader: BookReader { BookReader(at: "book", storage: storage) }

    func paths() throws -> [String] {
      try (storage.names(in: "book/journal") ?? []).filter { $0.hasSuffix(".avro") }.sorted()
        .map { "book/journal/\($0)" }
    }

    /// The same book on its own disk, with one file changed.
    func damaged(_ number: Int, _ change: (inout [UInt8]) -> Void) throws -> MemoryStorage {
      let copy = MemoryStorage()
      try copy.createDirectory("book/journal")
      for (index, path) in try paths().enumerated() {
        var bytes = try storage.bytes(path)
        if index == number { change(&bytes) }
        if !bytes.isEmpty { try copy.replace(path, with: bytes) }
      }
      return copy
    }
  }

  /// Salvages the book of a disk into "new".
  static func salvage(_ storage: MemoryStorage, noMoreCreated: Bool = false) throws -> Salvage {
    try BookReader(at: "book", storage: storage).salvage(
      to: "new", noMoreCreated: noMoreCreated,
      clock: HandClock(try #require(Instant("2026-04-01T08:00:00Z"))).bookClock)
  }

  static func state(_ storage: MemoryStorage) throws -> BookState {
    try BookReader(at: "new", storage: storage).state()
  }

  /// The days of every habit, with their notes.
  static func days(_ state: BookState) -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: state.habits.elements.map { habit in
        (
          habit.description.name,
          habit.days.records.map { "\($0.day) \(habit.days.note(on: $0.day) ?? "")" }
        )
      })
  }

  @Test(arguments: 0..<4)
  func `a damaged header loses no entry`(segment: Int) throws {
    let world = try World()
    let storage = try world.damaged(segment) { bytes in
      for index in 40..<60 { bytes[index] = 0x78 }
    }
    #expect(try !BookReader(at: "book", storage: storage).verify().isWhole)
    let saved = try Self.salvage(storage)
    #expect(saved.losses.isEmpty && saved.placeholders.isEmpty && saved.torn == nil)
    #expect(try Self.state(storage).digest == world.reader.state().digest)
    var (kept, all) = (EveryEntry(), EveryEntry())
    try BookReader(at: "new", storage: storage).replay(into: &kept)
    try world.reader.replay(into: &all)
    #expect(kept.entries == all.entries)
  }

  @Test func `entries whose creation is lost go to a placeholder, never to another entity`()
    throws
  {
    let world = try World()
    let before = Self.days(try world.reader.state())
    let storage = try world.damaged(1) { $0 = [] }
    let saved = try Self.salvage(storage)
    #expect(saved.losses.map(\.damage.first) == [Position(6)])
    #expect(saved.losses.map(\.damage.last) == [Position(12)])
    #expect(saved.losses.first?.after == Instant("2026-03-04T08:00:00Z"))
    #expect(saved.placeholders.map(\.name) == ["Lost habit 2", "Lost habit 3"])
    let swim = try #require(saved.unnumbered.first)
    #expect(saved.unnumbered.map(\.name) == ["Swim"])
    #expect(saved.placeholders.map(\.candidates) == [[], [swim.key]])
    let days = Self.days(try Self.state(storage))
    #expect(days["Read"] == before["Read"]?.filter { !($0 > "2026-03-05" && $0 < "2026-03-08") })
    #expect(days["Lost habit 2"] == before["Run"]?.filter { $0 > "2026-03-08" })
    #expect(days["Swim"] == [] && days["Lost habit 3"] == before["Swim"])
  }

  @Test func `when nothing more was created, every salvaged entry keeps its place`() throws {
    let world = try World()
    let before = Self.days(try world.reader.state())
    let storage = try world.damaged(1) { $0 = [] }
    let saved = try Self.salvage(storage, noMoreCreated: true)
    #expect(saved.placeholders.map(\.name) == ["Lost habit 2"] && saved.unnumbered.isEmpty)
    let days = Self.days(try Self.state(storage))
    #expect(days["Swim"] == before["Swim"])
    #expect(days["Lost habit 2"] == before["Run"]?.filter { $0 > "2026-03-08" })
  }

  @Test func `a salvaged book is whole, documents its salvage, and accepts commands`() throws {
    let storage = try World().damaged(0) { $0 = [] }
    let damaged = try storage.names(in: "book/journal")
    let saved = try Self.salvage(storage)
    #expect(saved.placeholders.map(\.name).contains("Lost account 1"))
    #expect(try storage.names(in: "book/journal") == damaged)
    let reader = BookReader(at: "new", storage: storage)
    #expect(try reader.verify(expecting: saved.head).proof == .contained)
    #expect(try reader.verifyDeeply() == [])
    let told = try JSON(parsing: storage.bytes("new/salvage.json"))
    #expect(told["kept"]?.integer == Int(saved.keptCount))
    #expect(told["placeholders"]?.elements?.count == saved.placeholders.count)
    let book = try Book(at: "new", storage: storage)
    let state = book.read { $0 }
    let ada = try #require(Account.ID(1))
    let habit = try #require(state.habits.number(of: saved.placeholders[1].key))
    let rename = UpdateHabit(habit) {
      $0.name = "Read"
    }
    try book.record(rename, by: ada)
    try book.record(LogHabit(habit), by: ada)
    #expect(try BookReader(at: "new", storage: storage).verify().isWhole)
  }

  @Test func `a whole book is not salvaged, and nothing is written`() throws {
    let world = try World()
    #expect(throws: Rejection.notDamaged(path: "book")) { try Self.salvage(world.storage) }
    #expect(try world.storage.names(in: "new") == nil)
  }

  @Test func `no damage moves a day to another habit or duplicates it`() throws {
    let world = try World()
    let before = Self.days(try world.reader.state())
    let lost = ["Lost habit 1": "Read", "Lost habit 2": "Run", "Lost habit 3": "Swim"]
    var kept: [Int64: Int] = [:]
    for (number, path) in try world.paths().enumerated() {
      let bytes = try world.storage.bytes(path)
      let byteCount = bytes.count
      // A header is long and uniform, so it is sampled; the entries are tested at nearly every byte.
      let header = try Self.headerByteCount(of: bytes)
      let places =
        Array(stride(from: 0, to: header, by: 997))
        + stride(from: header, to: byteCount, by: 37)
      for place in try sample(places, every: 5) {
        let storage = try world.damaged(number) { bytes in
          for index in place..<min(place + 40, byteCount) { bytes[index] ^= 0x55 }
        }
        guard try !BookReader(at: "book", storage: storage).verify().isWhole else { continue }
        let saved = try Self.salvage(storage)
        kept[saved.keptCount, default: 0] += 1
        for (name, days) in Self.days(try Self.state(storage)) {
          let original = Set(before[lost[name] ?? name] ?? [])
          #expect(original.isSuperset(of: days), "\(name), byte \(place) of \(path)")
        }
      }
    }
    #expect(kept.keys.max() == 31 && kept.count > 2, "\(kept)")
  }

  private static func headerByteCount(of bytes: [UInt8]) throws -> Int {
    var reader = BinaryReader(bytes.span.bytes)
    _ = try ContainerHeader(from: &reader)
    return reader.offset
  }
}

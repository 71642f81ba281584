import PropertyTesting
import Testing

@testable import Daybook

/// The packed table of a habit's days equals a dictionary of them.
@Suite(.tags(.law)) struct DayTableTests {
  @Test func `a packed table equals a dictionary of days (HH-8, HH-9, HH-10)`() {
    let report = check("a dictionary of days", Self.changes.array(count: 0...40), cases: 1000) {
      changes, statistics in
      var table = DayTable()
      var model = Model()
      for change in changes {
        change.make(&table)
        change.make(&model)
        statistics.cover("into the middle", atLeast: 5, model.isInside(change.day))
        try expectEqual(table[change.day], model.records[change.day])
        try expectEqual(table.note(on: change.day), model.notes[change.day])
        try expectEqual(Array(table.records), model.sorted)
      }
      statistics.cover("no day left", atLeast: 0.1, !changes.isEmpty && model.records.isEmpty)
      for day in Self.menu { try expectEqual(table[day], model.records[day], "\(day)") }
      try expectEqual(table.records.count, model.records.count)
      try expectEqual(Self.history(of: table), model.sorted.map(Self.historyRecord))
      // Equal days have equal bytes, in whatever order they were added.
      var again = DayTable()
      for record in model.sorted { again.record(record, note: model.notes[record.day]) }
      try expectEqual(again, table)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a history reads days from any bytes without a trap`() {
    let bytes = Generator<Int>.integer(in: 0...255).array(count: 0...60)
    let report = check("days of bytes", bytes, cases: 3000) { numbers, statistics in
      // Every other byte is small, as most are.
      let bytes = numbers.enumerated().map { place, number in
        UInt8(place % 2 == 0 ? number & 0x78 : number)
      }
      var table = DayTable()
      for count in [0, 1, bytes.count] {
        table.days = PackedDays(bytes: bytes, last: .start, lastStart: 0, count: Int32(count))
        let records = Array(table.records)
        statistics.cover("several days", atLeast: 20, records.count > 2)
        try expectEqual(Self.history(of: table), records.map(Self.historyRecord))
      }
    }
    #expect(report.passed, "\(report)")
  }

  private static func history(of table: DayTable) -> [HabitHistory.DayRecord] {
    var history: [HabitHistory.DayRecord] = []
    table.appendHistory(to: &history)
    return history
  }

  private static func historyRecord(_ record: DayTable.Record) -> HabitHistory.DayRecord {
    HabitHistory.DayRecord(day: record.day, value: record.isSkipped ? nil : record.value)
  }

  @Test func `days logged at about the same time take few bytes each`() {
    var days = PackedDays()
    for number in 0..<1000 {
      let start = Int64(number) * 86_400_000 + 1_772_398_800_000
      let at = Instant(clamping: start + Int64(number * 7919 % 3_600_000))
      days.append(
        .init(
          day: Day(clampingNumber: 20_513 + number), source: .manual, isSkipped: false, value: .one,
          created: at, updated: at))
    }
    #expect(days.bytes.count < 5 * 1000)
    #expect(MemoryLayout<DayTable.Record>.stride == 32)
  }

  @Test func `days imported in descending order are all stored`() {
    var table = DayTable()
    let at = Instant(clamping: 1_772_398_800_000)
    for number in (0..<500).reversed() {
      let day = Day(clampingNumber: 15_000 + number)
      table.record(
        .init(
          day: day, source: .import, isSkipped: false, value: .one, created: at, updated: at),
        note: nil)
    }
    #expect(table.records.map(\.day.number) == (15_000..<15_500).map { Int32($0) })
  }

  // MARK: Changes and the model

  /// A few adjacent days, and the first and the last of all.
  static let menu = [Day.first, .last] + (20_512..<20_524).map { Day(clampingNumber: $0) }
  static let amounts = [1000, 0, 2500, 127, 128, 1_000_000_000_000].compactMap {
    Amount(thousandths: $0)
  }
  static let instants =
    [.first, .last]
    + [0, 1, 86_400_000, 90_000_000, 172_800_000, 9_999_999_999].map {
      Instant(clamping: 1_772_398_800_000 + $0)
    }

  static let changes = Generator { source in
    Change(
      day: try source.draw(.element(of: menu)),
      action: try source.draw(
        .frequency((6, .constant(.log)), (2, .constant(.skip)), (2, .constant(.clear)))),
      value: try source.draw(.element(of: amounts)), source: try source.draw(.anyCase()),
      at: try source.draw(.element(of: instants)),
      note: try source.draw(.element(of: [nil, nil, "so", ""])))
  }

  struct Change {
    var day: Day
    var action: Action
    var value: Amount
    var source: LogSource
    var at: Instant
    var note: String?

    enum Action { case log, skip, clear }

    var record: DayTable.Record {
      DayTable.Record(
        day: day, source: source, isSkipped: action == .skip,
        value: action == .skip ? .zero : value,
        created: at, updated: at)
    }

    func make(_ table: inout DayTable) {
      if action == .clear { table.clear(day) } else { table.record(record, note: note) }
    }

    func make(_ model: inout Model) {
      guard action != .clear else {
        (model.records[day], model.notes[day]) = (nil, nil)
        return
      }
      var record = record
      if let known = model.records[day] { record.created = known.created }
      (model.records[day], model.notes[day]) = (record, note)
    }
  }

  struct Model {
    var records: [Day: DayTable.Record] = [:]
    var notes: [Day: String] = [:]

    var sorted: [DayTable.Record] { records.values.sorted { $0.day < $1.day } }

    func isInside(_ day: Day) -> Bool {
      records.keys.contains { $0 < day } && records.keys.contains { $0 > day }
    }
  }
}

import Daybook
import DaybookStore
import Foundation
import Journal
import PropertyTesting
import Testing

/// Exports by Loop itself (../shared/fixtures), counted here in the simplest way.
@Suite(.tags(.unit), .enabled(if: ExchangeWorld.fixturesExist, "../shared/fixtures is not here"))
struct LoopFixtureImportTests {
  static let names = ["loop-export-2016", "loop-export-2.3.1"]

  struct World {
    var book: Book
    var disk: MemoryStorage
    var export: HabitExport
    var cells: [(day: String, value: String)]
    var summary: HabitImport.Summary

    init(_ name: String, recorded: HabitImport.Recording = .asLived) throws {
      disk = MemoryStorage()
      cells = []
      for (path, bytes) in try ExchangeWorld.fixtureFiles(name) {
        try ExchangeWorld.write(bytes, to: "loop/\(path)", disk)
        guard path.contains("/") else { continue }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
          let parts = line.split(separator: ",", omittingEmptySubsequences: false)
          cells.append((String(parts[0]), String(parts[1])))
        }
      }
      export = try HabitExport(at: "loop", storage: disk)
      book = try ExchangeWorld.book(disk)
      summary = try book.importHabits(export, for: ExchangeWorld.account(), recorded: recorded)
    }

    var entered: [(day: String, value: String)] {
      cells.filter { $0.value != "YES_AUTO" && $0.value != "UNKNOWN" }
    }
  }

  @Test(arguments: names) func `entered values are imported, and computed ones are not`(
    name: String
  ) throws {
    let world = try World(name)
    #expect(world.summary.habitsMade == world.export.habits.count)
    #expect(world.summary.entriesRecorded == world.entered.count)
    #expect(world.summary.computedLeftOut == world.cells.count { $0.value == "YES_AUTO" })
    #expect(world.summary.notesNotKept == 0)
    let records = world.book.read { $0.habits.elements.flatMap(\.days.records) }
    let expected = world.entered.map { cell in
      let thousandths = ["YES_MANUAL": 1000, "NO": 0][cell.value] ?? Int64(cell.value) ?? -1
      return "\(cell.day) \(thousandths)"
    }
    #expect(
      records.map { "\($0.day) \($0.value.thousandths)" }.sorted() == expected.sorted())
    #expect(records.allSatisfy { $0.source == .import && !$0.isSkipped })
  }

  @Test func `the export of 2016 has 164 check-ins, also of habits with equal names`() throws {
    let world = try World("loop-export-2016")
    let records = world.book.read { $0.habits.elements.flatMap(\.days.records) }
    #expect(records.count { $0.value == .one } == 164)
    let names = world.book.read { $0.habits.elements.map(\.description.name) }
    #expect(names.count == 9 && Set(names).count == 6)
  }

  @Test func `frequency, colour, unit, target and archive state are imported`() throws {
    let book = try World("loop-export-2.3.1").book
    let habits = book.read { $0.habits.elements }
    let someone = try #require(habits.first { $0.description.name == "someone" })
    #expect(someone.isArchived && someone.description.question == "77")
    #expect(someone.version.schedule == .quota(3, in: 7))
    let counter = try #require(habits.first { $0.description.name == "value habit" })
    #expect(counter.type == .counter && !counter.isArchived)
    #expect(counter.version.target == Target(12, .atMost))
    #expect(counter.version.schedule == .quota(1, in: 30))
    #expect(counter.description.color == "#1976D2" && counter.description.unit == "unit")
    #expect(counter.description.question == "quest\nmemo")
    let checked = try #require(habits.first { $0.description.name == "bool habit" })
    #expect(checked.type == .checkbox && checked.description.color == "#FF8F00")
    #expect(checked.version.target == Target(.one))
  }

  @Test(arguments: names, [HabitImport.Recording.asLived, .now])
  func `a second import appends nothing, even after days were cleared or changed`(
    name: String, recorded: HabitImport.Recording
  ) throws {
    let world = try World(name, recorded: recorded)
    let again = { (recorded: HabitImport.Recording) in
      let before = (world.book.read { $0.position }, world.book.read { $0.digest })
      let summary = try world.book.importHabits(
        world.export, for: .existing(world.summary.account), recorded: recorded)
      #expect(summary.habitsMade == 0 && summary.entriesRecorded == 0)
      #expect(summary.habitsFound == world.export.habits.count)
      #expect(summary.entriesFound == world.entered.count)
      #expect(world.book.read { $0.position } == before.0)
      #expect(world.book.read { $0.digest } == before.1)
    }
    try again(.now)
    try again(.asLived)
    let habits = world.book.read { $0.habits.elements }
    for habit in habits {
      guard let number = world.book.read({ $0.habits.number(of: habit.key) }) else { continue }
      for (index, record) in habit.days.records.prefix(20).enumerated() {
        if index % 2 == 0 {
          try world.book.record(
            ClearLog(number, day: .day(record.day)), by: world.summary.account)
        } else {
          try world.book.record(SkipDay(number, day: .day(record.day)), by: world.summary.account)
        }
      }
    }
    try again(.now)
    try again(.asLived)
  }

  @Test func `as of a day within the history the book knows the values entered by then`() throws {
    let world = try World("loop-export-2016")
    let account = try #require(world.book.read { $0.accounts[world.summary.account] })
    for text in ["2015-12-20", "2016-01-25", "2016-03-10", "2016-03-23"] {
      let day = try #require(Day(text))
      let end = try #require(account.dayClock.end(of: day, in: SystemTimeZones()))
      let state = try world.book.reader.state(asOf: end)
      let records = state.habits.elements.flatMap(\.days.records)
      #expect(records.count == world.entered.count { $0.day <= text }, "\(text)")
      #expect(records.allSatisfy { $0.day <= day })
      let begun = world.export.habits.filter { ($0.entries.first?.day ?? .last) <= day }
      let known = Set(begun.map(\.name))
      #expect(Set(state.habits.elements.map(\.description.name)) == known)
    }
  }

  @Test func `an import recorded now is not known before now`() throws {
    let world = try World("loop-export-2016", recorded: .now)
    let now = ExchangeWorld.clock.now()
    let before = try world.book.reader.state(asOf: now.advanced(byMilliseconds: -1))
    #expect(before.habits.elements.isEmpty)
    #expect(world.book.read { $0.at } == now)
  }

  @Test(arguments: names) func `an imported history is exported and imported to the same digest`(
    name: String
  ) throws {
    let world = try World(name)
    let copy = try ExchangeWorld.book()
    try ExchangeWorld.importing(try ExchangeWorld.export(world.book), into: copy)
    #expect(copy.read { $0.digest } == world.book.read { $0.digest })
    let summary = try copy.importHabits(
      world.export, for: .existing(world.summary.account), recorded: .now)
    #expect(summary.entriesRecorded == 0)
  }

}

/// Damage to Loop's exports.
@Suite(.tags(.damage), .enabled(if: ExchangeWorld.fixturesExist, "../shared/fixtures is not here"))
struct LoopFixtureDamageTests {
  @Test(arguments: LoopFixtureImportTests.names)
  func `changed bytes give a typed error or an import, never a trap`(
    name: String
  ) throws {
    let files = try ExchangeWorld.fixtureFiles(name).sorted { $0.key < $1.key }
    for seed in 0..<UInt64(try scaled(125)) {
      var random = SeededRandom(state: seed)
      let touchesHabits = seed % 3 == 0
      let disk = MemoryStorage()
      let chosen = touchesHabits ? 0 : Int.random(in: 0..<files.count, using: &random)
      for (index, (path, original)) in files.enumerated() {
        var bytes = original
        let isHabits = path == "Habits.csv"
        if index == chosen || (touchesHabits && isHabits) {
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes[place] = Array("\",\n\r-0".utf8)[Int.random(in: 0..<6, using: &random)]
            default: bytes.removeSubrange(place..<min(bytes.count, place + 7))
            }
          }
        }
        try ExchangeWorld.write(bytes, to: "loop/\(path)", disk)
      }
      let book = try ExchangeWorld.book()
      do {
        let export = try HabitExport(at: "loop", storage: disk)
        try book.importHabits(export, for: ExchangeWorld.account(), recorded: .asLived)
      } catch is ExchangeError {
        #expect(book.read { $0.position } == 0, "seed \(seed)")
      }
    }
  }
}

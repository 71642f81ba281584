import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

import DaybookSamples
@testable import DaybookStore

/// Available lines are decided one after another, and share a commit.
@Suite(.tags(.law)) struct LineGroupTests {
  private static let beginning = Menu.beginnings[0]

  private static func book(on storage: any Storage = MemoryStorage()) throws -> Book {
    try Book(at: "book", storage: storage, clock: HandClock(beginning).bookClock)
  }

  private static func apply(_ lines: [String], to book: Book) throws -> [[RequestOutcome]] {
    var groups: [[RequestOutcome]] = []
    try book.record(lines: lines.map { Array($0.utf8) }, from: .owner) { groups.append($0) }
    return groups
  }

  private static func entries(of book: Book) throws -> [Entry] {
    var all = AllEntries()
    try book.reader.replay(into: &all)
    return all.entries
  }

  /// Every account exists, and Ada has a household.
  static let people =
    (1...3).map { #"{"do":"create_account","key":"\#(Menu.key(1, $0))"}"# } + [
      #"{"do":"create_household","as":"\#(Menu.key(1, 1))","key":"\#(Menu.key(5, 0))","name":"Home"}"#
    ]

  /// Lines of three accounts that come and go, with ids used twice, and invalid lines.
  static let lines = Generator { source -> String in
    let people = (1...3).map { Menu.key(1, $0) }
    func person() throws -> Key { people[try source.below(3)] }
    func key(_ kind: UInt64) throws -> Key { Menu.key(kind, try source.below(3)) }
    var fields = [#""as":"\#(try person())""#]
    switch try source.below(20) {
    case 0, 1, 2: fields = [#""do":"create_account","key":"\#(try person())""#]
    case 3, 4: fields += [#""do":"create_habit","key":"\#(try key(2))","name":"Read""#]
    case 5, 6, 7:
      fields += [
        #""do":"log_habit","habit":"\#(try key(2))","day":"2026-02-1\#(try source.below(9))""#
      ]
    case 8: fields += [#""do":"clear_log","habit":"\#(try key(2))","day":"2026-02-11""#]
    case 9: fields += [#""do":"create_household","key":"\#(try key(5))","name":"Home""#]
    case 10: fields += [#""do":"add_household_member","member":"\#(try person())""#]
    case 11: fields += [#""do":"remove_household_member","member":"\#(try person())""#]
    case 12: fields += [#""do":"rename_household","name":"Home \#(try source.below(5))""#]
    case 13: fields += [#""do":"create_task","key":"\#(try key(6))","title":"Sweep""#]
    case 14:
      fields += [#""do":"update_task","task":"\#(try key(6))","title":"\#(try source.below(9))""#]
    case 15: fields += [#""do":"undo_task","position":\#(try source.below(30))"#]
    case 16: fields += [#""do":"delete_habit","habit":"\#(try key(2))""#]
    case 17: fields += [#""do":"user_local_date""#]
    case 18: fields += [#""do":"log_habit","habit":7"#]
    default: return "{not JSON"
    }
    if try source.below(3) == 0 { fields.append(#""id":"\#(Menu.key(7, try source.below(6)))""#) }
    if try source.below(8) == 0 {
      let at = beginning.advanced(byMilliseconds: Int64(try source.below(5) - 1) * 60_000)
      fields.append(#""at":"\#(at)""#)
    }
    return "{" + fields.joined(separator: ",") + "}"
  }

  @Test func `grouped lines are answered and recorded as if one by one (HH-26)`() {
    let report = check(
      "groups", Self.lines.array(count: 0...40), cases: 40
    ) { lines, statistics in
      let (one, many) = (try Self.book(), try Self.book())
      let lines = Self.people + lines
      let expected = try lines.map { try one.record(line: $0).json.encoded }
      let groups = try Self.apply(lines, to: many)
      let answers = groups.flatMap(\.self).map(\.json.encoded)
      try expectEqual(answers, expected)
      let entries = try Self.entries(of: many)
      try expectEqual(entries, try Self.entries(of: one))
      let spent = entries.compactMap(\.head.key)
      statistics.cover("an id that was spent", atLeast: 40, !spent.isEmpty)
      statistics.cover(
        "several commits", atLeast: 20, groups.count > 1)
    }
    #expect(report.passed, "\(report)")
  }

  private static func logs(_ count: Int) -> [String] {
    let (ada, habit) = (Menu.key(1, 1), Menu.key(2, 1))
    return [
      #"{"do":"create_account","key":"\#(ada)"}"#,
      #"{"do":"create_habit","as":"\#(ada)","key":"\#(habit)","name":"Read"}"#,
    ]
      + (0..<count).map { number in
        let day = Day(clampingNumber: 20_500 - number)
        return #"{"do":"log_habit","as":"\#(ada)","habit":"\#(habit)","day":"\#(day)"}"#
      }
  }

  @Test(arguments: [100, 1000])
  func `lines share a sync, however many they are`(_ count: Int) throws {
    let storage = CountingStorage(base: MemoryStorage())
    let book = try Self.book(on: storage)
    let before = storage.syncCount
    let groups = try Self.apply(Self.logs(count), to: book)
    #expect(groups.map(\.count) == [count + 2])
    #expect(storage.syncCount - before == 1)
  }

  @Test func `no answer precedes its commit, and a failed commit gives none`()
    throws
  {
    let disk = GatedStorage()
    let book = try Self.book(on: disk)
    _ = try Self.apply(Self.logs(1), to: book)
    let position = book.read { $0.position }
    disk.failSyncs(after: 0)
    var answers: [RequestOutcome] = []
    #expect(throws: JournalError.self) {
      try book.record(lines: Self.logs(9).map { Array($0.utf8) }, from: .owner) {
        answers += $0
      }
    }
    // The account and the habit exist already: that holds whatever the disk does.
    #expect(answers.count == 2)
    #expect(book.read { $0.position } == position)
  }

  @Test func `an undo may follow right after its command`() throws {
    let (ada, task) = (Menu.key(1, 1), Menu.key(6, 1))
    let lines = [
      #"{"do":"create_account","key":"\#(ada)"}"#,
      #"{"do":"create_task","as":"\#(ada)","key":"\#(task)","title":"Sweep"}"#,
      #"{"do":"update_task","as":"\#(ada)","task":"\#(task)","title":"Mop"}"#,
      #"{"do":"undo_task","as":"\#(ada)","position":3}"#,
    ]
    let book = try Self.book()
    let groups = try Self.apply(lines, to: book)
    #expect(groups.map(\.count) == [3, 1])
    let refused = groups.joined().filter { !$0.isAccepted }.map(\.json.encoded)
    #expect(refused == [])
    #expect(book.read { $0.tasks.elements.first?.displayName } == "Sweep")
  }

  @Test func `an actor is resolved in the state before its line`() throws {
    let book = try Self.book()
    let lines = [
      #"{"do":"create_account","key":"\#(Menu.key(1, 1))"}"#,
      #"{"do":"create_habit","name":"Read"}"#,
      #"{"do":"create_account","key":"\#(Menu.key(1, 2))"}"#,
      #"{"do":"create_habit","name":"Swim"}"#,
    ]
    var codes: [String?] = []
    try book.record(
      lines: lines.map { Array($0.utf8) },
      from: .owner { $0.accounts.elements.count == 1 ? .first : nil }
    ) { outcomes in codes += outcomes.map { $0.json["error"]?["code"]?.text } }
    #expect(codes == [nil, nil, nil, "actor_missing"])
  }
}

/// Keeps all entries.
struct AllEntries: Projection {
  var entries: [Entry] = []
  mutating func apply(_ entry: Entry) { entries.append(entry) }
  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    entries.append(Entry(head, .habitLogged(logged)))
  }
}

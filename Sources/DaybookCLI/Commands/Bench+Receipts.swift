import Daybook
import DaybookSamples
import DaybookStore
import Journal

extension Bench {
  /// Measures finding an idempotency key in a sealed book in which every log has one, and answering the
  /// repeated command.
  func receipts(_ path: String) throws -> [Figure] {
    try logReceipts(path) + lineReceipts(path)
  }

  private func logReceipts(_ path: String) throws -> [Figure] {
    let reader = BookReader(at: path)
    if try !reader.journal.exists() {
      Output.note("Making a book with \(entries) logs and as many ids at \(path) …")
      try makeLogsWithIDs(path)
    }
    var book: Book?
    let opening = try Self.seconds { book = try Book(opening: reader) }
    guard let book else { return [] }
    var random: UInt64 = 0x5EED
    func number() -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % entries
    }
    func find() throws -> Double {
      let key = Self.id(number())
      return try Self.seconds {
        guard try book.position(of: key) != nil else {
          throw CommandFailure("key_not_found", "The id \(key) is not there.")
        }
      }
    }
    let first = try find()
    let finds = try (0..<2000).map { _ in try find() }
    let unused = try (0..<2000).map { _ in
      let key = Self.id(entries + number())
      return try Self.seconds { _ = try book.position(of: key) }
    }
    // The logs are generated again, to know the requests behind the ids.
    let wanted = Set((0..<200).map { _ in number() })
    var asked: [(number: Int, log: BenchLogs.Log)] = []
    var logs = BenchLogs(habitCount: book.read { $0.habits.elements.count })
    for number in 0..<entries {
      let log = logs.next()
      if wanted.contains(number) { asked.append((number, log)) }
    }
    let answers = try asked.map { number, log in
      guard let habit = Habit.ID(log.index + 1),
        let owner = book.read({ $0.habits[habit]?.owner })
      else { return 0.0 }
      let command = LogHabit(habit, value: log.value, day: .day(log.day.advanced(by: -1)))
      return try Self.seconds {
        let receipt = try book.recordWithReceipt(
          command, by: owner, at: log.at, id: Self.id(number))
        guard receipt.isRepeated else { throw CommandFailure("not_repeated", "A log was new.") }
      }
    }
    return [
      ("entries", book.read { Double($0.position) }),
      ("segments", Double(try reader.journal.segments().count)), ("open_seconds", opening),
      ("first_find_milliseconds", first * 1000),
    ] + Self.spread("find_milliseconds", finds) + Self.spread("unused_milliseconds", unused)
      + Self.spread("log_receipt_milliseconds", answers)
  }

  /// Measures answering repeated lines of commands other than logs: in the open book, after reopening, and
  /// after sealing.
  private func lineReceipts(_ path: String) throws -> [Figure] {
    var book: Book? = try Book(opening: BookReader(at: path))
    let count = 20_000
    let account = Self.id(3 * entries)
    let begin = #"{"do":"create_account","key":"\#(account)","display_name":"Ada"}"#
    let lines =
      [begin]
      + (1...count).map { number in
        let key = Self.id(3 * entries + number)
        return #"{"do":"create_task","as":"\#(account)","key":"\#(key)","#
          + #""title":"Task \#(number)","id":"\#(key)"}"#
      }
    try book?.record(lines: lines.map { Array($0.utf8) }, from: .owner) { _ in }
    func answer(_ line: String) throws -> Double {
      try Self.seconds {
        guard try book?.record(line: line).isAccepted == true else {
          throw CommandFailure("not_repeated", "A line was refused.")
        }
      }
    }
    func spread(_ name: String) throws -> [Figure] {
      let place = { 1 + ($0 &* 7919) % count }
      let first = try answer(lines[place(0)])
      let others = try (1..<2000).map { try answer(lines[place($0)]) }
      return [("first_\(name)_milliseconds", first * 1000)]
        + Self.spread("\(name)_milliseconds", others)
    }
    var figures = try spread("line_receipt")
    book = nil
    book = try Book(opening: BookReader(at: path))
    figures += try spread("reopened_line_receipt")
    _ = try book?.seal()
    book = nil
    book = try Book(opening: BookReader(at: path))
    return try figures + spread("sealed_line_receipt")
  }

  private func makeLogsWithIDs(_ path: String) throws {
    let book = try Book(at: path)
    try book.importing { importer in
      var habits: [(habit: Habit.ID, owner: Account.ID)] = []
      for account in BenchLogs.accounts(max(1, entries / 1000)) {
        let owner = try importer.record(account, at: BenchLogs.start)
        for habit in BenchLogs.habits(after: habits.count) {
          habits.append((try importer.record(habit, by: owner, at: BenchLogs.start), owner))
        }
      }
      var logs = BenchLogs(habitCount: habits.count)
      for number in 0..<entries {
        let log = logs.next()
        let (habit, owner) = habits[log.index]
        let day = DayChoice.day(log.day.advanced(by: -1))
        try importer.record(
          LogHabit(habit, value: log.value, day: day), by: owner, at: log.at, id: Self.id(number))
      }
    }
    try book.seal()
  }

  /// The id of a log, as evenly distributed as a random one.
  private static func id(_ number: Int) -> Key {
    func mix(_ value: UInt64) -> UInt64 {
      var value = value &* 0x9E37_79B9_7F4A_7C15
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      return value ^ (value >> 31)
    }
    return Key(high: mix(UInt64(number) + 1), low: mix(UInt64(number) + 0x1_0000_0000))
  }
}

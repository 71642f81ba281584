import Avro
import Daybook
import PropertyTesting
import Testing

@testable import DaybookStore

/// Entries in columns read back, and forged columns end in an error.
@Suite(.tags(.law)) struct PostingsTests {
  /// The steps from which a list of entries is made.
  struct Step: Sendable, CustomStringConvertible {
    var habit: Int
    var days: Int
    var milliseconds: Int
    var thousandths: Int64
    var kind: Int
    var actor: Int
    /// The step of the entry.
    var ofCommand: Int32
    var description: String {
      "habit \(habit), \(days) days, \(milliseconds) ms, \(thousandths), kind \(kind), by \(actor), \(ofCommand)"
    }
  }

  private static let steps = Generator<Step> { source in
    Step(
      habit: try source.draw(.integer(in: 1...4)), days: try source.draw(.integer(in: -2...3)),
      milliseconds: try source.draw(.element(of: [0, 1, 999, 86_400_000, 400_000_000])),
      thousandths: try source.draw(.element(of: [0, 1, 1000, 2500, 8000, 1_000_000_000_000])),
      kind: try source.draw(.integer(in: 0...7)), actor: try source.draw(.integer(in: 0...3)),
      ofCommand: try source.draw(.element(of: [0, 1, 1, 1, 2])))
  }

  /// The entries made by steps, in order.
  private static func entries(_ steps: [Step]) throws -> [Entry] {
    var at = Instant(clamping: 1_767_225_600_000)
    var day = 20_454
    return try steps.enumerated().map { index, step in
      at = at.advanced(byMilliseconds: Int64(step.milliseconds))
      day += step.days
      let habit = try #require(Habit.ID(step.habit))
      let day = Day(clampingNumber: day)
      let value = try #require(Amount(thousandths: step.thousandths))
      let key = step.kind == 1 ? Key(high: UInt64(index), low: 7) : nil
      let head = EntryHead(
        position: Int64(index) + 1, at: at, actor: Account.ID(step.actor), key: key,
        step: step.ofCommand)
      let event: Event =
        switch step.kind {
        case 2: .habitLogged(HabitLogged(habit: habit, day: day, value: value, note: "é"))
        case 3: .habitDaySkipped(skip(habit, day))
        case 4: .habitLogged(HabitLogged(habit: habit, day: day, value: value, source: .import))
        default: .habitLogged(HabitLogged(habit: habit, day: day, value: value))
        }
      return Entry(head, event)
    }
  }

  private static func skip(_ habit: Habit.ID, _ day: Day) -> HabitDaySkipped {
    var skip = HabitDaySkipped.placeholder
    (skip.habit, skip.day) = (habit, day)
    return skip
  }

  private static func times(_ entries: [Entry]) -> TimeSamples {
    let stride = Int(TimeSamples.stride)
    return TimeSamples(
      samples: entries.indices.filter { $0 % stride == 0 }
        .map { entries[$0].head.at.milliseconds },
      count: Int64(entries.count), lastAt: entries.last?.head.at.milliseconds ?? 0)
  }

  private static func write(_ entries: [Entry], _ times: TimeSamples) throws -> Postings {
    var writer = PostingsWriter()
    for habit in 1...4 {
      let own = entries.filter { $0.habit == habit }
      guard !own.isEmpty else { continue }
      writer.beginList(of: Aggregate.habit(try #require(Habit.ID(habit))).code, own.count)
      for entry in own {
        var bytes = BinaryWriter()
        entry.write(to: &bytes)
        try writer.put(bytes.bytes[...], at: entry.head.position - 1, times)
      }
    }
    return writer.postings
  }

  @Test func `entries in columns read back as they were written`() {
    let report = check("columns", Self.steps.array(count: 0...160), cases: 100) { steps in
      let entries = try Self.entries(steps)
      let times = Self.times(entries)
      let postings = try Self.write(entries, times)
      for habit in 1...4 {
        let code = Aggregate.habit(try #require(Habit.ID(habit))).code
        let one = code..<code + 1
        let list = try postings.lists(of: one, from: 1, times) { _ in true }.first?.entries
        try expectEqual(list ?? [], entries.filter { $0.habit == habit })
        let early = try postings.lists(of: one, from: 1, times) { $0.position < 50 }.first?.entries
        try expectEqual(
          early ?? [], entries.filter { $0.habit == habit && $0.head.position < 50 })
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `forged columns give an error or wrong entries, never a trap`() throws {
    let lists = try Self.steps.array(count: 60...70).samples(try scaled(3), seed: 3)
    for entries in try lists.map(Self.entries) {
      let times = Self.times(entries)
      var writer = BinaryWriter()
      try Self.write(entries, times).write(to: &writer)
      for place in writer.bytes.indices {
        for bit: UInt8 in [1, 0x80, 0xFF] {
          var bytes = writer.bytes
          bytes[place] ^= bit
          var reader = BinaryReader(bytes.span.bytes)
          guard let forged = try? Postings(from: &reader) else { continue }
          let odd = TimeSamples(samples: [.min, .max], count: .min, lastAt: .max)
          for known in [times, odd] {
            let code = entries[0].code
            _ = try? forged.lists(of: code..<code + 1, from: 1, known) { _ in true }
            _ = try? forged.lists(of: 0..<1 << 40, from: 1, known) { _ in true }
          }
        }
      }
    }
  }

  @Test func `a year of daily logs takes few bytes in columns`() throws {
    var entries: [Entry] = []
    for day in 0..<365 {
      for habit in 1...4 {
        let at = Instant(clamping: Int64(20_454 + day) * 86_400_000 + Int64(habit) * 3_600_000)
        let logged = HabitLogged(
          habit: try #require(Habit.ID(habit)), day: Day(clampingNumber: 20_454 + day), value: .one)
        entries.append(
          Entry(
            EntryHead(
              position: Int64(entries.count) + 1, at: at, actor: Account.ID(1), key: nil, step: 1),
            .habitLogged(logged)))
      }
    }
    let postings = try Self.write(entries, Self.times(entries))
    #expect(postings.entries.bytes.isEmpty && postings.keys.bytes.isEmpty)
    // All of a log's five numbers except the place have their expected value after the first entry.
    #expect(postings.times.bytes.count { $0 != 0 } <= 16)
    #expect(postings.days.bytes.count { $0 != 0 } <= 10)
    #expect(postings.actors.bytes.count == 1)
    // Places differ by a few where times come in clusters: one byte each.
    #expect(postings.positions.bytes.count == entries.count)
  }
}

extension Entry {
  fileprivate var code: Int64 { event.subject.aggregate?.code ?? 0 }
  fileprivate var habit: Int { Int(truncatingIfNeeded: code & 0xFFFF_FFFF) }
}

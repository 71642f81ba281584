package import Calendar
package import Streaks
package import Avro

/// The streaks of all habits of a book in the fastest way: replays entries and keeps only what each habit's streaks
/// depend on.
///
/// Names, notes and rows are skipped, so that ten million logs are replayed in half a second. The result equals
/// ``BookState/streaks(of:_:)``, which a test checks.
///
/// Layout: the record of a day is a word of 32 bits: the day relative to the batch's base in the upper 14, its kind in
/// 2, the value in thousandths in the lower 16. A record that does not fit is a word of 64 bits in a separate list, and
/// its index is in the lower 30 bits. The main cost of a replay is touching memory for the first time, so words are
/// small. The logs of a large book cycle through all its habits, so that giving each word to its habit at once would
/// wait for memory. Instead, words are buffered as they come; each full batch is grouped by habit with a stable
/// counting sort, and never changed again.
///
/// A book may be replayed in parts, in parallel: each part by a replay that begins ``init(after:)`` the entries before
/// it; then all parts are appended to the first in their order.
package struct StreakReplay: Projection, Sendable {
  /// Words grouped by habit, in the order of their entries.
  private struct GroupedWords: Sendable {
    var words: ContiguousArray<UInt32> = []
    /// The end of each habit's words; they begin where those of the habit before end.
    var ends: ContiguousArray<UInt32> = []
    /// Records that do not fit a word: the day relative to the first day in the upper 22 bits, its kind in 2, the value
    /// in the lower 40.
    var wide: ContiguousArray<UInt64> = []
    /// The day of a word whose upper bits are zero, relative to the first day.
    var base: Int32 = 0

    /// The range of a habit's words.
    func places(of habit: Int) -> Range<Int> {
      guard habit < ends.count else { return 0..<0 }
      return (habit == 0 ? 0 : Int(ends[habit - 1]))..<Int(ends[habit])
    }
  }

  private enum Kind: UInt32 {
    case logged = 0
    case skipped = 1
    case cleared = 2
    case wide = 3
  }

  private struct BufferedWord: Sendable {
    var habit: Int32
    var word: UInt32
  }

  private let batchCount: Int

  private var batches: [GroupedWords] = []
  /// The batch that is being filled: its words are not grouped yet, and are in `waiting`.
  private var batch = GroupedWords()
  private var waiting: ContiguousArray<BufferedWord> = []
  /// The state of everything else, which is rare: accounts, and habits without their days.
  private var rest = BookState()
  /// Rare entries of a later part of a book: they wait for the parts before.
  private var deferred: [Entry] = []
  /// The position of the last entry before the part.
  private let start: Int64
  private var position: Int64
  private var lastHabit: Int32 = -1

  /// Before the first entry.
  package init() { self.init(after: 0) }

  /// Begins before the entries of a part of a book: `start` is the position of the last entry before it.
  package init(after start: Int64) { self.init(after: start, batchCount: 1 << 20) }

  /// Begins with batches small enough for a test.
  package init(after start: Int64 = 0, batchCount: Int) {
    self.batchCount = batchCount
    self.start = start
    position = start
  }

  /// Records a log.
  @inline(__always)
  package mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    position = head.position
    put(logged.day, .logged, logged.value, logged.habit.index)
  }

  /// Applies the entries of a block. It is specialised here, as a replay spends nearly all of its time in it.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  package mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }

  /// Applies any other entry.
  package mutating func apply(_ entry: Entry) {
    position = entry.head.position
    switch entry.event {
    case .habitLogged(let event): apply(event, entry.head)
    case .habitDaySkipped(let event): put(event.day, .skipped, .zero, event.habit.index)
    case .habitLogCleared(let event): put(event.day, .cleared, .zero, event.habit.index)
    case .habitDayReverted(let event):
      put(
        event.day, event.value == nil ? .skipped : .logged, event.value ?? .zero,
        event.habit.index)
    // Every other entry is applied to the state, or deferred for it: none is ignored.
    default:
      if start == 0 { rest.apply(entry) } else { deferred.append(entry) }
    }
  }

  /// Continues with the part of the book that follows.
  package mutating func append(_ part: StreakReplay) {
    // A part that begins after the last requested moment is empty, and the part before it ended early.
    guard part.position > part.start else { return }
    precondition(part.start == position, "a part follows the entries before it")
    var part = part
    finish()
    part.finish()
    batches += part.batches
    for entry in part.deferred {
      if start == 0 { rest.apply(entry) } else { deferred.append(entry) }
    }
    position = part.position
  }

  @inline(__always)
  private mutating func put(_ day: Day, _ kind: Kind, _ value: Amount, _ habit: Int) {
    if waiting.count == batchCount { finish() }
    let offset = day.number &- Day.first.number
    if waiting.isEmpty { begin(at: offset) }
    let fromBase = UInt32(truncatingIfNeeded: offset &- batch.base)
    let thousandths = UInt64(bitPattern: value.thousandths)
    var word = fromBase &<< 18 | kind.rawValue &<< 16 | UInt32(truncatingIfNeeded: thousandths)
    if fromBase >= 1 &<< 14 || thousandths >= 1 &<< 16 {
      word = widen(UInt64(offset) &<< 42 | UInt64(kind.rawValue) &<< 40 | thousandths)
    }
    let number = Int32(truncatingIfNeeded: habit)
    if number > lastHabit { lastHabit = number }
    waiting.append(BufferedWord(habit: number, word: word))
  }

  /// Begins a batch with a base that lets days before and after the first one fit alike.
  @inline(never)
  private mutating func begin(at offset: Int32) {
    batch.base = max(0, offset &- 1 &<< 13)
    waiting.reserveCapacity(batchCount)
  }

  @inline(never)
  private mutating func widen(_ word: UInt64) -> UInt32 {
    batch.wide.append(word)
    let place = UInt32(truncatingIfNeeded: batch.wide.count - 1)
    return (place &>> 16) &<< 18 | Kind.wide.rawValue &<< 16 | place & 0xFFFF
  }

  /// Groups the buffered words.
  package mutating func finish() {
    guard !waiting.isEmpty else { return }
    // Creating a habit takes an entry: there are no more habits than entries, whatever number a log names.
    let habitCount = Int(min(Int64(lastHabit) + 1, position))
    var ends = ContiguousArray<UInt32>(repeating: 0, count: habitCount)
    for item in waiting where item.habit < habitCount { ends[Int(item.habit)] &+= 1 }
    var sum: UInt32 = 0
    for habit in ends.indices {
      let count = ends[habit]
      ends[habit] = sum
      sum &+= count
    }
    var words = ContiguousArray<UInt32>(repeating: 0, count: Int(sum))
    for item in waiting where item.habit < habitCount {
      let place = ends[Int(item.habit)]
      words[Int(place)] = item.word
      ends[Int(item.habit)] = place &+ 1
    }
    batch.words = words
    batch.ends = ends
    batches.append(batch)
    batch = GroupedWords()
    // The memory is reused when a batch is full; a part that ends earlier frees it.
    waiting.removeAll(keepingCapacity: waiting.count == batchCount)
  }

  /// A habit's days in the form that a rule reads: the last word of each day counts.
  private func records(of habit: Int, into records: inout [HabitHistory.DayRecord]) {
    records.removeAll(keepingCapacity: true)
    var lastDay: Int32 = -1
    var isAscending = true
    // Batches are accessed through a span: threads that each retained them for a moment would wait for each other.
    let batches = batches.span
    for index in batches.indices {
      let words = batches[index].words.span
      for place in batches[index].places(of: habit) {
        let word = words[place]
        var offset = Int32(truncatingIfNeeded: word &>> 18) &+ batches[index].base
        var kind = word &>> 16 & 3
        var thousandths = Int64(word & 0xFFFF)
        if kind == Kind.wide.rawValue {
          let wide = batches[index].wide[Int((word &>> 18) &<< 16 | word & 0xFFFF)]
          offset = Int32(truncatingIfNeeded: wide &>> 42)
          kind = UInt32(truncatingIfNeeded: wide &>> 40 & 3)
          thousandths = Int64(bitPattern: wide & (1 << 40 - 1))
        }
        if offset <= lastDay { isAscending = false }
        lastDay = offset
        let day = Day(unchecked: offset &+ Day.first.number)
        switch kind {
        case Kind.logged.rawValue:
          records.append(.init(day: day, value: Amount(unchecked: thousandths)))
        case Kind.skipped.rawValue: records.append(.init(day: day, value: nil))
        default:
          isAscending = false
          records.append(.init(day: day, value: Self.clearedMark))
        }
      }
    }
    if !isAscending { Self.settle(&records) }
  }

  /// Marks a clear until the days are settled: no amount is as large.
  private static let clearedMark = Amount(unchecked: .max)

  /// Sorts the days; among several records of one day the last one counts.
  private static func settle(_ records: inout [HabitHistory.DayRecord]) {
    let order = records.indices.sorted { (records[$0].day, $0) < (records[$1].day, $1) }
    var settled: [HabitHistory.DayRecord] = []
    for index in order {
      if settled.last?.day == records[index].day { settled.removeLast() }
      settled.append(records[index])
    }
    records = settled.filter { $0.value != clearedMark }
  }

  /// The streaks of every habit that was not deleted, in the order of creation.
  ///
  /// - Throws: ``Rejection`` when this machine does not know an account's zone.
  package mutating func summaries(
    _ query: Query
  ) throws(Rejection) -> [(habit: Habit.ID, summary: StreakSummary)] {
    finish()
    return try summaries(query, ofHabits: 0..<habitCount, todays(query))
  }

  /// The number of habits, deleted ones too.
  package var habitCount: Int { rest.habits.elements.count }

  /// The user-local today of each account, in the order of creation.
  ///
  /// - Throws: ``Rejection`` when this machine does not know an account's zone.
  package func todays(_ query: Query) throws(Rejection) -> [Day] {
    // Many people live in few zones.
    var known: [DayClock: Day] = [:]
    var todays: [Day] = []
    todays.reserveCapacity(rest.accounts.elements.count)
    for account in rest.accounts.elements {
      if let today = known[account.dayClock] {
        todays.append(today)
        continue
      }
      let today = try query.today(of: account)
      known[account.dayClock] = today
      todays.append(today)
    }
    return todays
  }

  /// The streaks of the habits in a range of the order of creation, from 0, without deleted ones; `todays` are those of
  /// ``todays(_:)``.
  ///
  /// - Precondition: ``finish()`` was called after the last entry.
  /// - Throws: ``Rejection`` when this machine does not know an account's zone.
  package func summaries(
    _ query: Query, ofHabits places: Range<Int>, _ todays: [Day]
  ) throws(Rejection) -> [(habit: Habit.ID, summary: StreakSummary)] {
    precondition(waiting.isEmpty, "the last entries were not grouped yet")
    var summaries: [(habit: Habit.ID, summary: StreakSummary)] = []
    summaries.reserveCapacity(places.count)
    var records: [HabitHistory.DayRecord] = []
    for index in places.clamped(to: rest.habits.elements.indices) {
      let habit = rest.habits.elements[index]
      guard !habit.isDeleted else { continue }
      guard todays.indices.contains(habit.owner.index) else { throw .accountNotFound }
      let account = rest.accounts.elements[habit.owner.index]
      self.records(of: index, into: &records)
      var history = HabitHistory(
        created: habit.createdOn, versions: habit.versions, records: records,
        archived: habit.archived, paused: account.pauses.map(\.days),
        today: todays[habit.owner.index], openFrom: account.closedBefore, type: habit.type)
      history.leftOut = account.daysLeftOut
      summaries.append((Habit.ID(index: index), query.rule.summary(of: history)))
    }
    return summaries
  }
}

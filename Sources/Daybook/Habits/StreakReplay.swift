/// The streaks of all habits of a book by the shortest way: replays entries and keeps of each habit only
/// what its streaks depend on.
///
/// Names, notes and rows are passed over, so that ten million logs are replayed in half a second. What it
/// says equals ``State/streaks(of:_:)``, which a test holds it to.
///
/// Layout: what was done about a day is one word of 64 bits, `day − first day` in the upper 22, what it was
/// in 2, the value in thousandths in the lower 40. A habit's words lie in chunks of 32, in one array for all
/// habits; a chunk's first word is the place of the habit's chunk before. So taking a log reads sixteen
/// bytes that lie side by side with those of the other habits, and writes one word: nothing waits for
/// memory.
public struct StreakReplay: Projection, Sendable {
  private struct Cursor: Sendable {
    /// Where the habit's next word goes.
    var next: UInt32 = 0
    /// Where its chunk ends; `next` there means that it needs a new one.
    var end: UInt32 = 0
    /// The day of its last word, from the first day, so that days out of order are noticed.
    var lastDay: Int32 = -1
    /// Whether each word is of a later day than the one before, and none clears.
    var isAscending = true
  }

  private enum Kind: UInt64 {
    case logged = 0
    case skipped = 1
    case cleared = 2
  }

  private static let chunkCount: UInt32 = 32

  private var cursors: ContiguousArray<Cursor> = []
  private var words: ContiguousArray<UInt64> = []
  /// Everything that is rare: its state holds the accounts, and habits without their days.
  private var rest = State()

  /// Before the first entry.
  public init() {}

  /// Records a log.
  @inline(__always)
  public mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    put(logged.day, .logged, logged.value, logged.habit.index)
  }

  /// Applies any other entry.
  public mutating func apply(_ entry: Entry) {
    switch entry.event {
    case .habitLogged(let event): apply(event, entry.head)
    case .habitDaySkipped(let event): put(event.day, .skipped, .zero, event.habit.index)
    case .habitLogCleared(let event): put(event.day, .cleared, .zero, event.habit.index)
    case .habitCreated:
      rest.apply(entry)
      cursors.append(Cursor())
    default: rest.apply(entry)
    }
  }

  @inline(__always)
  private mutating func put(_ day: Day, _ kind: Kind, _ value: Amount, _ habit: Int) {
    let offset = day.number &- Day.first.number
    // A number that no habit was given names nothing: the domain never writes such an entry.
    guard habit < cursors.count else { return }
    var cursor = cursors[habit]
    if cursor.next == cursor.end { addChunk(&cursor) }
    if offset <= cursor.lastDay || kind == .cleared { cursor.isAscending = false }
    cursor.lastDay = offset
    let place = Int(cursor.next)
    cursor.next &+= 1
    cursors[habit] = cursor
    words[place] =
      UInt64(UInt32(bitPattern: offset)) &<< 42 | kind.rawValue &<< 40
      | UInt64(bitPattern: value.thousandths)
  }

  @inline(never)
  private mutating func addChunk(_ cursor: inout Cursor) {
    if words.isEmpty { words.append(contentsOf: repeatElement(0, count: Int(Self.chunkCount))) }
    let start = UInt32(truncatingIfNeeded: words.count)
    let previous = cursor.end == 0 ? 0 : cursor.end - Self.chunkCount
    words.append(UInt64(previous))
    words.append(contentsOf: repeatElement(0, count: Int(Self.chunkCount) - 1))
    cursor.next = start + 1
    cursor.end = start + Self.chunkCount
  }

  /// A habit's days as a rule is given them: the last word of each day counts.
  private func records(of habit: Int, into records: inout [HabitHistory.DayRecord]) {
    records.removeAll(keepingCapacity: true)
    guard habit < cursors.count, cursors[habit].end > 0 else { return }
    let cursor = cursors[habit]
    var starts: [Int] = []
    var start = Int(cursor.end - Self.chunkCount)
    while start != 0 {
      starts.append(start)
      start = Int(words[start])
    }
    for start in starts.reversed() {
      let end = min(start + Int(Self.chunkCount), start == starts[0] ? Int(cursor.next) : .max)
      for word in words[(start + 1)..<end] {
        let day = Day(unchecked: Int32(truncatingIfNeeded: word &>> 42) &+ Day.first.number)
        let value = Amount(unchecked: Int64(bitPattern: word & (1 << 40 - 1)))
        switch Kind(rawValue: word &>> 40 & 3) {
        case .logged: records.append(.init(day: day, value: value))
        case .skipped: records.append(.init(day: day, value: nil))
        case .cleared, nil: records.append(.init(day: day, value: Self.clearedMark))
        }
      }
    }
    if !cursor.isAscending { Self.settle(&records) }
  }

  /// Stands for a clear until the days are settled: no amount is as large.
  private static let clearedMark = Amount(unchecked: .max)

  /// Brings the days into order; of several records of one day the last one counts.
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
  /// - Throws: ``QueryRejection`` when this machine does not know an account's zone.
  public func summaries(
    _ query: Query
  ) throws(QueryRejection) -> [(habit: Habit.ID, summary: StreakSummary)] {
    var todays: [Day] = []
    todays.reserveCapacity(rest.accounts.elements.count)
    for account in rest.accounts.elements {
      do { todays.append(try query.today(of: account)) } catch { throw .account(error) }
    }
    var summaries: [(habit: Habit.ID, summary: StreakSummary)] = []
    summaries.reserveCapacity(rest.habits.elements.count)
    var records: [HabitHistory.DayRecord] = []
    for (index, habit) in rest.habits.elements.enumerated() where !habit.isDeleted {
      guard todays.indices.contains(habit.owner.index) else { throw .accountNotFound }
      let account = rest.accounts.elements[habit.owner.index]
      self.records(of: index, into: &records)
      let history = HabitHistory(
        created: habit.createdOn, versions: habit.versions, records: records,
        archived: habit.archived, paused: account.pauses.map(\.days),
        today: todays[habit.owner.index], openFrom: account.closedBefore, type: habit.type)
      summaries.append((Habit.ID(index: index), query.rule.summary(of: history)))
    }
    return summaries
  }
}

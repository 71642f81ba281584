public import Avro

/// Replays a whole book into a state, faster than entry by entry.
///
/// The logs of a large book go round all its habits, so that taking each at once waits for memory three
/// times. Here they are laid by as they come and handed to their habits a million at a time, grouped by
/// habit with a counting sort that keeps their order. Only entries of one habit's days depend on each
/// other's order, so the state is the same (a test of law 1 holds it to that).
public struct StateReplay: Projection {
  /// The state; complete after ``finish()``.
  public private(set) var state: State
  private var waiting: ContiguousArray<Waiting> = []

  private struct Waiting {
    var habit: Int32
    var record: DayTable.Record
  }

  private let batchCount: Int
  /// Below this many, sorting costs more than it saves.
  private let sortedCount: Int

  /// Goes on from a state.
  public init(from state: State = State()) {
    self.init(from: state, batchCount: 1 << 20, sortedCount: 1 << 14)
  }

  /// Goes on from a state, with batches small enough for a test.
  package init(from state: State = State(), batchCount: Int, sortedCount: Int) {
    self.state = state
    self.batchCount = batchCount
    self.sortedCount = sortedCount
  }

  /// Lays the log by.
  @inline(__always)
  public mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    guard logged.note == nil else { return applyAtOnce(Entry(head, .habitLogged(logged))) }
    if waiting.count == batchCount { finish() }
    state.take(head)
    // A number that no habit has yet names nothing, whatever comes later.
    guard logged.habit.index < state.habits.elements.count else { return }
    waiting.append(
      Waiting(
        habit: logged.habit.number &- 1,
        record: DayTable.Record(
          day: logged.day, source: logged.source, isSkipped: false, value: logged.value,
          created: head.at, updated: head.at)))
  }

  /// Applies the entries of a block, specialised here: it is what nearly all of a replay's time goes to.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  public mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }

  /// Applies any other entry; one that is about days waits for the logs before it.
  public mutating func apply(_ entry: Entry) {
    switch entry.event {
    case .habitLogged(let event): apply(event, entry.head)
    case .habitDaySkipped, .habitLogCleared, .accountErased: applyAtOnce(entry)
    default: state.apply(entry)
    }
  }

  @inline(never)
  private mutating func applyAtOnce(_ entry: Entry) {
    finish()
    state.apply(entry)
  }

  /// Hands over what was laid by.
  public mutating func finish() {
    if waiting.count < max(1, sortedCount) {
      for item in waiting { state.record(item.record, habit: Int(item.habit)) }
    } else {
      handOverSorted()
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func handOverSorted() {
    let habitCount = state.habits.elements.count
    // ends[h] is where the records of habit h end, once they are in their places.
    var ends = ContiguousArray<Int>(repeating: 0, count: habitCount)
    for item in waiting where item.habit < habitCount { ends[Int(item.habit)] += 1 }
    var sum = 0
    for habit in ends.indices {
      let count = ends[habit]
      ends[habit] = sum
      sum += count
    }
    var sorted = ContiguousArray(repeating: waiting[0].record, count: sum)
    for item in waiting where item.habit < habitCount {
      let habit = Int(item.habit)
      sorted[ends[habit]] = item.record
      ends[habit] += 1
    }
    var start = 0
    for habit in ends.indices {
      if ends[habit] > start { state.record(sorted[start..<ends[habit]], habit: habit) }
      start = ends[habit]
    }
  }
}

extension State {
  fileprivate mutating func take(_ head: EntryHead) {
    position = head.position
    at = head.at
  }

  fileprivate mutating func record(_ record: DayTable.Record, habit: Int) {
    guard habit < habits.elements.count else { return }
    habits.elements[habit].days.record(record, note: nil)
  }

  fileprivate mutating func record(_ records: ArraySlice<DayTable.Record>, habit: Int) {
    habits.elements[habit].days.record(records)
  }
}

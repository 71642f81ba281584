package import Calendar
package import Avro

/// Replays a whole book into a state, faster than entry by entry.
///
/// The logs of a large book cycle through all its habits, so that applying each to its habit at once would wait for
/// memory every time. Here a log is packed on arrival, and buffered in a few bytes beside its habit's last day; the
/// habit itself is visited when its buffer is full. Only entries about one habit's days depend on each other's order,
/// which is preserved, so the state is the same (a test of law 1 checks this).
package struct StateReplay: Projection {
  /// The state; complete after ``finish()``.
  package private(set) var state: BookState

  /// The end of a habit's days: the last day, and the buffered ones.
  private struct Tail {
    var last: PackedDay.Predecessor
    var run = PackedRun()
  }

  /// The tail of each habit; empty until buffering pays off.
  private var tails: ContiguousArray<Tail> = []
  /// The days of the habits that have a tail, moved out of the state until ``finish()``: contiguous, and never shared.
  private var days: ContiguousArray<DayTable> = []
  /// The buffers, a fixed number of bytes for each habit.
  private var waiting: ContiguousArray<UInt8> = []
  private let room: Int
  /// The number of logs that were applied directly before buffering paid off.
  private var logsAtOnce = 0

  /// Continues from a state.
  package init(from state: BookState = BookState()) { self.init(from: state, room: 64) }

  /// Continues from a state, with buffers so small that a test needs few days to fill them.
  package init(from state: BookState = BookState(), room: Int) {
    self.state = state
    self.room = max(room, PackedWord.byteCount)
  }

  /// Packs the log and buffers it.
  @inline(__always)
  package mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    let habit = logged.habit.index &- state.habits.leftOut
    guard habit >= 0, habit < tails.count, logged.note == nil,
      logged.entered == nil,
      logged.day.number > tails[habit].last.day
    else {
      return applyAtOnce(logged, head)
    }
    state.noteHead(head)
    let record = DayTable.Record(logged, head)
    var word = PackedWord()
    PackedDay(record, after: tails[habit].last).write(to: &word)
    guard word.isWhole else { return applyAtOnce(logged, head) }
    if Int(tails[habit].run.byteCount) + PackedWord.byteCount > room { handOver(habit) }
    let offset = habit &* room &+ Int(tails[habit].run.byteCount)
    waiting.withUnsafeMutableBytes {
      $0.storeBytes(of: word.bits.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
    tails[habit].run.append(word)
    tails[habit].last = PackedDay.Predecessor(of: record)
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

  /// Applies any other entry; one about a habit's days is applied after the logs before it.
  package mutating func apply(_ entry: Entry) {
    let head = entry.head
    switch entry.event {
    case .habitLogged(let event): apply(event, head)
    case .habitDaySkipped(let event): inOrder(event.habit, head) { $0.apply(event, at: head.at) }
    case .habitLogCleared(let event): inOrder(event.habit, head) { $0.apply(event) }
    case .habitDayReverted(let event): inOrder(event.habit, head) { $0.apply(event) }
    case .habitCreated:
      state.apply(entry)
      if !tails.isEmpty { makeRoom() }
    case .accountErased(let event):
      let places = state.indexes.owned[Habit.self][event.account].map(\.index).filter {
        $0 < tails.count
      }
      for place in places { putBack(place) }
      state.apply(entry)
      for place in places { takeOut(place) }
    // No other event concerns the buffered days, and this is the hot path.
    default: state.apply(entry)
    }
  }

  @inline(never)
  private mutating func applyAtOnce(_ logged: HabitLogged, _ head: EntryHead) {
    inOrder(logged.habit, head) { $0.apply(logged, head) }
    guard tails.isEmpty else { return }
    logsAtOnce += 1
    if logsAtOnce > state.habits.elements.count { makeRoom() }
  }

  /// Changes a habit's days after its buffered logs are applied.
  private mutating func inOrder(
    _ number: Habit.ID, _ head: EntryHead, _ change: (inout DayTable) -> Void
  ) {
    state.noteHead(head)
    guard let habit = state.habits.place(of: number), habit < tails.count else {
      return state.habits.update(number) { change(&$0.days) }
    }
    handOver(habit)
    change(&days[habit])
    tails[habit].last = days[habit].last
  }

  /// Makes a tail for every habit that has none.
  private mutating func makeRoom() {
    for habit in tails.count..<state.habits.elements.count {
      tails.append(Tail(last: .start))
      days.append(DayTable())
      takeOut(habit)
    }
    waiting.append(contentsOf: [UInt8](repeating: 0, count: tails.count * room - waiting.count))
  }

  /// Moves the days of a habit out of the state.
  private mutating func takeOut(_ habit: Int) {
    swap(&days[habit], &state.habits.elements[habit].days)
    tails[habit].last = days[habit].last
  }

  /// Moves the days of a habit back into the state, including the buffered ones.
  private mutating func putBack(_ habit: Int) {
    handOver(habit)
    swap(&days[habit], &state.habits.elements[habit].days)
  }

  private mutating func handOver(_ habit: Int) {
    let tail = tails[habit]
    guard tail.run.count > 0 else { return }
    let start = habit * room
    days[habit].append(
      tail.run, ending: tail.last, waiting[start..<start + Int(tail.run.byteCount)])
    tails[habit].run = PackedRun()
  }

  /// Moves all days back into the state. Later logs are applied directly, until buffering pays off again.
  package mutating func finish() {
    for habit in tails.indices { putBack(habit) }
    tails = []
    days = []
    waiting = []
    logsAtOnce = 0
  }
}

extension BookState {
  @inline(__always)
  fileprivate mutating func noteHead(_ head: EntryHead) {
    position = head.position
    at = head.at
  }
}

package import Calendar
package import Avro

/// Replays a whole book into a state, faster than entry by entry.
///
/// The logs of a large book go round all its habits, so that giving each to its habit at once waits for
/// memory at every one. Here a log is packed as it comes and waits in a few bytes beside its habit's last
/// day; a habit is visited when its bytes are full. Only entries about one habit's days depend on each
/// other's order, and they keep it, so the state is the same (a test of law 1 holds it to that).
package struct StateReplay: Projection {
  /// The state; complete after ``finish()``.
  package private(set) var state: BookState

  /// The end of a habit's days: the last one, and what waits to be handed over.
  private struct Tail {
    var last: PackedDay.Place
    var run = PackedRun()
  }

  /// By habit; empty until it pays.
  private var tails: ContiguousArray<Tail> = []
  /// The days of the habits that have a tail, taken out of the state until ``finish()``: side by side, and never shared.
  private var days: ContiguousArray<DayTable> = []
  /// By habit, so many bytes each.
  private var waiting: ContiguousArray<UInt8> = []
  private let room: Int
  /// How many logs were applied at once, before it paid to do otherwise.
  private var logsAtOnce = 0

  /// Goes on from a state.
  package init(from state: BookState = BookState()) { self.init(from: state, room: 64) }

  /// Goes on from a state, with so few bytes for each habit that a test needs few days to fill them.
  package init(from state: BookState = BookState(), room: Int) {
    self.state = state
    self.room = max(room, PackedWord.byteCount)
  }

  /// Packs the log and lays it by.
  @inline(__always)
  package mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    let habit = logged.habit.index &- state.habits.leftOut
    guard habit >= 0, habit < tails.count, logged.note == nil,
      logged.entered == nil,
      logged.day.number > tails[habit].last.day
    else {
      return applyAtOnce(logged, head)
    }
    state.take(head)
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
    tails[habit].last = PackedDay.Place(of: record)
  }

  /// Applies the entries of a block, specialised here: it is what nearly all of a replay's time goes to.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  package mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }

  /// Applies any other entry; one that is about a habit's days after the logs before it.
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
      let places = state.indexes.habits.habits(of: event.account).map(\.index).filter {
        $0 < tails.count
      }
      for place in places { putBack(place) }
      state.apply(entry)
      for place in places { takeOut(place) }
    // Nothing else is about the days that are laid by, and this is the hot path.
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

  /// Changes what is known of a habit's days, after what was laid by.
  private mutating func inOrder(
    _ number: Habit.ID, _ head: EntryHead, _ change: (inout DayTable) -> Void
  ) {
    state.take(head)
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

  /// Takes the days of a habit out of the state.
  private mutating func takeOut(_ habit: Int) {
    swap(&days[habit], &state.habits.elements[habit].days)
    tails[habit].last = days[habit].last
  }

  /// Puts the days of a habit back into the state, whole.
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

  /// Puts into the state what was laid by. What comes after is applied at once, until it pays again to do otherwise.
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
  fileprivate mutating func take(_ head: EntryHead) {
    position = head.position
    at = head.at
  }
}

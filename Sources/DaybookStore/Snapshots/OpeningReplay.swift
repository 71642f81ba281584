import Avro
import Daybook

/// What a book needs to know of its past when it is opened: the state, and the keys that were used.
struct OpeningReplay: Projection {
  private(set) var replay: StateReplay
  private(set) var filter: KeyFilter
  /// The keys of the segments for which they were requested, ascending.
  var recents: [RecentKeys] = []

  /// Continues from a state; by default starts before the first entry.
  init(from state: BookState = BookState(), _ filter: KeyFilter = KeyFilter()) {
    replay = StateReplay(from: state)
    self.filter = filter
  }

  mutating func apply(_ entry: Entry) {
    if entry.head.key != nil { note(entry) }
    replay.apply(entry)
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if head.key != nil { note(Entry(head, .habitLogged(logged))) }
    replay.apply(logged, head)
  }

  private mutating func note(_ entry: Entry) {
    if let key = entry.head.key { filter.insert(key) }
    recents.insert(entry)
  }

  /// The state, complete.
  mutating func finish() -> BookState {
    replay.finish()
    return replay.state
  }
}

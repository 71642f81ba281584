import Daybook
import Journal

/// Commands of several who wait, decided one after another on the book's state, each in what the ones before it
/// leave. What they come to is one commit, so each command is recorded whole or not at all.
struct CommitGroup {
  /// Larger groups are not made; a single command that comes to more is a group by itself.
  static let byteCount = 1 << 20

  private(set) var draft = Draft()
  private(set) var entries: [Entry] = []
  private var undo = Undo()
  /// The idempotency keys of the group's commands, each with the place of the entry on which it stands.
  private var spent: [Key: Int] = [:]
  private let clock: BookClock
  private let zones: any TimeZones

  init(clock: BookClock, zones: any TimeZones) {
    self.clock = clock
    self.zones = zones
  }

  /// Whether nothing is appended by it so far.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether an idempotency key is one of its commands'.
  func holds(_ id: Key) -> Bool { spent[id] != nil }

  /// The group has no room for a command, which belongs to the next one.
  struct Full: Error {}

  /// Decides a command.
  ///
  /// - Returns: The receipt that it has if the group comes to be on disk.
  /// - Throws: ``Full``, ``PositionConflict``, or ``Rejection``; then the state is as before.
  mutating func decide(_ ask: Ask, on state: inout State) throws -> Receipt<Void> {
    if let id = ask.id, let place = spent[id] { return try repeated(ask, id, place, on: &state) }
    if let expected = ask.expected, expected != state.position {
      throw PositionConflict(expected: expected, actual: state.position)
    }
    let context = try context(by: ask.actor, at: ask.at, in: state)
    let receipt = try take(try ask.decide(state, context), context, ask.id, on: &state)
    ask.look?(state)
    return receipt
  }

  /// The context in which the next command is decided.
  func context(
    by actor: Account.ID?, at: Instant?, in state: State
  ) throws(Rejection) -> Context {
    try Context(state, actor: actor, at: at, clock: clock, zones: zones)
  }

  /// Takes up what a command came to.
  ///
  /// - Returns: The receipt that the command has if the group comes to be on disk.
  /// - Throws: ``Full``; then the state is as before.
  mutating func take(
    _ events: [Event], _ context: Context, _ id: Key?, on state: inout State
  ) throws(Full) -> Receipt<Void> {
    let mark = draft.mark
    for (index, event) in events.enumerated() {
      let head = EntryHead(
        position: state.position + 1, at: context.at, actor: context.actor,
        key: index == 0 ? id : nil)
      let entry = Entry(head, event)
      draft.add(entry)
      entries.append(entry)
      state.apply(entry, noting: &undo)
    }
    let count = events.count
    if draft.byteCount > Self.byteCount, mark.count > 0, count > 0 {
      draft.cut(to: mark)
      entries.removeLast(count)
      state.takeBack(&undo, leaving: mark.count)
      throw Full()
    }
    if let id, count > 0 { spent[id] = mark.count }
    return Receipt(
      answer: (),
      position: count == 0 ? state.position : state.position - Int64(count) + 1,
      count: count, isRepeated: false)
  }

  /// The first receipt of a command that stands in this group already: it is decided again in the state
  /// that it met there.
  private mutating func repeated(
    _ ask: Ask, _ key: Key, _ place: Int, on state: inout State
  ) throws -> Receipt<Void> {
    state.takeBack(&undo, leaving: place)
    defer { for entry in entries[place...] { state.apply(entry, noting: &undo) } }
    return try ask.receipt(of: key, on: entries[place], in: state, zones: zones)
  }

  /// Takes everything back: nobody sees it before it is on disk.
  mutating func takeBack(from state: inout State) { state.takeBack(&undo) }

  /// Applies everything again, now that it is on disk.
  func apply(to state: inout State) {
    for entry in entries { state.apply(entry) }
  }
}

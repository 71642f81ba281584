public import Calendar
public import Avro

/// The entries that touch one habit: its own, and the pauses of its owner's account. They are the evidence of an audit
/// and the lines of a history (ES-3).
public struct AuditTrail: Projection, Sendable {
  /// One entry, with its effect on the habit's days.
  public struct Item: Sendable, Hashable {
    /// The position of the entry in its book, from 1.
    public var position: Int64
    /// When it was recorded.
    public var at: Instant
    /// The acting account.
    public var actor: Account.ID?
    public var event: Event
  }

  /// The habit.
  public let habit: Habit.ID
  /// The owner.
  public let owner: Account.ID
  /// The entries, oldest first.
  public private(set) var items: [Item] = []
  /// The number of habits created so far: the n-th has number n.
  private var habitCount = 0
  /// Whether the owner's focus is on the habit.
  private var hasFocus = false

  public init(habit: Habit.ID, owner: Account.ID) {
    self.habit = habit
    self.owner = owner
  }

  /// Makes the trail from the entries of the habit and its owner, oldest first.
  public init(habit: Habit.ID, owner: Account.ID, _ entries: [Entry]) {
    self.init(habit: habit, owner: owner)
    // Earlier habits do not matter, and were not counted.
    habitCount = Int(habit.number) - 1
    for entry in entries { apply(entry) }
  }

  /// Keeps the entry if it touches the habit.
  public mutating func apply(_ entry: Entry) {
    var isConcerned = concerns(entry.event)
    if case .habitCreated = entry.event {
      habitCount += 1
      isConcerned = habitCount == Int(habit.number)
    }
    if case .focusChosen(let event) = entry.event, event.account == owner {
      // Losing the focus belongs to the habit's history, too.
      isConcerned = hasFocus || event.habit == habit
      hasFocus = event.habit == habit
    }
    guard isConcerned else { return }
    let head = entry.head
    items.append(Item(position: head.position, at: head.at, actor: head.actor, event: entry.event))
  }

  /// Keeps the log if it is the habit's.
  public mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if logged.habit == habit { apply(Entry(head, .habitLogged(logged))) }
  }

  private func concerns(_ event: Event) -> Bool {
    let subject = event.subject
    if subject == .habit(habit) { return true }
    guard subject == .account(owner) else { return false }
    if case .accountErased = event { return true }
    return switch event.dayEffect {
    case .pause, .end, .pauses: true
    // A clock decides on which day a log falls, but the log holds that day as well.
    case .creation, .day, .rule, .clock, .nothing: false
    }
  }
}

extension AuditTrail.Item {
  /// The item as evidence: position, time, actor, event, and source.
  public func json(in state: BookState) -> JSON {
    [
      "position": .number(position), "at": .instant(at),
      "actor": .key(actor.flatMap { state.accounts[$0]?.key }), "event": .string(event.name),
      "source": .text(event.source?.rawValue),
    ]
  }

  /// The item as a line of a history: the evidence, with the day and the value that was recorded.
  package func historyJSON(in state: BookState) -> JSON {
    var members = json(in: state).members ?? []
    members.append(.init("day", .day(event.day)))
    members.append(.init("value", event.value.map { .number($0) } ?? .null))
    if let entered = event.entered { members.append(.init("entered_value", .number(entered))) }
    members.append(.init("note", .text(event.note)))
    return .object(members)
  }
}

/// The lines of a history, made on demand.
package struct HistoryList: Listing {
  /// The listed entries.
  package let items: [AuditTrail.Item]
  private let state: BookState

  /// Lists entries in the order given.
  package init(_ items: [AuditTrail.Item], in state: BookState) {
    self.items = items
    self.state = state
  }

  /// The number of entries.
  package var stepCount: Int { items.count }

  /// Writes one row for each entry.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for item in items[steps] { rows.value(item.historyJSON(in: state)) }
  }
}

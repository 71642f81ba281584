public import Avro
import Values

/// Where a habit goes among those of its account.
public enum HabitDestination: Hashable, Sendable {
  /// Before all others.
  case first
  /// After all others.
  case last
  /// Right before one.
  case before(Habit.ID)
  /// Right after one.
  case after(Habit.ID)
}

/// Puts a habit at another place among those of the account, wherever they are shown. Until then they stand in the order
/// in which they were created.
public struct MoveHabit: ThingCommand {
  /// The habit.
  package var thing: Habit.ID
  /// Where it goes.
  package var place: HabitDestination

  /// Makes the command.
  public init(_ habit: Habit.ID, to place: HabitDestination = .last) {
    thing = habit
    self.place = place
  }

  /// "move_habit".
  package static let form = CommandForm(
    "move_habit", "Puts a habit at another place among your own.", answer: "habit")
  /// Of nothing yet.
  public static var defaults: MoveHabit { MoveHabit(.placeholder) }

  /// `habit`, and `before`, `after` or `place`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Habit.visit(&thing, by: &visitor)
    try visitor.columns(HabitDestinationCodec(), &place)
  }

  func events(_ found: Habit, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    let before = state.shownHabits(of: found.owner)
    var order = before.filter { $0 != thing }
    switch place {
    case .first: order.insert(thing, at: 0)
    case .last: order.append(thing)
    case .before(let other), .after(let other):
      _ = try state.own(other, context)
      guard let index = order.firstIndex(of: other) else { return [] }
      if case .before = place {
        order.insert(thing, at: index)
      } else {
        order.insert(thing, at: index + 1)
      }
    }
    guard order != before else { return [] }
    return [.habitsOrdered(HabitsOrdered(account: found.owner, habits: order))]
  }
}

/// Where a habit goes: `before` or `after` another one, or `place`.
private struct HabitDestinationCodec: ColumnCodec {
  var columns: [Column] {
    var place = Column("place", String?.self, usual: "last")
    place.schema = ["enum": ["first", "last", .null]]
    return [
      Column("before", Habit.ID?.self, "right before this habit; or `after`, or `place`"),
      Column("after", Habit.ID?.self, "right after this habit"), place,
    ]
  }
  var examples: (HabitDestination, HabitDestination) { (.first, .last) }

  func read(_ reader: inout RequestReader) throws -> HabitDestination? {
    let before = try neighbour("before", &reader)
    let after = try neighbour("after", &reader)
    let place = try reader.optional("place", "first or last") { json -> HabitDestination? in
      switch json.text {
      case "first": .first
      case "last": .last
      default: nil
      }
    }
    let places = [before.map { HabitDestination.before($0) }, after.map { .after($0) }, place]
      .compactMap(\.self)
    guard places.count < 2 else {
      throw Rejection.invalidField("place", "give one of before, after and place")
    }
    return places.first
  }

  private func neighbour(_ name: String, _ reader: inout RequestReader) throws -> Habit.ID? {
    guard let json = reader.value(name), json != .null else { return nil }
    return try reader.take(json, name) as Habit.ID
  }

  func members(of value: HabitDestination, in state: BookState) -> [JSON.Member] {
    switch value {
    case .first: [.init("place", "first")]
    case .last: [.init("place", "last")]
    case .before(let habit): [.init("before", habit.json(state))]
    case .after(let habit): [.init("after", habit.json(state))]
    }
  }
}

extension BookState {
  /// The habits of an account that are there, in the order in which it sees them.
  package func shownHabits(of account: Account.ID) -> [Habit.ID] {
    let numbers = indexes.habits.habits(of: account).filter { habits[$0]?.isDeleted == false }
    guard let order = accounts[account]?.habitOrder, !order.isEmpty else { return numbers }
    let places = Dictionary(
      zip(order, order.indices), uniquingKeysWith: { first, _ in first })
    return numbers.sorted { one, other in
      (places[one] ?? .max, one) < (places[other] ?? .max, other)
    }
  }

  /// Habits by their places in the table, ascending, as they are shown: each account's own in its order, at the places
  /// that they have among those of others.
  func shown(_ indices: [Int]) -> [Int] {
    var owned: [Account.ID: [Int]] = [:]
    // Habits of one account often lie next to each other.
    var last: (owner: Account.ID, hasOrder: Bool)?
    for (place, index) in indices.enumerated() {
      let owner = habits.elements[index].owner
      if last?.owner != owner {
        let account = accounts.place(of: owner)
        last = (owner, account.map { !accounts.elements[$0].habitOrder.isEmpty } ?? false)
      }
      if last?.hasOrder == true { owned[owner, default: []].append(place) }
    }
    guard !owned.isEmpty else { return indices }
    var shown = indices
    for (owner, places) in owned {
      let own = Set(places.map { indices[$0] })
      let order = shownHabits(of: owner).compactMap { habits.place(of: $0) }
        .filter { own.contains($0) }
      for (place, index) in zip(places, order) { shown[place] = index }
    }
    return shown
  }
}

public import Avro
import Values

/// Moves a habit within the account's own order of habits. Until then habits are shown in the order of their creation.
public struct MoveHabit: EntityCommand {
  package var thing: Habit.ID
  /// The new place.
  package var place: ListPlace<Habit>

  public init(_ habit: Habit.ID, to place: ListPlace<Habit> = .last) {
    thing = habit
    self.place = place
  }

  package static let form = CommandForm(
    "move_habit", "Moves a habit to another place in your list.", answer: "habit")
  /// The defaults; no habit is named yet.
  public static var defaults: MoveHabit { MoveHabit(.placeholder) }

  /// `habit`, and `before`, `after` or `place`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Habit.visit(&thing, by: &visitor)
    try visitor.columns(ListPlaceCodec(noun: "habit"), &place)
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

extension BookState {
  /// The habits of an account that were not deleted, in the account's own order.
  package func shownHabits(of account: Account.ID) -> [Habit.ID] {
    let numbers = indexes.owned[Habit.self][account].filter { habits[$0]?.isDeleted == false }
    guard let order = accounts[account]?.habitOrder, !order.isEmpty else { return numbers }
    let places = Dictionary(
      zip(order, order.indices), uniquingKeysWith: { first, _ in first })
    return numbers.sorted { one, other in
      (places[one] ?? .max, one) < (places[other] ?? .max, other)
    }
  }

  /// Sorts indices of habits into the order in which they are shown: each account's habits in that account's order, on
  /// the same places among the habits of others.
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

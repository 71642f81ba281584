import Daybook
import PropertyTesting

/// A command about a household's groceries and pantry; households, lines and staples are named by small numbers.
enum GroceryAction: Sendable {
  case generate(Int, day: Int)
  case add(Int, key: Int?, name: Int, amount: Int?, day: Int?)
  case update(Int, name: Int?, amount: Int?, category: GroceryCategory?)
  case check(Int)
  case uncheck(Int)
  case remove(Int)
  case begin(Int, key: Int, day: Int)
  case write(Int, key: Int?, order: Int)
  case delete(Int)
  case choose(Int, isCurrent: Bool)
  case keep(Int, key: Int?, name: Int, amount: Int?)
  case change(Int, name: Int?, amount: Int?)
  case use(Int)
}

extension GroceryAction {
  private static let foods = ["eggs", "Wasser", " ", "Salt"]

  func command(_ ledger: some Ledger, _ today: Day) -> any Command {
    let state = ledger.state
    return switch self {
    case .generate(let home, let day):
      GenerateGroceryList(
        of: HouseholdAction.number(home, state.households), week: today.advanced(by: day))
    case .add(let home, let key, let name, let amount, let day):
      AddGroceryItem(
        in: HouseholdAction.number(home, state.households),
        week: day.map { today.advanced(by: $0) },
        key: key.map { Menu.key(12, $0) },
        GroceryItemContent(name: Self.foods[name], amount: Self.amount(amount)))
    case .update(let line, let name, let amount, let category):
      update(Self.line(line, in: state), name, amount, category)
    case .check(let line): CheckGroceryItem(Self.line(line, in: state))
    case .uncheck(let line): UncheckGroceryItem(Self.line(line, in: state))
    case .remove(let line): RemoveGroceryItem(Self.line(line, in: state))
    case .begin(let home, let key, let day):
      BeginGroceryList(
        of: HouseholdAction.number(home, state.households), from: today.advanced(by: day),
        key: Menu.key(13, key))
    case .write(let list, let key, let order):
      AddGroceryItem(
        in: home(state) ?? .first, list: HouseholdAction.number(list, state.lists),
        key: key.map { Menu.key(12, $0) },
        GroceryItemContent(name: "Tea", order: Int64(order - 3)))
    case .delete(let list): DeleteGroceryList(HouseholdAction.number(list, state.lists))
    case .choose(let list, let isCurrent):
      ChooseGroceryList(HouseholdAction.number(list, state.lists), isCurrent: isCurrent)
    case .keep(let home, let key, let name, let amount):
      AddPantryStaple(
        in: HouseholdAction.number(home, state.households), key: key.map { Menu.key(11, $0) },
        PantryStapleContent(name: Self.foods[name], amount: Self.amount(amount)))
    case .change(let pantryStaple, let name, let amount):
      update(HouseholdAction.number(pantryStaple, state.pantryStaples), name, amount)
    case .use(let pantryStaple):
      RemovePantryStaple(HouseholdAction.number(pantryStaple, state.pantryStaples))
    }
  }

  /// The household of the command.
  func home(_ state: BookState) -> Household.ID? {
    switch self {
    case .generate(let home, _), .add(let home, _, _, _, _), .keep(let home, _, _, _),
      .begin(let home, _, _):
      HouseholdAction.number(home, state.households)
    case .update(let line, _, _, _), .check(let line), .uncheck(let line), .remove(let line):
      state.lists[Self.line(line, in: state).list]?.household
    case .write(let list, _, _), .delete(let list), .choose(let list, _):
      state.lists[HouseholdAction.number(list, state.lists)]?.household
    case .change(let pantryStaple, _, _), .use(let pantryStaple):
      state.pantryStaples[HouseholdAction.number(pantryStaple, state.pantryStaples)]?.household
    }
  }

  /// One of the lines of all lists, including removed ones.
  private static func line(_ index: Int, in state: BookState) -> GroceryItemID {
    let lines = state.lists.elements.indices.flatMap { place in
      state.lists.elements[place].items.compactMap { item in
        GroceryList.ID(place + 1).map { GroceryItemID($0, item.key) }
      }
    }
    guard !lines.isEmpty, index != 7 else {
      return GroceryItemID(state.lists.nextNumber, Menu.key(12, 0))
    }
    return lines[index % lines.count]
  }

  private static func amount(_ index: Int?) -> Rational? {
    index.flatMap { Rational(Int64($0) - 1, over: 2) }
  }

  private func update(
    _ line: GroceryItemID, _ name: Int?, _ amount: Int?, _ category: GroceryCategory?
  ) -> UpdateGroceryItem {
    UpdateGroceryItem(line) { content in
      if let name { content.name = Self.foods[name] }
      if let amount { content.amount = Self.amount(amount) }
      if let category { content.category = category }
    }
  }

  private func update(_ pantryStaple: PantryStaple.ID, _ name: Int?, _ amount: Int?)
    -> UpdatePantryStaple
  {
    UpdatePantryStaple(pantryStaple) { content in
      if let name { content.name = Self.foods[name] }
      if let amount { content.amount = Self.amount(amount) }
    }
  }
}

extension PropertyTesting.Source {
  mutating func groceryAct() throws -> GroceryAction { try draw(Self.groceryActs) }

  private static let groceryActs = Generator<GroceryAction>.frequency(
    (6, Generator { .generate(try $0.home(), day: try $0.below(9)) }),
    (
      3,
      Generator {
        .add(
          try $0.home(), key: try $0.maybe(60, below: 4), name: try $0.below(4),
          amount: try $0.maybe(60, below: 6), day: try $0.maybe(40, below: 9))
      }
    ),
    (
      2,
      Generator {
        .update(
          try $0.below(8), name: try $0.maybe(40, below: 4), amount: try $0.maybe(40, below: 6),
          category: try $0.draw(Generator<GroceryCategory>.anyCase().optional()))
      }
    ),
    (4, Generator { .check(try $0.below(8)) }), (2, Generator { .uncheck(try $0.below(8)) }),
    (2, Generator { .remove(try $0.below(8)) }),
    (2, Generator { .begin(try $0.home(), key: try $0.below(3), day: try $0.below(9)) }),
    (
      2,
      Generator {
        .write(
          try $0.below(4), key: try $0.maybe(60, below: 4), order: try $0.below(6))
      }
    ),
    (1, Generator { .delete(try $0.below(4)) }),
    (3, Generator { .choose(try $0.below(5), isCurrent: try $0.below(2) == 0) }),
    (
      3,
      Generator {
        .keep(
          try $0.home(), key: try $0.maybe(60, below: 4), name: try $0.below(4),
          amount: try $0.maybe(60, below: 6))
      }
    ),
    (
      2,
      Generator {
        .change(
          try $0.below(8), name: try $0.maybe(40, below: 4), amount: try $0.maybe(60, below: 6))
      }
    ),
    (1, Generator { .use(try $0.below(8)) }))
}

import Values
import Calendar
import Kitchen
import Avro

/// The current grocery list of each household, and the places of the lines: made from the lists, and updated with them.
struct GroceryIndex: Equatable, Sendable {
  private var made = SortedSet<ListByCreation>()
  private var weeks = SortedSet<WeekList>()
  private var lines = SortedSet<LineKey>()
  private var shown = SortedSet<OrderedLine>()

  /// A list that is not set aside, with the time when it was made.
  private struct ListByCreation: Comparable, Sendable {
    var household: Household.ID
    var made: Instant
    var list: Int32

    static func < (left: Self, right: Self) -> Bool {
      (left.household, left.made, left.list) < (right.household, right.made, right.list)
    }
  }

  /// A list of a week, with the time when it was made. Lists that are set aside come before all others.
  private struct WeekList: Comparable, Sendable {
    var household: Household.ID
    var week: Day
    /// 1; 0 for a list that is set aside.
    var rank: Int
    var made: Instant
    var list: Int32

    static func < (left: Self, right: Self) -> Bool {
      (left.household, left.week, left.rank, left.made, left.list)
        < (right.household, right.week, right.rank, right.made, right.list)
    }

    /// An upper bound for the lists of a week.
    init(last week: Day, of household: Household.ID) {
      (self.household, self.week) = (household, week)
      (rank, made, list) = (1, .last, .max)
    }

    init(_ list: GroceryList, _ number: GroceryList.ID) {
      (household, week, made) = (list.household, list.weekStart, list.made)
      (rank, self.list) = (list.isSetAside ? 0 : 1, number.number)
    }
  }

  /// A line's key, with the place of the line.
  private struct LineKey: Comparable, Sendable {
    var key: Key
    var household: Household.ID
    var list: Int32
    var place: GroceryList.Place

    static func < (left: Self, right: Self) -> Bool {
      (left.key, left.household, left.list, left.place)
        < (right.key, right.household, right.list, right.place)
    }
  }

  /// A line that was not removed, in the order in which a household sees them.
  private struct OrderedLine: Comparable, Sendable {
    var list: Int32
    var category: Int
    /// The place that a client gave it; last of all if none did.
    var order: Int64
    var place: GroceryList.Place

    static func < (left: Self, right: Self) -> Bool {
      (left.list, left.category, left.order, left.place)
        < (right.list, right.category, right.order, right.place)
    }

    /// The line at a place of a list.
    init(_ content: GroceryItemContent, _ place: GroceryList.Place, of list: GroceryList.ID) {
      self.list = list.number
      category = content.category.symbolNumber
      order = content.order ?? .max
      self.place = place
    }

    /// A lower bound for the lines of a category.
    init(first category: GroceryCategory, of list: GroceryList.ID) {
      self.init(GroceryItemContent(name: "", category: category, order: .min), .first, of: list)
    }
  }

  /// The household's list that was made last and is not set aside; among lists made at the same time, the last one
  /// created.
  func currentList(of household: Household.ID) -> GroceryList.ID? {
    var found: GroceryList.ID?
    made.visit(before: ListByCreation(household: household, made: .last, list: .max)) { entry in
      if entry.household == household { found = GroceryList.ID(unchecked: entry.list) }
      return false
    }
    return found
  }

  /// The household's lists before a given one among those not set aside, the latest first.
  func lists(before number: GroceryList.ID, _ list: GroceryList) -> [GroceryList.ID] {
    var found: [GroceryList.ID] = []
    let last = ListByCreation(household: list.household, made: .last, list: .max)
    let own = ListByCreation(household: list.household, made: list.made, list: number.number)
    made.visit(before: last) { entry in
      guard own < entry else { return false }
      found.append(GroceryList.ID(unchecked: entry.list))
      return true
    }
    return found
  }

  /// The household's list for a week; among several, the one made last, preferring lists that are not set aside.
  func list(of household: Household.ID, week: Day) -> GroceryList.ID? {
    var found: GroceryList.ID?
    weeks.visit(before: WeekList(last: week, of: household)) { entry in
      if entry.household == household, entry.week == week {
        found = GroceryList.ID(unchecked: entry.list)
      }
      return false
    }
    return found
  }

  /// The first line of a household's lists with a key, removed or not.
  func line(
    of key: Key, in household: Household.ID
  ) -> (list: GroceryList.ID, place: GroceryList.Place)? {
    line(from: LineKey(key: key, household: household, list: 0, place: .first)) {
      $0.key == key && $0.household == household
    }
  }

  /// All lines with a key, removed or not: by household, then by list.
  func lines(
    of key: Key
  ) -> [(household: Household.ID, list: GroceryList.ID, place: GroceryList.Place)] {
    var found: [(household: Household.ID, list: GroceryList.ID, place: GroceryList.Place)] = []
    lines.visit(from: LineKey(key: key, household: .first, list: 0, place: .first)) { entry in
      guard entry.key == key else { return false }
      found.append((entry.household, GroceryList.ID(unchecked: entry.list), entry.place))
      return true
    }
    return found
  }

  /// The line of a list with a key, removed or not.
  func line(
    of key: Key, in list: GroceryList.ID, of household: Household.ID
  ) -> GroceryList.Place? {
    line(from: LineKey(key: key, household: household, list: list.number, place: .first)) {
      $0.key == key && $0.household == household && $0.list == list.number
    }?.place
  }

  private func line(
    from start: LineKey, where isMeant: (LineKey) -> Bool
  ) -> (list: GroceryList.ID, place: GroceryList.Place)? {
    var found: (GroceryList.ID, GroceryList.Place)?
    lines.visit(from: start) { entry in
      if isMeant(entry) { found = (GroceryList.ID(unchecked: entry.list), entry.place) }
      return false
    }
    return found
  }

  /// The number of shown lines of its category before the one at a place.
  func countShown(
    before place: GroceryList.Place, saying content: GroceryItemContent, in list: GroceryList.ID
  ) -> Int {
    shown.count(before: OrderedLine(content, place, of: list))
      - shown.count(before: OrderedLine(first: content.category, of: list))
  }

  // MARK: Keeping it

  fileprivate mutating func move(
    _ number: GroceryList.ID, from former: GroceryList?, to list: GroceryList?
  ) {
    if former?.order != list?.order {
      if let former { forget(former, number) }
      if let list, !list.isDeleted { note(list, number) }
    }
    for isWritten in [false, true] {
      let before = former?.lines(areWritten: isWritten) ?? []
      let after = list?.lines(areWritten: isWritten) ?? []
      // Only changed parts are compared: the rest of a long list is shared in memory.
      for changed in before.indices(changedSince: after) {
        for index in changed {
          if let former {
            forget(before[index], .init(isWritten: isWritten, index: index), of: number, former)
          }
        }
      }
      for changed in after.indices(changedSince: before) {
        for index in changed {
          if let list {
            note(after[index], .init(isWritten: isWritten, index: index), of: number, list)
          }
        }
      }
    }
  }

  private mutating func note(_ list: GroceryList, _ number: GroceryList.ID) {
    if !list.isSetAside {
      made.insert(ListByCreation(household: list.household, made: list.made, list: number.number))
    }
    weeks.insert(WeekList(list, number))
  }

  private mutating func forget(_ list: GroceryList, _ number: GroceryList.ID) {
    made.remove(ListByCreation(household: list.household, made: list.made, list: number.number))
    weeks.remove(WeekList(list, number))
  }

  private mutating func note(
    _ item: GroceryItem, _ place: GroceryList.Place, of number: GroceryList.ID, _ list: GroceryList
  ) {
    lines.insert(
      LineKey(key: item.key, household: list.household, list: number.number, place: place))
    guard item.status != .removed else { return }
    shown.insert(OrderedLine(item.content, place, of: number))
  }

  private mutating func forget(
    _ item: GroceryItem, _ place: GroceryList.Place, of number: GroceryList.ID, _ list: GroceryList
  ) {
    lines.remove(
      LineKey(key: item.key, household: list.household, list: number.number, place: place))
    guard item.status != .removed else { return }
    shown.remove(OrderedLine(item.content, place, of: number))
  }
}

extension GroceryList {
  /// The list itself: two of them show by their shared parts which lines changed.
  struct IndexKeys: Equatable {
    fileprivate var list: GroceryList

    static func == (left: Self, right: Self) -> Bool {
      left.list.order == right.list.order
        && [false, true].allSatisfy { isWritten in
          let (mine, other) = (
            left.list.lines(areWritten: isWritten), right.list.lines(areWritten: isWritten)
          )
          return mine.count == other.count && mine.indices(changedSince: other).isEmpty
        }
    }
  }

  /// The fields that decide its order among its household's lists.
  fileprivate struct Order: Equatable {
    let made: Instant
    let isDeleted: Bool
    let isSetAside: Bool
  }

  fileprivate var order: Order {
    Order(made: made, isDeleted: isDeleted, isSetAside: isSetAside)
  }

  func indexKeys(_ number: ID) -> IndexKeys { IndexKeys(list: self) }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.households.move(
      number, from: former?.list.household, to: keys?.list.household)
    state.indexes.households.groceries.move(number, from: former?.list, to: keys?.list)
  }
}

import Values
import Calendar
import Kitchen
import Avro

/// Which grocery list a household shops by, and where the lines of its lists are: made from the lists, and with them.
struct GroceryIndex: Equatable, Sendable {
  private var made = SortedSet<MadeList>()
  private var lines = SortedSet<LineKey>()
  private var shown = SortedSet<ShownLine>()

  /// A list, and when it was made.
  private struct MadeList: Comparable, Sendable {
    var household: Household.ID
    var made: Instant
    var list: Int32

    static func < (left: Self, right: Self) -> Bool {
      (left.household, left.made, left.list) < (right.household, right.made, right.list)
    }
  }

  /// A line's key, and where the line is.
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

  /// A line that was not taken off its list, in the order in which a household sees them.
  private struct ShownLine: Comparable, Sendable {
    var list: Int32
    var category: Int
    var place: GroceryList.Place

    static func < (left: Self, right: Self) -> Bool {
      (left.list, left.category, left.place) < (right.list, right.category, right.place)
    }
  }

  /// How much lies in what another index does not share.
  func unsharedCount(with other: GroceryIndex) -> Int {
    made.unsharedCount(with: other.made) + lines.unsharedCount(with: other.lines)
      + shown.unsharedCount(with: other.shown)
  }

  /// The list of a household that was made last; of those made at one time, the one that came last.
  func currentList(of household: Household.ID) -> GroceryList.ID? {
    var found: GroceryList.ID?
    made.visit(before: MadeList(household: household, made: .last, list: .max)) { entry in
      if entry.household == household { found = GroceryList.ID(unchecked: entry.list) }
      return false
    }
    return found
  }

  /// The first line of a household's lists that has a key, taken off or not.
  func line(
    of key: Key, in household: Household.ID
  ) -> (list: GroceryList.ID, place: GroceryList.Place)? {
    line(from: LineKey(key: key, household: household, list: 0, place: .first)) {
      $0.key == key && $0.household == household
    }
  }

  /// All lines that have a key, taken off or not: by household, then by list.
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

  /// The line of a list that has a key, taken off or not.
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

  /// How many lines of a category a household sees before the one at a place.
  func countShown(
    before place: GroceryList.Place, of category: GroceryCategory, in list: GroceryList.ID
  ) -> Int {
    let number = category.symbolNumber
    let start = ShownLine(list: list.number, category: number, place: .first)
    return shown.count(before: ShownLine(list: list.number, category: number, place: place))
      - shown.count(before: start)
  }

  // MARK: Keeping it

  fileprivate mutating func move(
    _ number: GroceryList.ID, from former: GroceryList?, to list: GroceryList?
  ) {
    if former?.made != list?.made {
      if let former {
        made.remove(
          MadeList(household: former.household, made: former.made, list: number.number))
      }
      if let list {
        made.insert(MadeList(household: list.household, made: list.made, list: number.number))
      }
    }
    for isWritten in [false, true] {
      let before = former?.lines(areWritten: isWritten) ?? []
      let after = list?.lines(areWritten: isWritten) ?? []
      // Only what was changed is looked at: the rest of a long list is the same in memory.
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

  private mutating func note(
    _ item: GroceryItem, _ place: GroceryList.Place, of number: GroceryList.ID, _ list: GroceryList
  ) {
    lines.insert(
      LineKey(key: item.key, household: list.household, list: number.number, place: place))
    guard item.status != .removed else { return }
    shown.insert(
      ShownLine(list: number.number, category: item.content.category.symbolNumber, place: place))
  }

  private mutating func forget(
    _ item: GroceryItem, _ place: GroceryList.Place, of number: GroceryList.ID, _ list: GroceryList
  ) {
    lines.remove(
      LineKey(key: item.key, household: list.household, list: number.number, place: place))
    guard item.status != .removed else { return }
    shown.remove(
      ShownLine(list: number.number, category: item.content.category.symbolNumber, place: place))
  }
}

extension GroceryList {
  /// The list as it is: which of its lines were changed is told by what two of them share.
  struct IndexKeys: Equatable {
    fileprivate var list: GroceryList

    static func == (left: Self, right: Self) -> Bool {
      left.list.made == right.list.made
        && [false, true].allSatisfy { isWritten in
          let (mine, other) = (
            left.list.lines(areWritten: isWritten), right.list.lines(areWritten: isWritten)
          )
          return mine.count == other.count && mine.indices(changedSince: other).isEmpty
        }
    }
  }

  func indexKeys(_ number: ID) -> IndexKeys { IndexKeys(list: self) }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.householdIndex.move(
      number, from: former?.list.household, to: keys?.list.household)
    state.householdIndex.groceries.move(number, from: former?.list, to: keys?.list)
  }
}

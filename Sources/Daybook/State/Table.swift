public import Values

/// The entities of a kind by number. It also finds an entity's number by its key, because requests and answers name
/// entities by key.
///
/// A copy is O(1) and shares everything unchanged, so that readers may keep a state while a writer goes on.
public struct Table<Element: Entity>: Sendable {
  /// The entities: number n is at index n − 1, minus the number of entities that are left out.
  public internal(set) var elements = PersistentArray<Element>()
  private var numbers = KeyTable()
  /// The number of entities of the book that come before the first one in this table; 0 for a whole book.
  @usableFromInline let leftOut: Int
  /// The numbers of the entities, ascending, when the table holds only some of a book's; nothing when the numbers are
  /// consecutive.
  private let some: [Int32]?

  /// Makes an empty table, of a whole book or of a part that begins later.
  init(leavingOut leftOut: Int = 0) {
    self.leftOut = leftOut
    some = nil
  }

  /// Makes an empty table of a part of a book: the first entity to be created gets the lowest number, and so on.
  ///
  /// - Precondition: the numbers are ascending.
  init(only numbers: [Int32]) {
    // With the largest offset no index is valid, so every lookup uses the list of numbers.
    leftOut = .max
    some = numbers
  }

  /// The entity with a number, if there is one.
  @inlinable
  public subscript(number: EntityNumber<Element>) -> Element? {
    place(of: number).map { elements[$0] }
  }

  /// The key of the entity with a number, if there is one. The entity is not copied for the answer.
  @_specialize(where Element == Account)
  package func key(of number: EntityNumber<Element>) -> Key? {
    place(of: number).map { elements[$0].key }
  }

  /// The index of the entity with a number, if there is one.
  @inlinable
  func place(of number: EntityNumber<Element>) -> Int? {
    let index = number.index &- leftOut
    return elements.indices.contains(index) ? index : placeAmongSome(number.number)
  }

  /// The index of an entity in a partial table; nothing in any other table.
  @usableFromInline
  func placeAmongSome(_ number: Int32) -> Int? {
    guard let some else { return nil }
    var (low, high) = (0, min(some.count, elements.count))
    while low < high {
      let middle = (low + high) / 2
      if some[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < elements.count && low < some.count && some[low] == number ? low : nil
  }

  /// The number of the entity that a key names, if there is one.
  ///
  /// It is specialised for the kinds that every request looks up: generic code would copy the entity that it compares.
  @_specialize(where Element == Account)
  @_specialize(where Element == Habit)
  public func number(of key: Key) -> EntityNumber<Element>? {
    numbers.number(of: key) { number in
      place(of: EntityNumber(unchecked: number)).map { elements[$0].key == key } ?? false
    }
    .map { EntityNumber(unchecked: $0) }
  }

  /// The number that the next entity gets.
  public var nextNumber: EntityNumber<Element> {
    guard let some else { return EntityNumber(index: leftOut + elements.count) }
    // Entities beyond the listed numbers are appended after them.
    guard elements.count >= some.count else { return EntityNumber(unchecked: some[elements.count]) }
    return EntityNumber(index: Int(some.last ?? 0) + elements.count - some.count)
  }

  /// Reserves room for a number of entities.
  mutating func reserve(_ count: Int) { numbers.reserve(count) }

  /// Appends an entity; its key names it from now on, whatever it named before.
  mutating func append(_ element: Element) {
    let number = nextNumber.number
    if let former = self.number(of: element.key) { numbers.remove(former.number, element.key) }
    numbers.insert(number, element.key)
    elements.append(element)
  }

  /// Undoes ``append(_:)``; `former` is what the key named before.
  mutating func removeLast(former: EntityNumber<Element>?) {
    guard let last = elements.last else { return }
    numbers.remove(nextNumber.number - 1, last.key)
    elements.removeLast()
    if let former { numbers.insert(former.number, last.key) }
  }

  /// Changes an entity in place; an unknown number changes nothing.
  mutating func update(_ number: EntityNumber<Element>, _ change: (inout Element) -> Void) {
    guard let index = place(of: number) else { return }
    change(&elements[index])
  }
}

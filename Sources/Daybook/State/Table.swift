public import Values

/// The entities of a kind, by number; and their numbers by key, for the borders.
///
/// A copy is O(1) and shares all that was not changed since, so that readers hold a state while a writer goes on.
public struct Table<Element: Entity>: Sendable {
  /// The entities: number n at index n − 1, less the ones that are left out.
  public internal(set) var elements = PersistentArray<Element>()
  private var numbers = KeyTable()
  /// How many entities before the first one here are left out: none in a whole book.
  @usableFromInline let leftOut: Int

  /// An empty table, of a whole book or of a part that begins later.
  init(leavingOut leftOut: Int = 0) { self.leftOut = leftOut }

  /// The entity of a number, if there is one.
  @inlinable
  public subscript(number: EntityNumber<Element>) -> Element? {
    place(of: number).map { elements[$0] }
  }

  /// Where the entity of a number stands, if there is one.
  @inlinable
  func place(of number: EntityNumber<Element>) -> Int? {
    let index = number.index &- leftOut
    return elements.indices.contains(index) ? index : nil
  }

  /// The number that a key names, if it names one.
  public func number(of key: Key) -> EntityNumber<Element>? {
    numbers.number(of: key) { elements[Int($0) &- 1 &- leftOut].key == key }
      .map { EntityNumber(unchecked: $0) }
  }

  /// The number that the next entity gets.
  public var nextNumber: EntityNumber<Element> { EntityNumber(index: leftOut + elements.count) }

  /// Makes room for so many.
  mutating func reserve(_ count: Int) { numbers.reserve(count) }

  /// Appends an entity; its key names it from now on, whatever it named before.
  mutating func append(_ element: Element) {
    let number = nextNumber.number
    if let former = self.number(of: element.key) { numbers.remove(former.number, element.key) }
    numbers.insert(number, element.key)
    elements.append(element)
  }

  /// Takes back ``append(_:)``; `former` is what the key named before.
  mutating func removeLast(former: EntityNumber<Element>?) {
    guard let last = elements.last else { return }
    numbers.remove(nextNumber.number - 1, last.key)
    elements.removeLast()
    if let former { numbers.insert(former.number, last.key) }
  }

  /// How much of the table lies in what another one does not share.
  func unsharedCount(with other: Table) -> Int {
    elements.unsharedCount(with: other.elements) + numbers.unsharedCount(with: other.numbers)
  }

  /// Changes an entity in its place; a number that names none changes nothing.
  mutating func update(_ number: EntityNumber<Element>, _ change: (inout Element) -> Void) {
    guard let index = place(of: number) else { return }
    change(&elements[index])
  }
}

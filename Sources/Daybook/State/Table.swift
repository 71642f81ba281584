/// The entities of a kind, by number; and their numbers by key, for the borders.
public struct Table<Element: Entity>: Sendable {
  /// The entities: number n at index n − 1, less the ones that are left out.
  public internal(set) var elements: ContiguousArray<Element> = []
  private var numbers: [Key: EntityNumber<Element>] = [:]
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
  public func number(of key: Key) -> EntityNumber<Element>? { numbers[key] }

  /// The number that the next entity gets.
  public var nextNumber: EntityNumber<Element> { EntityNumber(index: leftOut + elements.count) }

  /// Makes room for so many.
  mutating func reserve(_ count: Int) {
    elements.reserveCapacity(count)
    numbers.reserveCapacity(count)
  }

  mutating func append(_ element: Element, key: Key) {
    numbers[key] = nextNumber
    elements.append(element)
  }

  /// Changes all entities that are meant.
  mutating func updateAll(
    where isMeant: (Element) -> Bool, _ change: (inout Element) -> Void
  ) {
    for index in elements.indices where isMeant(elements[index]) { change(&elements[index]) }
  }

  /// Takes back ``append(_:key:)``; `former` is what the key named before.
  mutating func removeLast(key: Key, former: EntityNumber<Element>?) {
    elements.removeLast()
    numbers[key] = former
  }

  /// Changes an entity in its place; a number that names none changes nothing.
  mutating func update(_ number: EntityNumber<Element>, _ change: (inout Element) -> Void) {
    guard let index = place(of: number) else { return }
    change(&elements[index])
  }
}

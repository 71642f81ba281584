/// All entities of a kind, by number; and their numbers by key, for the borders.
public struct Table<Element: Entity>: Sendable {
  /// The entities: number n at index n − 1.
  public internal(set) var elements: ContiguousArray<Element> = []
  private var numbers: [Key: EntityNumber<Element>] = [:]

  /// The entity of a number, if there is one.
  @inlinable
  public subscript(number: EntityNumber<Element>) -> Element? {
    elements.indices.contains(number.index) ? elements[number.index] : nil
  }

  /// The number that a key names, if it names one.
  public func number(of key: Key) -> EntityNumber<Element>? { numbers[key] }

  /// The number that the next entity gets.
  public var nextNumber: EntityNumber<Element> { EntityNumber(index: elements.count) }

  mutating func append(_ element: Element, key: Key) {
    numbers[key] = nextNumber
    elements.append(element)
  }

  /// Takes back ``append(_:key:)``; `former` is what the key named before.
  mutating func removeLast(key: Key, former: EntityNumber<Element>?) {
    elements.removeLast()
    numbers[key] = former
  }

  /// Changes an entity in its place; a number that names none changes nothing.
  mutating func update(_ number: EntityNumber<Element>, _ change: (inout Element) -> Void) {
    guard elements.indices.contains(number.index) else { return }
    change(&elements[number.index])
  }
}

/// A sorted set whose copies share their common parts: a copy is O(1), and a change copies only the path to what it
/// changes.
///
/// It is a B+ tree. A leaf holds up to 64 elements, ascending, or up to 16 when they hold references; an inner node
/// keeps the least element under each of up to 16 children. Copying a node retains everything that it refers to, which
/// may be anywhere in memory: so nodes with many references are small. A node that gets too full is split, at its end
/// when it grows there, so that ascending insertions fill it; one that gets too empty is merged with a neighbour that
/// has room. Nodes that are not shared are changed in place. Source: D. Comer, "The Ubiquitous B-Tree" (1979).
///
/// - Complexity: searching, inserting, removing and counting up to an element are O(log count).
struct SortedSet<Element: Comparable> {
  private var root = Node()

  /// The number of elements.
  var count: Int { root.count }
  var isEmpty: Bool { root.count == 0 }

  fileprivate struct Node {
    /// The capacity of the node.
    var maximumCount: Int { children.isEmpty && _isPOD(Element.self) ? 64 : 16 }
    /// A node with fewer elements is merged with a neighbour, if one node has room for both.
    var fewCount: Int { maximumCount / 4 }

    /// The elements of a leaf; in an inner node, the least element under each child.
    var elements: ContiguousArray<Element> = []
    /// The children; empty in a leaf.
    var children: ContiguousArray<Node> = []
    /// The number of elements of the set under the node.
    var count = 0
  }

  func contains(_ element: Element) -> Bool {
    var isThere = false
    visit(from: element) { found in
      isThere = found == element
      return false
    }
    return isThere
  }

  /// Inserts an element, unless it is there already.
  mutating func insert(_ element: Element) {
    root.insert(element)
    guard root.isFull else { return }
    let right = root.part(after: element)
    let left = root
    root = Node(
      elements: [left.elements[0], right.elements[0]], children: [left, right],
      count: left.count + right.count)
  }

  /// Removes an element, if it is there.
  mutating func remove(_ element: Element) {
    root.remove(element)
    while root.children.count == 1 { root = root.children[0] }
    if root.count == 0 { root = Node() }
  }

  /// The number of elements less than a given one.
  func count(before element: Element) -> Int { root.count(before: element) }

  /// Visits the elements from a given one on, ascending, until `look` returns false.
  func visit(from start: Element, _ look: (Element) -> Bool) {
    _ = root.visit(from: start, look)
  }

  /// Visits the elements before a given one, descending, until `look` returns false.
  func visit(before end: Element, _ look: (Element) -> Bool) {
    _ = root.visit(before: end, look)
  }

  /// All elements, ascending.
  var elements: [Element] {
    var all: [Element] = []
    all.reserveCapacity(count)
    root.collect(into: &all)
    return all
  }

  /// The greatest element.
  var last: Element? {
    var node = root
    while let child = node.children.last { node = child }
    return node.elements.last
  }

  /// The number of elements in leaves, and of keys in inner nodes, that are not shared with another set.
  func unsharedCount(with other: SortedSet) -> Int { root.unsharedCount(with: other.root) }
}

extension SortedSet: Sendable where Element: Sendable {}
extension SortedSet.Node: Sendable where Element: Sendable {}

extension SortedSet: Equatable {
  /// Whether both have the same elements, whatever the shapes of their trees.
  static func == (left: SortedSet, right: SortedSet) -> Bool { left.elements == right.elements }
}

extension SortedSet.Node {
  fileprivate var isFull: Bool { elements.count > maximumCount }

  /// The index of the first element that is not less than a given one.
  private func lowerBound(_ element: Element) -> Int {
    let elements = elements.span
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if elements[middle] < element { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// The index of the child whose subtree includes an element, if the set does.
  private func child(of element: Element) -> Int {
    let place = lowerBound(element)
    if place < elements.count, elements.span[place] == element { return place }
    return Swift.max(0, place &- 1)
  }

  /// Inserts an element; the node may be too full afterwards.
  ///
  /// - Returns: Whether the element was new.
  @discardableResult
  fileprivate mutating func insert(_ element: Element) -> Bool {
    guard !children.isEmpty else {
      let place = lowerBound(element)
      if place < elements.count, elements.span[place] == element { return false }
      if elements.isEmpty { elements.reserveCapacity(8) }
      elements.insert(element, at: place)
      count += 1
      return true
    }
    let place = child(of: element)
    guard children[place].insert(element) else { return false }
    count += 1
    if element < elements.span[place] { elements[place] = element }
    if children[place].isFull {
      let right = children[place].part(after: element)
      elements.insert(right.elements[0], at: place + 1)
      children.insert(right, at: place + 1)
    }
    return true
  }

  /// Splits a node that is too full, and returns the right part.
  fileprivate mutating func part(after element: Element) -> Self {
    let isAtEnd = elements.span[elements.count - 1] <= element
    let place = isAtEnd ? elements.count - 1 : elements.count / 2
    var right = Self()
    right.elements = ContiguousArray(elements[place...])
    elements.removeSubrange(place...)
    if children.isEmpty {
      right.count = right.elements.count
    } else {
      right.children = ContiguousArray(children[place...])
      children.removeSubrange(place...)
      right.count = right.children.reduce(0) { $0 + $1.count }
    }
    count -= right.count
    return right
  }

  /// Removes an element; the node may be too empty afterwards.
  ///
  /// - Returns: Whether the element was there.
  @discardableResult
  fileprivate mutating func remove(_ element: Element) -> Bool {
    guard !children.isEmpty else {
      let place = lowerBound(element)
      guard place < elements.count, elements.span[place] == element else { return false }
      elements.remove(at: place)
      count -= 1
      return true
    }
    let place = child(of: element)
    guard children[place].remove(element) else { return false }
    count -= 1
    guard let least = children[place].elements.first else {
      elements.remove(at: place)
      children.remove(at: place)
      return true
    }
    elements[place] = least
    if children[place].elements.count < children[place].fewCount {
      if place > 0 { join(place - 1) } else if children.count > 1 { join(place) }
    }
    return true
  }

  /// Merges a child with the next one, if one node has room for both and some to spare.
  private mutating func join(_ place: Int) {
    let next = children[place + 1]
    guard children[place].elements.count + next.elements.count <= next.maximumCount * 3 / 4 else {
      return
    }
    children[place].elements += next.elements
    children[place].children += next.children
    children[place].count += next.count
    elements.remove(at: place + 1)
    children.remove(at: place + 1)
  }

  fileprivate func count(before element: Element) -> Int {
    guard !children.isEmpty else { return lowerBound(element) }
    let place = child(of: element)
    return children[..<place].reduce(0) { $0 + $1.count } + children[place].count(before: element)
  }

  fileprivate func visit(from start: Element, _ look: (Element) -> Bool) -> Bool {
    guard !children.isEmpty else {
      for place in lowerBound(start)..<elements.count where !noteAndLook(place, look) {
        return false
      }
      return true
    }
    for place in child(of: start)..<children.count
    where !children[place].visit(from: start, look) {
      return false
    }
    return true
  }

  fileprivate func visit(before end: Element, _ look: (Element) -> Bool) -> Bool {
    let bound = lowerBound(end)
    if children.isEmpty {
      for place in (0..<bound).reversed() where !noteAndLook(place, look) { return false }
    } else {
      for place in (0..<bound).reversed() where !children[place].visit(before: end, look) {
        return false
      }
    }
    return true
  }

  private func noteAndLook(_ place: Int, _ look: (Element) -> Bool) -> Bool {
    #if DEBUG
      ReadCounter.noteRead()
    #endif
    return look(elements[place])
  }

  fileprivate func collect(into all: inout [Element]) {
    guard !children.isEmpty else { return all.append(contentsOf: elements) }
    for child in children { child.collect(into: &all) }
  }

  private var height: Int { children.first.map { $0.height + 1 } ?? 0 }

  fileprivate func unsharedCount(with other: Self) -> Int {
    if elements.isShared(with: other.elements), children.isShared(with: other.children) { return 0 }
    var unshared = elements.count
    // A node still counts as shared when it moved by one index because a neighbour was split, or down one level because
    // the root was.
    let isHigher = height > other.height
    for child in children {
      let place = other.children.isEmpty ? nil : other.child(of: child.elements[0])
      unshared += child.unsharedCount(
        with: isHigher ? other : place.map { other.children[$0] } ?? Self())
    }
    return unshared
  }
}

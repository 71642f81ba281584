/// An array whose copies share their common parts, so that a reader may keep one while a writer goes on: a copy is
/// O(1), and a write copies only the path to what it changes.
///
/// Layout: elements are in pages of 16 (of 64 when they are small and hold no reference, of 8 when they are large); a
/// node holds 64 pages, a branch 64 nodes, and the root all branches. Every write to something shared copies one page,
/// one node, one branch and the root, which has one reference for every 32 768 elements or more; what is not shared is
/// changed in place. All pages but the last are full. Source: P. Bagwell, "Ideal Hash Trees" (2001), as in Clojure's
/// vectors.
///
/// - Complexity: reading, writing, appending and removing the last element are O(log count).
public struct PersistentArray<Element> {
  @usableFromInline typealias Page = ContiguousArray<Element>
  @usableFromInline typealias Node = ContiguousArray<Page>
  @usableFromInline typealias Branch = ContiguousArray<Node>

  @usableFromInline var root: ContiguousArray<Branch> = []
  /// The number of elements.
  public private(set) var count = 0

  /// The binary logarithm of the number of elements in a page: a page of large elements is expensive to copy, as each
  /// holds references.
  @inlinable
  static var pageBits: Int {
    let byteCount = MemoryLayout<Element>.stride
    return byteCount > 128 ? 3 : _isPOD(Element.self) && byteCount <= 32 ? 6 : 4
  }
  @inlinable
  static var pageMask: Int { 1 &<< pageBits &- 1 }

  /// An empty array.
  public init() {}

  /// An array of the elements of a sequence.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// The path to an element.
  @usableFromInline
  struct Place {
    @usableFromInline let branch: Int
    @usableFromInline let node: Int
    @usableFromInline let page: Int
    @usableFromInline let element: Int

    @inlinable
    init(_ index: Int) {
      branch = index &>> (PersistentArray.pageBits &+ 12)
      node = index &>> (PersistentArray.pageBits &+ 6) & 63
      page = index &>> PersistentArray.pageBits & 63
      element = index & PersistentArray.pageMask
    }
  }

  mutating func append(_ element: Element) {
    let place = Place(count)
    if place.element == 0 {
      if place.page == 0 {
        if place.node == 0 { root.append([]) }
        root[place.branch].append([])
      }
      var page = Page()
      // Many arrays are small, and need no full first page.
      if count > 0 { page.reserveCapacity(Self.pageMask + 1) }
      root[place.branch][place.node].append(page)
    }
    root[place.branch][place.node][place.page].append(element)
    count += 1
  }

  /// Removes the last element.
  ///
  /// - Precondition: the array is not empty.
  mutating func removeLast() {
    precondition(count > 0, "there is a last element")
    count -= 1
    let place = Place(count)
    root[place.branch][place.node][place.page].removeLast()
    guard place.element == 0 else { return }
    root[place.branch][place.node].removeLast()
    guard place.page == 0 else { return }
    root[place.branch].removeLast()
    if place.node == 0 { root.removeLast() }
  }
}

extension PersistentArray: RandomAccessCollection, MutableCollection {
  /// 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of elements.
  @inlinable public var endIndex: Int { count }

  /// The element at an index.
  public subscript(index: Int) -> Element {
    @inlinable
    _read {
      precondition(index >= 0 && index < count, "there is an element at the index")
      #if DEBUG
        ReadCounter.noteRead()
      #endif
      let place = Place(index)
      let page = root[place.branch][place.node][place.page]
      // The element is read in place: a copy would retain everything that it holds.
      yield page.span[place.element]
    }
    @inlinable
    _modify {
      precondition(index >= 0 && index < count, "there is an element at the index")
      let place = Place(index)
      yield &root[place.branch][place.node][place.page][place.element]
    }
  }

  /// Iterates over the elements page by page.
  public struct Iterator: IteratorProtocol {
    private let array: PersistentArray
    private var page: Page = []
    private var index = 0

    init(_ array: PersistentArray) { self.array = array }

    /// The next element.
    public mutating func next() -> Element? {
      guard index < array.count else { return nil }
      let place = Place(index)
      if place.element == 0 { page = array.root[place.branch][place.node][place.page] }
      index += 1
      #if DEBUG
        ReadCounter.noteRead()
      #endif
      return page[place.element]
    }
  }

  /// Makes an iterator over the elements.
  public func makeIterator() -> Iterator { Iterator(self) }
}

extension PersistentArray: Sendable where Element: Sendable {}

extension PersistentArray: ExpressibleByArrayLiteral {
  /// Makes an array of the literal's elements.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension PersistentArray: Equatable where Element: Equatable {
  /// Whether both have the same elements in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension PersistentArray: Hashable where Element: Hashable {
  /// Hashes the elements.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

// MARK: What two arrays share

extension PersistentArray {
  /// The index ranges of the pages that differ between this array and another one, ascending: they include every
  /// change. Shared parts are skipped.
  ///
  /// - Complexity: linear in what is not shared.
  func indices(changedSince other: PersistentArray) -> [Range<Int>] {
    var changed: [Range<Int>] = []
    let width = Self.pageMask + 1
    for (branch, nodes) in root.enumerated() {
      let formerNodes = branch < other.root.count ? other.root[branch] : []
      guard !nodes.isShared(with: formerNodes) else { continue }
      for (node, pages) in nodes.enumerated() {
        let formerPages = node < formerNodes.count ? formerNodes[node] : []
        guard !pages.isShared(with: formerPages) else { continue }
        for (page, elements) in pages.enumerated()
        where !(page < formerPages.count && elements.isShared(with: formerPages[page])) {
          let start = ((branch &<< 6 | node) &<< 6 | page) * width
          changed.append(start..<start + elements.count)
        }
      }
    }
    return changed
  }

  /// The number of elements and references that are not shared with another array: what a change has copied.
  func unsharedCount(with other: PersistentArray) -> Int {
    guard !root.isShared(with: other.root) else { return 0 }
    var unshared = root.count
    for (branch, nodes) in root.enumerated() {
      let formerNodes = branch < other.root.count ? other.root[branch] : []
      guard !nodes.isShared(with: formerNodes) else { continue }
      unshared += nodes.count
      for (node, pages) in nodes.enumerated()
      where !(node < formerNodes.count && pages.isShared(with: formerNodes[node])) {
        unshared += pages.count
      }
    }
    return unshared + indices(changedSince: other).reduce(0) { $0 + $1.count }
  }
}

extension ContiguousArray {
  /// Whether two arrays are one and the same in memory.
  func isShared(with other: ContiguousArray) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { mine in
        other.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress }
      }
  }
}

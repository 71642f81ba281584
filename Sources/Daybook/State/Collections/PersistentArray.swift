/// An array of which copies share all that they have in common, so that a reader may hold one while a writer goes on:
/// a copy is O(1), and a write copies no more than the way to what it changes.
///
/// Layout: elements lie in pages of 16 (of 64 when they are small and hold no reference, of 8 when they are large), 64
/// pages are held by a node, 64 nodes by a branch, and all branches by the root. Every write to something shared copies
/// one page, one node, one branch and the root, which has one reference for every 32 768 elements or more; what nobody else
/// holds is changed in its place. Pages are full but for the last one. Source: P. Bagwell, "Ideal Hash Trees" (2001), as
/// Clojure's vectors do it.
///
/// - Complexity: reading, writing, appending and removing the last one are O(log count).
public struct PersistentArray<Element> {
  @usableFromInline typealias Page = ContiguousArray<Element>
  @usableFromInline typealias Node = ContiguousArray<Page>
  @usableFromInline typealias Branch = ContiguousArray<Node>

  @usableFromInline var root: ContiguousArray<Branch> = []
  /// How many elements there are.
  public private(set) var count = 0

  /// How many elements a page has is 2 to this: a page of large ones is dear to copy, as each holds references.
  @inlinable
  static var pageBits: Int {
    let byteCount = MemoryLayout<Element>.stride
    return byteCount > 128 ? 3 : _isPOD(Element.self) && byteCount <= 32 ? 6 : 4
  }
  @inlinable
  static var pageMask: Int { 1 &<< pageBits &- 1 }

  /// No elements.
  public init() {}

  /// The elements of a sequence.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Where an element is.
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

  /// Appends an element.
  mutating func append(_ element: Element) {
    let place = Place(count)
    if place.element == 0 {
      if place.page == 0 {
        if place.node == 0 { root.append([]) }
        root[place.branch].append([])
      }
      var page = Page()
      // The first pages of the many small arrays need not be whole.
      if count > 0 { page.reserveCapacity(Self.pageMask + 1) }
      root[place.branch][place.node].append(page)
    }
    root[place.branch][place.node][place.page].append(element)
    count += 1
  }

  /// Takes the last element off.
  ///
  /// - Precondition: there is one.
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
  /// As many as there are elements.
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
      // Read where it stands: a copy would retain all that it holds.
      yield page.span[place.element]
    }
    @inlinable
    _modify {
      precondition(index >= 0 && index < count, "there is an element at the index")
      let place = Place(index)
      yield &root[place.branch][place.node][place.page][place.element]
    }
  }

  /// Goes through the elements page by page.
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

  /// Goes through the elements.
  public func makeIterator() -> Iterator { Iterator(self) }
}

extension PersistentArray: Sendable where Element: Sendable {}

extension PersistentArray: ExpressibleByArrayLiteral {
  /// The elements that are written down.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension PersistentArray: Equatable where Element: Equatable {
  /// Whether both have the same elements in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension PersistentArray: Hashable where Element: Hashable {
  /// Takes the elements in.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

// MARK: What two arrays share

extension PersistentArray {
  /// The indexes at which the pages of this array and another one are not the same, ascending: what a write changed is
  /// in them. What both share is passed over.
  ///
  /// - Complexity: in what is not shared.
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

  /// How many elements and references lie in what another array does not share: what a change has copied.
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

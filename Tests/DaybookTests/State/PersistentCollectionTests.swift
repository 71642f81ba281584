import PropertyTesting
import Testing

@testable import Daybook

/// The collections that share structure with their copies, against the standard library's, and the cost of a change.
@Suite(.tags(.law)) struct PersistentCollectionTests {
  /// An operation on a collection, with a number.
  private enum Act: Int, CaseIterable {
    case add, addMany, remove, change, hold
  }

  private static var acts: Generator<[(Int, Int)]> {
    Generator.zip(
      Generator<Int>.integer(in: 0...Act.allCases.count - 1), Generator<Int>.integer(in: 0...9999)
    ).array(count: 0...120)
  }

  @Test func `a persistent array behaves like an array, and copies do not change`() {
    let report = check("arrays", Self.acts, cases: 20) { acts in
      var array = PersistentArray<Int>()
      var model: [Int] = []
      var held: [(PersistentArray<Int>, [Int])] = []
      for (act, number) in acts {
        switch Act.allCases[act] {
        case .add:
          array.append(number)
          model.append(number)
        case .addMany:
          for more in 0..<number % 700 {
            array.append(more)
            model.append(more)
          }
        case .remove:
          for _ in 0..<min(model.count, number % 70) {
            array.removeLast()
            model.removeLast()
          }
        case .change:
          guard !model.isEmpty else { continue }
          array[number % model.count] = number
          model[number % model.count] = number
        case .hold: held.append((array, model))
        }
      }
      try expectEqual(Array(array), model)
      try expectEqual(array.indices.map { array[$0] }, model)
      for (array, model) in held { try expectEqual(Array(array), model, "a copy") }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a sorted set behaves like a set in order, and copies do not change`() {
    let report = check("sets", Self.acts, cases: 20) { acts in
      var set = SortedSet<Int>()
      var model: Set<Int> = []
      var held: [(SortedSet<Int>, Set<Int>)] = []
      for (act, number) in acts {
        switch Act.allCases[act] {
        case .add:
          set.insert(number)
          model.insert(number)
        case .addMany:
          for more in number..<number + number % 300 {
            // Ascending, descending, and at random.
            let value = [more, 20_000 - more, more &* 7919 % 10_007][number % 3]
            set.insert(value)
            model.insert(value)
          }
        case .remove:
          for value in model.sorted().dropFirst(number % (model.count + 1)).prefix(number % 200) {
            set.remove(value)
            model.remove(value)
          }
        case .change:
          set.remove(number)
          model.remove(number)
        case .hold: held.append((set, model))
        }
        let middle = number
        try expectEqual(set.contains(middle), model.contains(middle))
      }
      let sorted = model.sorted()
      try expectEqual(set.elements, sorted)
      try expectEqual(set.count, model.count)
      try expectEqual(set.last, sorted.last)
      for middle in acts.prefix(12).map(\.1) {
        try expectEqual(set.count(before: middle), sorted.count { $0 < middle })
        var (above, below): ([Int], [Int]) = ([], [])
        set.visit(from: middle) {
          above.append($0)
          return above.count < 100
        }
        set.visit(before: middle) {
          below.append($0)
          return below.count < 100
        }
        try expectEqual(above, Array(sorted.filter { $0 >= middle }.prefix(100)))
        try expectEqual(below, Array(sorted.filter { $0 < middle }.reversed().prefix(100)))
      }
      for (set, model) in held { try expectEqual(set.elements, model.sorted(), "a copy") }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a key finds its number until it is removed, despite collisions`() {
    let report = check("keys", Self.acts, cases: 20) { acts in
      var table = KeyTable()
      var model: [Key: Int32] = [:]
      var held: [(KeyTable, [Key: Int32])] = []
      func key(_ number: Int) -> Key { Key(high: UInt64(number), low: 7) }
      func insert(_ number: Int) {
        guard model[key(number)] == nil else { return }
        table.insert(Int32(number), key(number))
        model[key(number)] = Int32(number)
      }
      for (act, number) in acts {
        switch Act.allCases[act] {
        case .add: insert(number)
        case .addMany: for more in 0..<number % 500 { insert(number + more) }
        case .remove, .change:
          table.remove(Int32(number), key(number))
          model[key(number)] = nil
        case .hold: held.append((table, model))
        }
      }
      held.append((table, model))
      for (table, model) in held {
        for number in Set(model.values.map(Int.init)).union(acts.map(\.1)) {
          let found = table.number(of: key(number)) { $0 == Int32(number) }
          try expectEqual(found, model[key(number)])
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a change of a shared collection copies a page, a node, a branch and the root`() {
    for count in [1000, 10_000, 100_000] {
      var array = PersistentArray(0..<count)
      var set = SortedSet<Int>()
      for number in 0..<count { set.insert(number * 2) }
      let (held, heldSet) = (array, set)
      #expect(array.unsharedCount(with: held) == 0)
      array[count / 3] = -1
      #expect((1...256).contains(array.unsharedCount(with: held)))
      #expect(array.indices(changedSince: held).count == 1)
      set.insert(count | 1)
      #expect((1...4 * 64).contains(set.unsharedCount(with: heldSet)))
    }
  }

  @Test func `an unshared collection is changed in place`() {
    var array = PersistentArray((0..<10_000).map { [$0] })
    let pages = array
    // Only shared pages are copied: the first change of a page copies it, and the second does not.
    array[5000].append(1)
    let once = array.unsharedCount(with: pages)
    array[5001].append(1)
    #expect(array.unsharedCount(with: pages) == once)
  }

  @Test func `a shrinking set merges its nodes, and stays shallow`() {
    var set = SortedSet<Int>()
    for number in 0..<50_000 { set.insert(number) }
    for number in 0..<50_000 where number % 100 != 0 { set.remove(number) }
    #expect(set.elements == (0..<500).map { $0 * 100 })
    // Few nodes hold it again: a copy shares all but little more than the elements.
    #expect(set.unsharedCount(with: SortedSet()) < 500 + 200)
  }
}

import PropertyTesting
import struct Crypto.SHA256
import Testing

@testable import Journal

/// The tree of salts, by the wording of Docs/Format.md.
@Suite(.tags(.law)) struct SaltTreeTests {
  private static let root = Digest(of: [1, 2, 3])

  /// A node below the root, from the root down.
  private static func node(_ number: UInt64) -> Digest {
    guard number > 1 else { return root }
    let above = Array(node(number / 2).description.utf8)
    let bytes = stride(from: 0, to: 64, by: 2).map { place in
      UInt8(String(decoding: above[place..<place + 2], as: UTF8.self), radix: 16) ?? 0
    }
    return Digest(of: bytes + [UInt8(number % 2)])
  }

  private static func salt(_ ordinal: Int) -> Digest { node(1 << 32 + UInt64(ordinal)) }

  @Test func `salts are the leaves of the tree, in any order of asking`() {
    var tree = SaltTree(root: Self.root)
    for ordinal in [0, 1, 2, 5, 3, 4, 1 << 20, 7, 1 << 32 - 1, 0] {
      #expect(tree.salt(at: ordinal) == Self.salt(ordinal), "\(ordinal)")
    }
    #expect(tree.salt(at: -1) == nil && tree.salt(at: 1 << 32) == nil)
  }

  @Test
  func `a tree without erased salts gives all others, and none of the erased ones`() {
    let ordinals = Generator<Int>.integer(in: 0...70).array(count: 0...30)
    let worlds = Generator.zip(ordinals, ordinals, Generator<Int>.integer(in: 0...80))
    let report = check("punctured", worlds, cases: 25) { first, second, end in
      var tree = SaltTree(root: Self.root)
      var gone: Set<Int> = []
      for round in [first, second] {
        gone.formUnion(round)
        let needed = (0..<end).filter { !gone.contains($0) && $0 % 3 != 0 }
        guard let left = tree.leading(to: needed, without: gone.sorted(), before: end) else {
          throw Failure(what: "a salt that is needed is not led to")
        }
        tree = left
        guard let read = SaltTree(left.text) else { throw Failure(what: left.text) }
        var again = read
        try expectEqual(again.text, left.text)
        for ordinal in 0..<100 {
          let salt = tree.salt(at: ordinal)
          try expectEqual(again.salt(at: ordinal), salt)
          if needed.contains(ordinal) { try expectEqual(salt, Self.salt(ordinal)) }
          if gone.contains(ordinal) || ordinal >= end { try expectEqual(salt, nil) }
        }
      }
      // An erased salt does not come back.
      if let lost = gone.min() {
        try expect(tree.leading(to: [lost], without: []) == nil, "\(lost) can be reached again")
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `the first salts of a tree need few nodes, and give no others`() {
    for count in [0, 1, 2, 3, 64, 1000, 1 << 32] {
      var tree = SaltTree(root: Self.root).prefix(count)
      #expect(tree.text.split(separator: " ").count <= 32)
      for ordinal in Set([0, count / 2, count - 1]) where ordinal >= 0 && ordinal < count {
        #expect(tree.salt(at: ordinal) == Self.salt(ordinal))
      }
      #expect(tree.salt(at: count) == nil)
    }
  }

  @Test(
    arguments: [
      "", "1:", "1", ":", "1:00", "x:" + String(repeating: "0", count: 64),
      "1:" + String(repeating: "0", count: 64) + " ", " 1:" + String(repeating: "0", count: 64),
      "1:" + String(repeating: "A", count: 64), "+1:" + String(repeating: "0", count: 64),
      "99999999999:" + String(repeating: "0", count: 64), "1:" + String(repeating: "0", count: 65),
    ])
  func `text that is not a list of nodes is refused`(text: String) {
    #expect((SaltTree(text) == nil) == !text.isEmpty)
  }

  struct Failure: Error { var what: String }
}

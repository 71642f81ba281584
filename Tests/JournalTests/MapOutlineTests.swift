import Avro
import PropertyTesting
import Testing

@testable import Journal

/// Caches beside sealed segments, as a test makes them: outlines, and entries by aggregate.
struct KeptMaps: MapSource {
  var outlines: [Position: MapOutline] = [:]
  let clucks: [Cluck]
  var lost: Int64?

  init(of journal: Journal, _ clucks: [Cluck], entryCapacity: Int) throws {
    self.clucks = clucks
    for name in try journal.segments() {
      let header = try journal.header(of: name)
      guard header.seal != nil else { break }
      outlines[name.first] = try journal.outline(of: name, entryCapacity: entryCapacity)
    }
  }

  func outline(of header: SegmentHeader) -> MapOutline? { outlines[header.first] }

  func entries(
    of header: SegmentHeader, about kind: String, _ numbers: Range<Int64>
  ) -> [(number: Int32, position: Position, bytes: [UInt8])]? {
    guard let last = header.seal?.last else { return nil }
    // No entry is about 0, or about a larger number than these.
    return numbers.clamped(to: 1..<5001).flatMap { number in
      AggregateMapTests.positions(of: String(kind.dropLast(7)), Int32(number), in: clucks)
        .filter { header.first.number...last.number ~= $0 && $0 != lost }
        .map { (Int32(number), Position($0), clucks[Int($0) - 1].encoded()) }
    }
  }
}

/// A proof from the outlines of maps equals the one from the segments.
@Suite(.tags(.law)) struct MapOutlineTests {
  static let hens: [Int32] = [1, 2, 3, 7, 63, 64, 70, 127, 128, 5000]

  @Test(arguments: 0..<(try scaled(6)))
  func `a proof from an outline equals the proof from the segment`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let clucks = (0..<80).map { Cluck.random($0, &random) }
    let journal = try AggregateMapTests.journal(clucks)
    let kept = try KeptMaps(of: journal, clucks, entryCapacity: [1, 3, 8, 1024][seed % 4])
    #expect(!kept.outlines.isEmpty)
    for (first, outline) in kept.outlines {
      #expect(outline.leads(to: try journal.header(of: SegmentName(first: first))))
    }
    for hen in Self.hens {
      let subjects = [
        ProvenSubject(kind: "hen-number", number: hen),
        ProvenSubject(kind: "nest-number", number: 1 + hen % 6),
        ProvenSubject(kind: "hen-number", number: 2),
      ]
      let read = try #require(try journal.prove(about: subjects, with: EmptyMapSource()))
      let found = try #require(try journal.prove(about: subjects, with: kept))
      #expect(found.segments == read.segments && found.head == read.head)
      #expect(found.misread.isEmpty)
      // The paths of two aggregates of one kind lead to the same digest.
      var reached = Head(book: Journal.book)
      for segment in found.segments { reached = try segment.head(after: reached, about: subjects) }
      #expect(reached == found.head)
    }
  }

  @Test(arguments: 0..<(try scaled(20)))
  func `a changed outline is ignored`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let clucks = (0..<80).map { Cluck.random($0, &random) }
    let journal = try AggregateMapTests.journal(clucks)
    var kept = try KeptMaps(of: journal, clucks, entryCapacity: 2)
    let name = try journal.segments()[0]
    var outline = try #require(kept.outlines[name.first])
    let tree = try #require(
      outline.trees.indices.filter { !outline.trees[$0].nodes.isEmpty }.randomElement(
        using: &random))
    let node = Int.random(in: outline.trees[tree].nodes.indices, using: &random)
    switch seed % 8 {
    case 0: outline.content = Digest(of: [1])
    case 1: outline.trees[tree].nodes[node].digest = Digest(of: [1])
    case 2: outline.trees[tree].nodes[node].number += 1
    case 3: outline.trees[tree].nodes.remove(at: node)
    case 4: outline.trees[tree].nodes.reverse()
    case 5: outline.trees[tree].nodes[node].number = [.min, -1, 0, .max][seed % 4]
    case 6: outline.trees[tree].depth = [-1, 32, .max, 0][seed / 8 % 4]
    default: outline.trees.removeLast()
    }
    guard outline != kept.outlines[name.first] else { return }
    kept.outlines[name.first] = outline
    #expect(!outline.leads(to: try journal.header(of: name)))
    for hen in Self.hens {
      let subjects = [ProvenSubject(kind: "hen-number", number: hen)]
      let read = try #require(try journal.prove(about: subjects, with: EmptyMapSource()))
      let found = try #require(try journal.prove(about: subjects, with: kept))
      #expect(found.segments == read.segments && found.head == read.head)
      // An outline without a tree is not used, and the digests on the path are recomputed, so that a wrong node there
      // does no harm.
      #expect(found.misread == [name] || [1, 7].contains(seed % 8) && found.misread.isEmpty)
    }
  }

  @Test func `an incomplete list of an aggregate's entries is ignored`() throws {
    var random = SplitMix64(seed: 3)
    let clucks = (0..<80).map { Cluck.random($0, &random) }
    let journal = try AggregateMapTests.journal(clucks)
    var kept = try KeptMaps(of: journal, clucks, entryCapacity: 1)
    let position = try #require(AggregateMapTests.positions(of: "hen", 2, in: clucks).first)
    kept.lost = position
    let subjects = [ProvenSubject(kind: "hen-number", number: 2)]
    let read = try #require(try journal.prove(about: subjects, with: EmptyMapSource()))
    let found = try #require(try journal.prove(about: subjects, with: kept))
    #expect(found.segments == read.segments)
    #expect(found.misread.count == 1)
  }
}

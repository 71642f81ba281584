import Avro
import PropertyTesting
import Testing

@testable import Journal

/// An entry about something: it creates a hen or a nest, concerns one, or concerns nothing.
struct Cluck {
  var at: Int64
  var event: Event

  enum Event: Hashable {
    case henHatched(name: String)
    case henFed(Int32, grams: Int32)
    case nestBuilt
    case nestSwept(by: String, Int32)
    case rained
  }

  static let schemaText = """
    {"type":"record","name":"Cluck","fields":[{"name":"at","type":"long"},{"name":"event","type":[\
    {"type":"record","name":"HenHatched","fields":[{"name":"name","type":"string","personal":true}],"creates":"hen-number"},\
    {"type":"record","name":"HenFed","fields":[{"name":"hen","type":{"type":"int","logicalType":"hen-number"}},{"name":"grams","type":"int"}]},\
    {"type":"record","name":"NestBuilt","fields":[],"creates":"nest-number"},\
    {"type":"record","name":"NestSwept","fields":[{"name":"by","type":"string","personal":true},{"name":"nest","type":{"type":"int","logicalType":"nest-number"}}]},\
    {"type":"record","name":"Rained","fields":[]}]}]}
    """

  /// The bytes without personal fields.
  func encoded(isPublic: Bool = false) -> [UInt8] {
    var writer = BinaryWriter()
    writer.put(at)
    func put(_ text: String) { writer.put(counted: Array((isPublic ? "" : text).utf8)) }
    switch event {
    case .henHatched(let name):
      writer.put(Int64(0))
      put(name)
    case .henFed(let hen, let grams):
      writer.put(Int64(1))
      writer.put(Int64(hen))
      writer.put(Int64(grams))
    case .nestBuilt: writer.put(Int64(2))
    case .nestSwept(let by, let nest):
      writer.put(Int64(3))
      put(by)
      writer.put(Int64(nest))
    case .rained: writer.put(Int64(4))
    }
    return writer.bytes
  }

  static func random(_ number: Int, _ random: inout SplitMix64) -> Cluck {
    let names = ["", "Ada", "Bee"]
    let event: Event =
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: .henHatched(name: names[number % 3])
      case 2: .nestBuilt
      case 3: .nestSwept(by: names[number % 3], Int32.random(in: -1...5, using: &random))
      case 4: .rained
      case 5: .henFed(Int32.random(in: 0...70, using: &random), grams: 3)
      default: .henFed(Int32.random(in: 1...6, using: &random), grams: Int32(number))
      }
    return Cluck(at: Int64(number), event: event)
  }
}

/// The map of each segment proves which entries are about an aggregate (Docs/Format.md, "What entries are about").
@Suite(.tags(.law)) struct AggregateMapTests {
  /// A journal about hens and nests, some of its segments sealed.
  static func journal(_ clucks: [Cluck], segmentByteCount: Int = 1500) throws -> Journal {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.create(book: Journal.book, schemaText: Cluck.schemaText, salts: .fixed)
    let lock = try JournalWriter.takeLock(of: journal)
    let writer = try JournalWriter(
      journal, after: journal.readBlocks { _, _ in true }, lock: lock,
      schemaText: Cluck.schemaText, segmentByteCount: segmentByteCount, salts: .fixed)
    for cluck in clucks { try writer.append(count: 1, entries: cluck.encoded()) }
    var sealer = SegmentSealer(journal, lock: lock, blockByteCount: 60, level: 3)
    while try sealer.sealNext(before: writer.segment) != nil {}
    return journal
  }

  /// The positions of the entries about an aggregate, by a plain search.
  static func positions(of kind: String, _ number: Int32, in clucks: [Cluck]) -> [Int64] {
    var counts = ["hen": Int32(0), "nest": 0]
    return clucks.enumerated().compactMap { index, cluck in
      let subject: (String, Int32)?
      switch cluck.event {
      case .henHatched:
        counts["hen", default: 0] += 1
        subject = ("hen", counts["hen", default: 0])
      case .nestBuilt:
        counts["nest", default: 0] += 1
        subject = ("nest", counts["nest", default: 0])
      case .henFed(let hen, _): subject = ("hen", hen)
      case .nestSwept(_, let nest): subject = ("nest", nest)
      case .rained: subject = nil
      }
      return subject?.0 == kind && subject?.1 == number ? Int64(index + 1) : nil
    }
  }

  @Test(arguments: 0..<10)
  func `a proof shows all entries about an aggregate, and leads to the head`(
    seed: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let clucks = (0..<60).map { Cluck.random($0, &random) }
    let journal = try Self.journal(clucks)
    let head = try journal.head { () throws(JournalError) in Rewrites() }.head
    let found = try journal.verify(expecting: head)
    #expect(found.isWhole && found.head == head && found.sealedCount > 0)
    for hen in [Int32(1), 2, 3, 7, 64, 70, 5000] {
      let subjects = [
        ProvenSubject(kind: "hen-number", number: hen),
        ProvenSubject(kind: "nest-number", number: 1 + hen % 6),
      ]
      let proven = try #require(try journal.prove(about: subjects, with: EmptyMapSource()))
      #expect(proven.head == head)
      var reached = Head(book: Journal.book)
      for segment in proven.segments { reached = try segment.head(after: reached, about: subjects) }
      #expect(reached == head)
      for (index, kind) in ["hen", "nest"].enumerated() {
        let shown = proven.segments.flatMap { $0.ways[index].entries }
        #expect(
          shown.map(\.position.number)
            == Self.positions(of: kind, subjects[index].number, in: clucks))
        for entry in shown {
          let cluck = clucks[Int(entry.position.number) - 1]
          #expect(Array(entry.form) == cluck.encoded(isPublic: true))
          #expect((entry.commitment == nil) == (cluck.encoded() == cluck.encoded(isPublic: true)))
        }
      }
    }
  }

  @Test func `a head within an open segment stays the same once it is sealed`() throws {
    var random = SplitMix64(seed: 5)
    let clucks = (0..<30).map { Cluck.random($0, &random) }
    let heads = try (1...30).map { count in
      try Self.journal(Array(clucks.prefix(count)), segmentByteCount: 1500)
        .head { () throws(JournalError) in Rewrites() }.head
    }
    let found = try Self.journal(clucks, segmentByteCount: 1500).verify(expecting: heads)
    #expect(found.proofs.count == 30)
    #expect(found.proofs.values.allSatisfy { $0 == .contained })
  }

  @Test func `wrong counts of created entities are detected`() throws {
    var random = SplitMix64(seed: 8)
    let journal = try Self.journal((0..<60).map { Cluck.random($0, &random) })
    let name = try #require(try journal.segments().dropLast().last)
    let old = try journal.header(of: name)
    var seal = try #require(old.seal)
    #expect(seal.created["hen-number"] > 0)
    seal.created = seal.created + EntityCounts(counts: ["hen-number": 1])
    let bytes = try journal.bytes(of: journal.path(of: name))
    let header = old.sealed(seal)
    var body = Array(bytes.dropFirst(old.container.encoded.count))
    for place in body.indices where body[place...].starts(with: old.marker) {
      body.replaceSubrange(place..<place + 16, with: header.marker)
    }
    try journal.storage.remove(journal.path(of: name))
    try journal.overwrite(journal.path(of: name), with: header.container.encoded + body)
    let reasons = try journal.verify().damages.map(\.reason)
    #expect(reasons == ["the creations up to its end are not those that were sealed"])
  }

  @Test func `the digests beside a path do not reveal what lies below them`() throws {
    // The same entries about hen 2, with and without others about hens 1 and 3 of the same depth.
    let two = Cluck.Event.henFed(2, grams: 1)
    let alone = try Self.journal([
      .init(at: 0, event: two), .init(at: 1, event: .henFed(3, grams: 1)),
    ])
    let among = try Self.journal([
      .init(at: 0, event: two), .init(at: 1, event: .henFed(1, grams: 1)),
      .init(at: 2, event: .henFed(3, grams: 1)),
    ])
    let subject = [ProvenSubject(kind: "hen-number", number: 2)]
    let ways = try [alone, among].map {
      try #require(try $0.prove(about: subject, with: EmptyMapSource())).segments[0].ways[0]
    }
    #expect(ways[0].depth == ways[1].depth && ways[0].path.count == ways[1].path.count)
    #expect(Set(ways[0].path).isDisjoint(with: ways[1].path))
    #expect(ways[0].blind != ways[1].blind)
  }

  @Test func `a segment without events proves nothing, and is whole`() throws {
    let diaries = try Diaries(10)
    #expect(try diaries.journal.verify().isWhole)
    let found = try #require(try diaries.journal.prove(about: [], with: EmptyMapSource()))
    #expect(found.head == (try diaries.journal.verify().head))
  }

  @Test func `counts are read exactly as they are written`() {
    let counts = EntityCounts(counts: ["hen-number": 12, "nest-number": 3])
    let text = counts.text(of: ["hen-number", "nest-number"])
    #expect(text == "hen-number:0000000012 nest-number:0000000003")
    #expect(EntityCounts(text) == counts)
    #expect(EntityCounts("") == EntityCounts.none)
    for text in [
      "hen-number", "hen-number:12", "hen-number:000000001x", "a:0000000001 a:0000000002", " ",
    ] {
      #expect(EntityCounts(text) == nil, "\(text)")
    }
  }
}

/// A source without any data.
struct EmptyMapSource: MapSource {
  func outline(of header: SegmentHeader) -> MapOutline? { nil }
  func entries(
    of header: SegmentHeader, about kind: String, _ numbers: Range<Int64>
  ) -> [(number: Int32, position: Position, bytes: [UInt8])]? { nil }
}

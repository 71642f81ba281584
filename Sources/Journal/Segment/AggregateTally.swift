import Avro

/// The public forms of a segment's entries, in the order in which they were recorded, and what each is about.
///
/// It is what an ``AggregateMap`` is made of, up to any entry. It takes the memory of the public forms, and eight bytes
/// an entry beside them.
struct AggregateTally {
  /// An entry's aggregate and its place in the segment: the kind in the upper 5 bits, the number in the next 31, the
  /// ordinal in the lower 28. Sorted, they are the aggregates in order, and the entries of each as recorded.
  typealias Place = UInt64

  let scanner: AggregateScanner
  let first: Position
  /// The public forms, one after another, and where each ends.
  private(set) var forms: [UInt8] = []
  private(set) var ends: [Int] = []
  /// The commitments beside the public forms, by ordinal.
  private(set) var commitments: [Int: Digest] = [:]
  private var places: [Place] = []
  /// The creations: the kind, the how-manieth of the segment it is, and the ordinal.
  private var creations: [(kind: Int, index: Int, ordinal: Int)] = []
  private var createdCounts: [Int]

  static let ordinalBits: UInt64 = 28
  static let numberBits: UInt64 = 31

  init(_ scanner: AggregateScanner, first: Position) {
    self.scanner = scanner
    self.first = first
    createdCounts = Array(repeating: 0, count: scanner.kinds.count)
  }

  var count: Int { ends.count }

  /// How many things of each kind the entries created.
  var created: EntityCounts {
    EntityCounts(
      counts: Dictionary(
        zip(scanner.kinds, createdCounts), uniquingKeysWith: { first, _ in first }))
  }

  /// Takes the public form of a next part of an entry.
  mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { forms.append(contentsOf: $0) }
  }

  mutating func append(_ byte: UInt8) { forms.append(byte) }

  /// Takes what stands for the personal fields of an entry.
  mutating func note(_ commitment: Digest, at position: Position) {
    commitments[Int(position.number - first.number)] = commitment
  }

  /// Ends the next entry, whose public form is complete.
  ///
  /// - Parameter end: Where its public form ends among all.
  /// - Throws: ``AvroError`` when the bytes are no entry.
  mutating func endEntry(at end: Int) throws(AvroError) {
    let ordinal = ends.count
    let start = ends.last ?? 0
    ends.append(end)
    guard ordinal < 1 << Int(Self.ordinalBits) else { throw .invalidLength }
    switch try scanner.subject(of: forms.span.bytes.extracting(start..<end)) {
    case nil: break
    case .number(let kind, let number): places.append(Self.place(kind, Int(number), ordinal))
    case .next(let kind):
      createdCounts[kind] += 1
      creations.append((kind, createdCounts[kind], ordinal))
    }
  }

  private static func place(_ kind: Int, _ number: Int, _ ordinal: Int) -> Place {
    (Place(kind) << numberBits | Place(number)) << ordinalBits | Place(ordinal)
  }

  /// The places of all entries that are about something, sorted.
  ///
  /// - Parameter before: How many things of each kind were created before the segment.
  func places(after before: EntityCounts) -> [Place] {
    var sorted = places
    for (kind, index, ordinal) in creations {
      let number = before[scanner.kinds[kind]] + index
      guard number >= 1, number <= Int(Int32.max) else { continue }
      sorted.append(Self.place(kind, number, ordinal))
    }
    sorted.sort()
    return sorted
  }
}

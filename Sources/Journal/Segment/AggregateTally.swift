import Avro

/// The public forms of a segment's entries, in the order of recording, and the subject of each.
///
/// From it an ``AggregateMap`` can be made of the entries up to any one. It takes as much memory as
/// the public forms, and eight bytes for each entry.
struct AggregateTally {
  /// An entry's aggregate and its ordinal in the segment: the kind in the upper 5 bits, the number
  /// in the next 31, the ordinal in the lower 28. Sorting them gives the aggregates in order, and
  /// the entries of each as recorded.
  typealias Place = UInt64

  let scanner: AggregateScanner
  let first: Position
  /// The public forms, one after another, and where each ends.
  private(set) var forms: [UInt8] = []
  private(set) var ends: [Int] = []
  /// The commitments that belong to the public forms, by ordinal.
  private(set) var commitments: [Int: Digest] = [:]
  /// The places in the order of the entries. Created entities are numbered as if this segment were the
  /// first of the book.
  private var places: [Place] = []
  /// The indices of creations among the places.
  private var creations: [Int] = []
  private var createdCounts: [Int]

  static let ordinalBits: UInt64 = 28
  static let numberBits: UInt64 = 31

  init(_ scanner: AggregateScanner, first: Position) {
    self.scanner = scanner
    self.first = first
    createdCounts = Array(repeating: 0, count: scanner.kinds.count)
  }

  var count: Int { ends.count }

  /// How many entities of each kind the entries created.
  var created: EntityCounts {
    EntityCounts(
      counts: Dictionary(
        zip(scanner.kinds, createdCounts), uniquingKeysWith: { first, _ in first }))
  }

  /// Adds the next part of an entry's public form.
  mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { forms.append(contentsOf: $0) }
  }

  mutating func append(_ byte: UInt8) { forms.append(byte) }

  /// Notes the commitment to the personal fields of an entry.
  mutating func note(_ commitment: Digest, at position: Position) {
    commitments[Int(position.number - first.number)] = commitment
  }

  /// Ends the current entry, whose public form is complete.
  ///
  /// - Parameter end: The offset of the end of its public form in ``forms``.
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
      creations.append(places.count)
      places.append(Self.place(kind, createdCounts[kind], ordinal))
    }
  }

  private static func place(_ kind: Int, _ number: Int, _ ordinal: Int) -> Place {
    (Place(kind) << numberBits | Place(number)) << ordinalBits | Place(ordinal)
  }

  /// The sorted places of all entries that have a subject.
  ///
  /// - Parameter before: How many entities of each kind were created before the segment.
  /// - Returns: The places.
  func places(after before: EntityCounts) -> [Place] {
    var numbered = places
    let counts = scanner.kinds.map { before[$0] }
    var isOverfull = false
    for index in creations {
      let place = numbered[index]
      let kind = Int(place >> (Self.numberBits + Self.ordinalBits))
      let number = counts[kind] &+ Int(place >> Self.ordinalBits & (1 << Self.numberBits - 1))
      // A number out of range is not an entity's number, so the entry is about nothing.
      let isNumber = (1...Int(Int32.max)).contains(number)
      isOverfull = isOverfull || !isNumber
      numbered[index] =
        isNumber ? Self.place(kind, number, Int(place & (1 << Self.ordinalBits - 1))) : 0
    }
    // No other entity has the number 0.
    if isOverfull {
      numbered.removeAll { $0 >> Self.ordinalBits & (1 << Self.numberBits - 1) == 0 }
    }
    return Self.sorted(numbered)
  }

  /// Sorts places by aggregate and keeps the order within each. It is a radix sort with four passes of
  /// nine bits, because a book of ten million entries has ten million places to sort.
  private static func sorted(_ places: [Place]) -> [Place] {
    var (source, target) = (places, [Place](repeating: 0, count: places.count))
    for pass in 0..<4 {
      let shift = ordinalBits + 9 * Place(pass)
      var starts = [Int](repeating: 0, count: 513)
      for place in source { starts[Int(place >> shift & 511) + 1] += 1 }
      if starts.contains(source.count) { continue }
      for bucket in 1..<513 { starts[bucket] += starts[bucket - 1] }
      for place in source {
        let bucket = Int(place >> shift & 511)
        target[starts[bucket]] = place
        starts[bucket] += 1
      }
      swap(&source, &target)
    }
    return source
  }
}

import Avro
import Journal

/// A proof as a file: a line that names its kind, the record in Avro's binary encoding, and SHA-256
/// of all bytes before. It is valid iff the checksum is right and encoding the record again gives
/// the same bytes, so that each content has exactly one file.
protocol ProofRecord: AvroRecord {
  /// What the proof shows of a segment.
  associatedtype Segment: ProofSegment

  /// The file's first line.
  static var firstLine: [UInt8] { get }
  /// The book's id.
  var book: String { get }
  /// The head to which the proof leads.
  var head: String { get }
  /// The instant as of which it was asked, in milliseconds since 1970.
  var asOf: Int64 { get set }
  /// The day in question, in days since 1970.
  var on: Int32 { get set }
  /// The claimed current streak.
  var current: Int64 { get set }
  var longest: Int64 { get set }
  /// The schemas of the segments as JSON, each once.
  var schemas: [String] { get set }
  /// The segments, from the first.
  var segments: [Segment] { get set }
}

/// What a proof shows of a segment.
protocol ProofSegment: AvroRecord {
  /// The position of its last entry.
  var last: Int64 { get set }
  /// The index of its schema among the schemas, from 0.
  var schema: Int32 { get set }
  /// The blinded digest of all its entries.
  var content: AvroBytes { get set }
  /// The digests of the kinds not shown, one after another.
  var others: AvroBytes { get set }
  /// The map paths of the proof's subjects, in the same order in each segment.
  var ways: [ProofFile.ProvenEntity] { get set }
}

extension ProofSegment {
  /// The fields that begin every segment: all but the paths.
  mutating func visitHead<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("last", &last)
    try visitor.visit("schema", &schema)
    try visitor.visit("content", &content)
    try visitor.visit("others", &others)
  }
}

extension ProofRecord {
  /// The fields that end every proof: the claimed streak, and the segments.
  mutating func visitEnd<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("as_of", &asOf)
    try visitor.visit("on", &on)
    try visitor.visit("current", &current)
    try visitor.visit("longest", &longest)
    try visitor.visit("schemas", &schemas)
    try visitor.visit("segments", &segments)
  }

  /// The largest proof file that is read.
  static var maximumByteCount: Int { 64 << 20 }

  /// The file.
  var bytes: [UInt8] {
    var writer = BinaryWriter()
    write(to: &writer)
    let bytes = Self.firstLine + writer.bytes
    return bytes + Digest(of: bytes).byteList
  }

  /// Reads a file.
  ///
  /// - Throws: ``ProofFlaw``.
  init(bytes: [UInt8]) throws(ProofFlaw) {
    guard bytes.count <= Self.maximumByteCount else { throw ProofFlaw("it is too large") }
    guard bytes.starts(with: Self.firstLine), bytes.count >= Self.firstLine.count + 32 else {
      throw ProofFlaw("it is not a proof, or it is cut short")
    }
    let body = bytes.dropLast(32)
    guard Digest(bytes: bytes.suffix(32)) == Digest(of: body) else {
      throw ProofFlaw("its checksum is wrong: it was changed or cut short")
    }
    do throws(AvroError) {
      let record = body[Self.firstLine.count...]
      var reader = BinaryReader(record.span.bytes)
      try self.init(from: &reader)
      guard reader.isAtEnd else { throw .trailingBytes }
    } catch { throw ProofFlaw("it cannot be read (\(error))") }
    guard self.bytes == bytes else { throw ProofFlaw("it is not in the form of a proof") }
  }
}

// MARK: - To and from the journal's proofs

extension ProofRecord {
  /// Adds the segments that the journal proves.
  mutating func add(_ proven: [ProvenSegment]) {
    for segment in proven {
      let known = schemas.firstIndex(of: segment.schemaText)
      if known == nil { schemas.append(segment.schemaText) }
      var shown = Segment.placeholder
      shown.last = segment.last.number
      shown.schema = Int32(known ?? schemas.count - 1)
      shown.content = AvroBytes(segment.content.byteList)
      shown.others = AvroBytes(segment.others.flatMap(\.byteList))
      shown.ways = segment.ways.map { ProofFile.ProvenEntity($0) }
      segments.append(shown)
    }
  }

  /// The segments in the journal's form.
  ///
  /// - Throws: ``ProofFlaw``.
  func provenSegments() throws(ProofFlaw) -> [ProvenSegment] {
    guard Set(schemas).count == schemas.count, Set(segments.map(\.schema)).count == schemas.count
    else { throw ProofFlaw("it has a schema that is duplicated or unused") }
    var proven: [ProvenSegment] = []
    for segment in segments {
      guard schemas.indices.contains(Int(segment.schema)) else {
        throw ProofFlaw("a schema is missing")
      }
      guard segment.last > 0, let content = Digest(bytes: segment.content.bytes) else {
        throw ProofFlaw("a segment is not whole")
      }
      var ways: [ProvenKind] = []
      for way in segment.ways { ways.append(try way.way()) }
      proven.append(
        ProvenSegment(
          last: Position(segment.last), schemaText: schemas[Int(segment.schema)], content: content,
          others: try ProofFile.digests(segment.others), ways: ways))
    }
    return proven
  }

  /// The head that the segments lead to; it must be the one in the file.
  ///
  /// - Throws: ``ProofFlaw``.
  func head(
    of segments: [ProvenSegment], about subjects: [ProvenSubject]
  ) throws(ProofFlaw) -> Head {
    var head = Head(book: book)
    for segment in segments { head = try segment.head(after: head, about: subjects) }
    guard head.description == self.head else {
      throw ProofFlaw("it leads to the head \(head), but names \(self.head)")
    }
    return head
  }

  /// Compares the file's claims with what its entries show, and its head with a noted one.
  ///
  /// - Throws: ``ProofFlaw``.
  func confirm(
    current: Int, longest: Int, at shown: Head, expecting head: Head?
  ) throws(ProofFlaw) {
    guard current == self.current, longest == self.longest else {
      throw ProofFlaw(
        "by its entries the current streak is \(current) and the longest \(longest), not"
          + " \(self.current) and \(self.longest)")
    }
    guard head == nil || head == shown else {
      throw ProofFlaw("it leads to the head \(shown), not to \(head?.description ?? "")")
    }
  }
}

extension ProofFile.ProvenEntity {
  init(_ way: ProvenKind) {
    blind = AvroBytes(way.blind.byteList)
    depth = Int32(way.depth)
    root = AvroBytes(way.root?.byteList ?? [])
    path = AvroBytes(way.path.flatMap(\.byteList))
    node = AvroBytes(way.nodeBlind?.byteList ?? [])
    entries = way.entries.map { entry in
      ProofFile.Entry(
        position: entry.position.number, form: AvroBytes(Array(entry.form)),
        commitment: AvroBytes(entry.commitment?.byteList ?? []))
    }
  }

  func way() throws(ProofFlaw) -> ProvenKind {
    guard let blind = Digest(bytes: blind.bytes) else { throw ProofFlaw("a digest is missing") }
    var way = ProvenKind(blind: blind, depth: Int(depth))
    way.root = try ProofFile.digest(root)
    way.path = try ProofFile.digests(path)
    way.nodeBlind = try ProofFile.digest(node)
    for entry in entries {
      way.entries.append(
        ProvenEntry(
          position: Position(entry.position), form: entry.form.bytes[...],
          commitment: try ProofFile.digest(entry.commitment)))
    }
    return way
  }
}

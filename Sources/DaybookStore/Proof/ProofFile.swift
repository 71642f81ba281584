import Avro
import Daybook
import Journal

/// A file that proves a streak (Docs/Proofs.md).
///
/// Layout: the line `daybook-proof 1`, then this record in Avro's binary encoding, then SHA-256 of
/// all bytes before. It is valid iff the checksum is right and encoding the record again gives the
/// same bytes, so that each content has exactly one file.
struct ProofFile: ProofRecord, Hashable {
  /// The book's id.
  var book = ""
  /// The head to which the proof leads.
  var head = ""
  /// The rule, in the form of a rule file.
  var rule = ""
  /// The habit's number.
  var habit: Int32 = 0
  /// The instant as of which it was asked, in milliseconds since 1970.
  var asOf: Int64 = 0
  /// The day in question, in days since 1970.
  var on: Int32 = 0
  /// The claimed current streak.
  var current: Int64 = 0
  var longest: Int64 = 0
  /// The schemas of the segments, as JSON.
  var schemas: [String] = []
  /// The segments, from the first.
  var segments: [Segment] = []

  static let recordName = "Proof"
  static var placeholder: ProofFile { ProofFile() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("book", &book)
    try visitor.visit("head", &head)
    try visitor.visit("rule", &rule)
    try visitor.visit("habit", &habit)
    try visitEnd(&visitor)
  }

  /// What the proof shows of a segment.
  struct Segment: ProofSegment, Hashable {
    /// The position of its last entry.
    var last: Int64 = 0
    /// The index of its schema among the schemas, from 0.
    var schema: Int32 = 0
    /// The blinded digest of all its entries.
    var content = AvroBytes()
    /// The digests of the kinds not shown, one after another.
    var others = AvroBytes()
    /// The map path of the habit.
    var habit = ProvenEntity()
    /// The map path of its owner's account.
    var account = ProvenEntity()

    /// The habit's path, then the account's.
    var ways: [ProvenEntity] {
      get { [habit, account] }
      set { if newValue.count == 2 { (habit, account) = (newValue[0], newValue[1]) } }
    }

    static let recordName = "Segment"
    static var placeholder: Segment { Segment() }

    mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitHead(&visitor)
      try visitor.visit("habit", &habit)
      try visitor.visit("account", &account)
    }
  }

  /// All entries of a segment about one entity, and their place in the segment's map.
  struct ProvenEntity: AvroRecord, Hashable {
    /// The blind of the kind.
    var blind = AvroBytes()
    /// The depth of the kind's tree.
    var depth: Int32 = 0
    /// The root, where the tree has no place for the entity; otherwise empty.
    var root = AvroBytes()
    /// The sibling nodes along the path, from the top, one after another.
    var path = AvroBytes()
    /// The blind of the node at the path's end; empty where there is none.
    var node = AvroBytes()
    var entries: [Entry] = []

    static let recordName = "Way"
    static var placeholder: ProvenEntity { ProvenEntity() }

    mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.visit("blind", &blind)
      try visitor.visit("depth", &depth)
      try visitor.visit("root", &root)
      try visitor.visit("path", &path)
      try visitor.visit("node", &node)
      try visitor.visit("entries", &entries)
    }
  }

  /// The public form of an entry.
  struct Entry: AvroRecord, Hashable {
    var position: Int64 = 0
    /// Its bytes, with personal fields blanked.
    var form = AvroBytes()
    /// The commitment to its personal fields; empty where there are none.
    var commitment = AvroBytes()

    static let recordName = "ProvenEntry"
    static var placeholder: Entry { Entry() }

    mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.visit("position", &position)
      try visitor.visit("form", &form)
      try visitor.visit("commitment", &commitment)
    }
  }
}

extension ProofFile {
  static let firstLine = Array("daybook-proof 1\n".utf8)

  static func digests(_ bytes: AvroBytes) throws(ProofFlaw) -> [Digest] {
    guard bytes.bytes.count % 32 == 0 else { throw ProofFlaw("a digest is not whole") }
    return stride(from: 0, to: bytes.bytes.count, by: 32).compactMap {
      Digest(bytes: bytes.bytes[$0..<$0 + 32])
    }
  }

  static func digest(_ bytes: AvroBytes) throws(ProofFlaw) -> Digest? {
    let digests = try digests(bytes)
    guard digests.count <= 1 else { throw ProofFlaw("a digest is too long") }
    return digests.first
  }
}

import Avro
import Daybook

/// A file that proves a hive's streak (Docs/Proofs.md): a ``ProofRecord`` after the line
/// `daybook-hive-proof 1`.
struct HiveProofFile: ProofRecord, Hashable {
  /// The book's id.
  var book = ""
  /// The head to which the proof leads.
  var head = ""
  /// The hive's number.
  var hive: Int32 = 0
  /// The as-of instant of the proof, in milliseconds since 1970.
  var asOf: Int64 = 0
  /// The day of the claimed streak, in days since 1970.
  var on: Int32 = 0
  /// The claimed shared streak.
  var current: Int64 = 0
  var longest: Int64 = 0
  /// The schemas of the segments, as JSON.
  var schemas: [String] = []
  /// The segments, from the first.
  var segments: [Segment] = []

  static let firstLine = Array("daybook-hive-proof 1\n".utf8)
  static let recordName = "HiveProof"
  static var placeholder: HiveProofFile { HiveProofFile() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("book", &book)
    try visitor.visit("head", &head)
    try visitor.visit("hive", &hive)
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
    /// The digests of the entity kinds that are not shown, concatenated.
    var others = AvroBytes()
    /// The map path of the hive.
    var hive = ProofFile.ProvenEntity()
    /// The map paths of its members' accounts, in the order in which they first joined.
    var members: [ProofFile.ProvenEntity] = []

    /// The hive's path, then the members'.
    var ways: [ProofFile.ProvenEntity] {
      get { [hive] + members }
      set {
        hive = newValue.first ?? ProofFile.ProvenEntity()
        members = Array(newValue.dropFirst())
      }
    }

    static let recordName = "HiveSegment"
    static var placeholder: Segment { Segment() }

    mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitHead(&visitor)
      try visitor.visit("hive", &hive)
      try visitor.visit("members", &members)
    }
  }
}

import Avro
import Daybook

/// A proof of a hive's streak as a file (Docs/Proofs.md): the line `daybook-hive-proof 1`, then as ``ProofRecord`` says.
struct HiveProofFile: ProofRecord, Hashable {
  /// The book's id.
  var book = ""
  /// The head to which the proof leads.
  var head = ""
  /// The hive's number.
  var hive: Int32 = 0
  /// From when it was asked, in milliseconds since 1970.
  var asOf: Int64 = 0
  /// About which day, in days since 1970.
  var on: Int32 = 0
  /// The shared streak that was told.
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

  /// What is shown of a segment.
  struct Segment: ProofSegment, Hashable {
    /// The position of its last entry.
    var last: Int64 = 0
    /// Its schema's place among the schemas, from 0.
    var schema: Int32 = 0
    /// The blinded digest of all its entries.
    var content = AvroBytes()
    /// The digests of the kinds that are not shown, one after another.
    var others = AvroBytes()
    /// The way to the hive.
    var hive = ProofFile.Way()
    /// The ways to the accounts of its members, in the order in which they first joined.
    var members: [ProofFile.Way] = []

    /// The hive's, then the members'.
    var ways: [ProofFile.Way] {
      get { [hive] + members }
      set {
        hive = newValue.first ?? ProofFile.Way()
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

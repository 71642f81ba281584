import Avro
import Daybook

/// The records of a snapshot: those of the state, the filter of the idempotency keys in pieces, and
/// the end.
enum SnapshotRecords {
  static let schema = Schema.union(
    StateRecords.schemas + [KeyFilter.Piece.schema, SnapshotEnd.schema])
  static let schemaText = schema.json.encoded

  // The branches of the union after those of the state.
  static let keys = Int64(StateRecords.schemas.count)
  static let end = Int64(StateRecords.schemas.count + 1)
}

/// The last record of a snapshot, in a block of its own: without it, the snapshot is incomplete.
struct SnapshotEnd: AvroRecord, Equatable {
  /// SHA-256 of all bytes of the file before the block with this record.
  var digest = AvroBytes()

  static let recordName = "End"
  static var placeholder: SnapshotEnd { SnapshotEnd() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit(
      "digest", &digest, [.doc("SHA-256 of all bytes before the block that this record stands in")])
  }
}

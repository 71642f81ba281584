import Avro
import Daybook

/// Who owns the habits that were created in a segment, and who took part in hives: it leads from an account to its
/// habits without the state of the book.
struct Roster: AvroRecord {
  /// The owners of the habits that were created in the segment, in the order of creation.
  var habitOwners: [Int32] = []
  /// The keys of the hives that were created in the segment, one after another.
  var hiveKeys = AvroBytes()
  /// The accounts that joined hives in the segment, in no order.
  var hiveMembers: [Int32] = []

  static let recordName = "Roster"
  static var placeholder: Roster { Roster() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habitOwners", &habitOwners)
    try visitor.visit("hiveKeys", &hiveKeys)
    try visitor.visit("hiveMembers", &hiveMembers)
  }

  /// Notes an entry. The entries that create habits must come in the order of creation.
  mutating func note(_ event: Event) {
    switch event {
    case .habitCreated(let created): habitOwners.append(created.owner.number)
    case .hiveCreated(let created):
      var writer = BinaryWriter()
      created.key.write(to: &writer)
      hiveKeys.bytes += writer.bytes
    case .hiveJoined(let joined): hiveMembers.append(joined.member.number)
    // No other entry creates a habit or a hive, or makes somebody a member of one.
    default: break
    }
  }
}

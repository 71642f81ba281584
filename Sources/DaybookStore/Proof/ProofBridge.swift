import Avro
import Daybook
import Journal

/// Reads the entries of a proof, whatever schema they were written with.
struct ProofBridge {
  private var bridge = SchemaBridge()

  /// The entries about one of the subjects, oldest first.
  mutating func entries(_ segments: [ProvenSegment], of place: Int) throws(ProofFlaw) -> [Entry] {
    var entries: [Entry] = []
    for segment in segments {
      for proven in segment.ways[place].entries {
        entries.append(try entry(proven, segment.schemaText))
      }
    }
    return entries
  }

  private mutating func entry(
    _ proven: ProvenEntry, _ schemaText: String
  ) throws(ProofFlaw) -> Entry {
    let form = Array(proven.form)
    let block = Block(first: proven.position, count: 1, bytes: form.span.bytes, of: "proof")
    var found: Entry?
    do throws(JournalError) {
      _ = try bridge.read(block, of: schemaText) { bytes throws(AvroError) in
        var reader = BinaryReader(bytes)
        found = try Entry(from: &reader)
        guard reader.isAtEnd else { throw .trailingBytes }
        return true
      }
    } catch { throw ProofFlaw("entry \(proven.position) cannot be read") }
    guard var entry = found else { throw ProofFlaw("entry \(proven.position) cannot be read") }
    entry.head.position = proven.position.number
    return entry
  }

  /// Entries ordered by position; throws if times decrease.
  ///
  /// - Throws: ``ProofFlaw``.
  func inOrder(_ entries: [Entry]) throws(ProofFlaw) -> [Entry] {
    let entries = entries.sorted { $0.head.position < $1.head.position }
    guard zip(entries, entries.dropFirst()).allSatisfy({ $0.head.at <= $1.head.at }) else {
      throw ProofFlaw("an entry is earlier than the one before it")
    }
    return entries
  }
}

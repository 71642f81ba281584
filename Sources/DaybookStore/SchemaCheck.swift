import Avro
import Daybook
public import Journal

/// Sees to it that segments were written with the schema that this Daybook reads.
///
/// Here other schemas are refused; resolution of older ones has its place here.
@usableFromInline
struct SchemaCheck {
  private var accepted: String?

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func accept(_ header: SegmentHeader) throws(JournalError) {
    if accepted == header.schemaText { return }
    if header.schemaText != BookReader.schemaText {
      let schema = try? Schema(parsing: header.schemaText)
      guard schema?.fingerprint == BookReader.fingerprint else {
        throw .unknownSchema(file: SegmentName(first: header.first).fileName)
      }
    }
    accepted = header.schemaText
  }
}

import Avro
import Daybook
import Journal

/// What the indexes of a book know of its sealed segments, used for proofs.
struct IndexedMaps: MapSource {
  private let indexes: [Position: SegmentIndex]
  private let storage: any Storage
  private let decompressor: ZstandardDecompressor

  /// Makes it of the indexes that exist.
  ///
  /// - Throws: ``AvroError`` when there is no memory to decompress them.
  init(_ indexes: [SegmentIndex], _ storage: any Storage) throws(AvroError) {
    self.indexes = Dictionary(
      indexes.map { ($0.first, $0) }, uniquingKeysWith: { first, _ in first })
    self.storage = storage
    decompressor = try ZstandardDecompressor()
  }

  func outline(of header: SegmentHeader) -> MapOutline? {
    // The entries of an index are in this Daybook's schema. Where the segment has another schema,
    // their bytes differ.
    guard header.schemaText == BookReader.schemaText else { return nil }
    return indexes[header.first]?.outline(storage, decompressor)
  }

  func entries(
    of header: SegmentHeader, about kind: String, _ numbers: Range<Int64>
  ) -> [(number: Int32, position: Position, bytes: [UInt8])]? {
    guard let kind = EntityKind(rawValue: kind), let index = indexes[header.first],
      let first = Aggregate(code: Int64(kind.index) << 32)
    else { return nil }
    let range = first.code + numbers.lowerBound..<first.code + numbers.upperBound
    guard let lists = try? index.lists(of: range, storage, decompressor) else { return nil }
    var found: [(number: Int32, position: Position, bytes: [UInt8])] = []
    for (code, entries) in lists {
      for entry in entries {
        var writer = BinaryWriter()
        entry.write(to: &writer)
        let number = Int32(truncatingIfNeeded: code - first.code)
        found.append((number, Position(entry.head.position), writer.bytes))
      }
    }
    return found
  }
}

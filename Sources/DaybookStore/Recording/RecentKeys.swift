import Avro
import Daybook
import Journal

/// The idempotency keys of a segment that is not sealed and indexed yet, with the entries that
/// carry them.
struct RecentKeys: Sendable {
  let segment: SegmentName
  /// The offset and position of each key's entry.
  private var places: [Key: (offset: Int, position: Int64)] = [:]
  /// The entries, one after another, encoded as in the journal.
  private var entries = BinaryWriter()

  init(of segment: SegmentName) { self.segment = segment }

  /// Keeps an entry if it has a key; of several entries with one key, the first.
  mutating func insert(_ entry: Entry) {
    guard let key = entry.head.key, places[key] == nil else { return }
    places[key] = (entries.bytes.count, entry.head.position)
    entry.write(to: &entries)
  }

  /// The entry that carries a key.
  func entry(of key: Key) -> Entry? {
    guard let place = places[key] else { return nil }
    var reader = BinaryReader(entries.bytes.span.bytes.extracting(droppingFirst: place.offset))
    guard var entry = try? Entry(from: &reader) else { return nil }
    entry.head.position = place.position
    return entry
  }
}

extension [RecentKeys] {
  /// Keeps an entry of one of the segments, if it has a key.
  mutating func insert(_ entry: Entry) {
    guard let place = lastIndex(where: { $0.segment.first.number <= entry.head.position }) else {
      return
    }
    self[place].insert(entry)
  }
}

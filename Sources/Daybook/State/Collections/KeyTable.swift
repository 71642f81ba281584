import Values

/// The numbers of entities by key, in a persistent hash table: a copy is O(1), and an insertion copies one bucket and
/// the path to it.
///
/// The keys themselves are in the entities, so an entry is only one word: 32 bits of the key's hash in the upper half,
/// the number in the lower. There is a bucket for about every 32 entries. Buckets are split one at a time, so that no
/// insertion ever moves more than one bucket. Hashes are seeded per process: no client can choose keys that collide in
/// one bucket. Source: W. Litwin, "Linear Hashing" (1980).
struct KeyTable: Sendable {
  private static let entriesPerBucket = 32

  private var buckets = PersistentArray<ContiguousArray<UInt64>>()
  private var count = 0

  /// The number that a key names.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isNamed: Whether the key is that of a number's entity, which holds the key itself.
  /// - Returns: The number, if there is one.
  @inline(__always)
  func number(of key: Key, _ isNamed: (Int32) -> Bool) -> Int32? {
    guard !buckets.isEmpty else { return nil }
    let hash = Self.hash(key)
    let bucket = buckets[place(of: hash)]
    let entries = bucket.span
    for index in entries.indices where UInt32(truncatingIfNeeded: entries[index] &>> 32) == hash {
      let number = Int32(truncatingIfNeeded: entries[index])
      if isNamed(number) { return number }
    }
    return nil
  }

  /// Reserves room for a number of entries.
  mutating func reserve(_ count: Int) {
    guard buckets.isEmpty else { return }
    while buckets.count * Self.entriesPerBucket < count { buckets.append([]) }
  }

  /// Adds a key's number.
  mutating func insert(_ number: Int32, _ key: Key) {
    count += 1
    if count > buckets.count * Self.entriesPerBucket { split() }
    let hash = Self.hash(key)
    buckets[place(of: hash)].append(Self.entry(hash, number))
  }

  /// Removes a key's number.
  mutating func remove(_ number: Int32, _ key: Key) {
    guard !buckets.isEmpty else { return }
    let hash = Self.hash(key)
    let place = place(of: hash)
    guard let index = buckets[place].firstIndex(of: Self.entry(hash, number)) else { return }
    buckets[place].remove(at: index)
    count -= 1
  }

  /// The size of the parts that the table does not share with another one.
  func unsharedCount(with other: KeyTable) -> Int { buckets.unsharedCount(with: other.buckets) }

  private static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  private static func entry(_ hash: UInt32, _ number: Int32) -> UInt64 {
    UInt64(hash) &<< 32 | UInt64(UInt32(bitPattern: number))
  }

  /// The number of hash bits that select a bucket; buckets that are split already use one more.
  private var bits: Int { Int.bitWidth - 1 - buckets.count.leadingZeroBitCount }

  private func place(of hash: UInt32) -> Int {
    let wide = Int(hash) & (2 &<< bits &- 1)
    return wide < buckets.count ? wide : Int(hash) & (1 &<< bits &- 1)
  }

  /// Splits the next bucket, if one is due.
  private mutating func split() {
    guard !buckets.isEmpty else { return buckets.append([]) }
    let (bits, new) = (bits, buckets.count)
    let old = new - 1 &<< bits
    var (kept, moved) = (ContiguousArray<UInt64>(), ContiguousArray<UInt64>())
    for entry in buckets[old] {
      if entry &>> (32 + UInt64(bits)) & 1 == 0 { kept.append(entry) } else { moved.append(entry) }
    }
    buckets[old] = kept
    buckets.append(moved)
  }
}

import Values

/// Numbers by key, in a persistent hash table: a copy is O(1), and an insertion copies one bucket and the way to it.
///
/// The keys stand in the entities, so that here an entry is but a word: 32 bits of the key's hash in the upper half,
/// the number in the lower. There is a bucket for every 32 entries or so, and one more bucket is split off another
/// at a time, so that no insertion ever moves more than a bucket. Hashes are seeded by the process: no client can choose
/// keys that meet in one bucket. Source: W. Litwin, "Linear Hashing" (1980).
struct KeyTable: Sendable {
  private static let entriesPerBucket = 32

  private var buckets = PersistentArray<ContiguousArray<UInt64>>()
  private var count = 0

  /// The number whose key has a hash, of those that are accepted.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isNamed: Whether the key names a number: the entity knows.
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

  /// Makes room for so many.
  mutating func reserve(_ count: Int) {
    guard buckets.isEmpty else { return }
    while buckets.count * Self.entriesPerBucket < count { buckets.append([]) }
  }

  /// Lets a key name a number.
  mutating func insert(_ number: Int32, _ key: Key) {
    count += 1
    if count > buckets.count * Self.entriesPerBucket { split() }
    let hash = Self.hash(key)
    buckets[place(of: hash)].append(Self.entry(hash, number))
  }

  /// Lets a key name a number no more.
  mutating func remove(_ number: Int32, _ key: Key) {
    guard !buckets.isEmpty else { return }
    let hash = Self.hash(key)
    let place = place(of: hash)
    guard let index = buckets[place].firstIndex(of: Self.entry(hash, number)) else { return }
    buckets[place].remove(at: index)
    count -= 1
  }

  /// How much lies in what another table does not share.
  func unsharedCount(with other: KeyTable) -> Int { buckets.unsharedCount(with: other.buckets) }

  private static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  private static func entry(_ hash: UInt32, _ number: Int32) -> UInt64 {
    UInt64(hash) &<< 32 | UInt64(UInt32(bitPattern: number))
  }

  /// How many bits of a hash all buckets are told by; those that were split already by one more.
  private var bits: Int { Int.bitWidth - 1 - buckets.count.leadingZeroBitCount }

  private func place(of hash: UInt32) -> Int {
    let wide = Int(hash) & (2 &<< bits &- 1)
    return wide < buckets.count ? wide : Int(hash) & (1 &<< bits &- 1)
  }

  /// Splits the next bucket that is to be split, if there is one.
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

import Avro
import Daybook
import Journal
import Synchronization

/// The entries of an open book behind its indexes, kept by what they are about.
///
/// They are read at the first look and followed from there: so a look at one thing costs what is new and what is its own,
/// not all that the active segment holds. A log takes some 35 bytes here; more than ``maximumCount`` entries, as after the
/// loss of an index, are not kept. Whoever only reads files keeps nothing.
final class RecentEntries: Sendable {
  /// The entries about one thing, oldest first, as they stand in the file: half as many bytes as values take.
  private struct List: Sendable {
    var positions: [Int64] = []
    var bytes = BinaryWriter()

    mutating func append(_ entry: Entry) {
      positions.append(entry.head.position)
      entry.write(to: &bytes)
    }

    func entries(_ isWanted: (EntryHead) -> Bool) throws(AvroError) -> [Entry] {
      var reader = BinaryReader(bytes.bytes.span.bytes)
      var entries: [Entry] = []
      for position in positions {
        var entry = try Entry(from: &reader)
        entry.head.position = position
        guard isWanted(entry.head) else { break }
        entries.append(entry)
      }
      return entries
    }
  }

  private struct Kept {
    /// The position of the first entry.
    let start: Int64
    var follower: EntryFollower
    var aggregates: AggregateReader
    var lists: [Aggregate: List] = [:]
    /// When each entry was recorded.
    var times: [Instant] = []

    init(
      _ log: any EventLog, from start: Int64, after counts: AggregateReader
    ) throws(JournalError) {
      self.start = start
      aggregates = counts
      follower = try EntryFollower(log, from: start)
    }

    mutating func catchUp(to head: Int64) throws(JournalError) {
      while start + Int64(times.count) <= head {
        let entries = try follower.read(until: head)
        guard !entries.isEmpty else { return }
        for entry in entries {
          lists[aggregates.aggregate(of: entry.event), default: List()].append(entry)
          times.append(entry.head.at)
        }
      }
    }

    /// When the last entry was recorded that is not behind a position and an instant.
    func lastTime(through position: Int64, until instant: Instant) -> Instant {
      let count = max(0, min(Int64(times.count), position &- start &+ 1))
      var (low, high) = (0, Int(count))
      while low < high {
        let middle = (low + high) / 2
        if times[middle] <= instant { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? .first : times[low - 1]
    }
  }

  /// As many entries are kept at most: several segments of logs.
  static let maximumCount: Int64 = 4_000_000

  private let maximumCount: Int64
  // Held while what is new is read: whoever else looks needs it, too.
  private let kept = Mutex<Kept?>(nil)

  init(keeping maximumCount: Int64 = maximumCount) { self.maximumCount = maximumCount }

  /// Whether so much is new that to read through all behind the indexes is less work than to keep it: a kept entry takes as
  /// long as some forty that are passed over.
  func isFarBehind(_ head: Int64, from start: Int64) -> Bool {
    let count = kept.withLock { $0?.start == start ? Int64($0?.times.count ?? 0) : 0 }
    let all = head - start + 1
    return (all - count) * 40 > all
  }

  /// The entries about some things behind the indexes.
  ///
  /// - Parameters:
  ///   - wanted: The things.
  ///   - start: The position of the first entry that no index has.
  ///   - counts: What was created before it.
  ///   - head: The last entry that is on disk.
  ///   - position: Up to which entry.
  ///   - instant: Until when.
  ///   - log: The log.
  /// - Returns: Their entries, oldest first, and when the last entry up to there was recorded, whatever it is about. Nothing
  ///   where there are too many to be kept.
  /// - Throws: ``JournalError``; then all of it is read again at the next look.
  func entries(
    of wanted: some Sequence<Aggregate>, from start: Int64, after counts: AggregateReader,
    head: Int64, through position: Int64, until instant: Instant, in log: any EventLog
  ) throws -> (lists: [Aggregate: [Entry]], at: Instant)? {
    guard head - start < maximumCount else {
      forget()
      return nil
    }
    let (found, at) = try kept.withLock { kept in
      do {
        // The indexes have come further, or go less far.
        if kept?.start != start { kept = try Kept(log, from: start, after: counts) }
        try kept?.catchUp(to: head)
      } catch {
        kept = nil
        throw error
      }
      var found: [Aggregate: List] = [:]
      for aggregate in wanted { found[aggregate] = kept?.lists[aggregate] }
      return (found, kept?.lastTime(through: position, until: instant) ?? .first)
    }
    let lists = try found.mapValues { list in
      try list.entries { $0.position <= position && $0.at <= instant }
    }
    return (lists.filter { !$0.value.isEmpty }, at)
  }

  /// Forgets everything: what entries say was blanked.
  func forget() { kept.withLock { $0 = nil } }
}

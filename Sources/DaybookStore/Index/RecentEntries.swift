import Avro
import Daybook
import Journal
import Synchronization

/// The entries of an open book that no index covers yet, kept by aggregate.
///
/// They are read at the first look and followed from there. So a look at one aggregate costs what
/// is new and what is its own, not everything in the active segment. A log takes some 35 bytes
/// here. When there are more than ``maximumCount`` entries, as after the loss of an index, none are
/// kept. A reader of files without an open book keeps nothing.
final class RecentEntries: Sendable {
  /// The entries about one aggregate, oldest first, encoded as in the file: half the size of
  /// decoded values.
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

    /// When the last entry within a position and an instant was recorded.
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

  /// The most entries that are kept: several segments of logs.
  static let maximumCount: Int64 = 4_000_000

  private let maximumCount: Int64
  // Held while new entries are read, because every other caller needs them, too.
  private let kept = Mutex<Kept?>(nil)

  init(keeping maximumCount: Int64 = maximumCount) { self.maximumCount = maximumCount }

  /// Whether so much is new that scanning everything after the indexes is less work than keeping
  /// it: keeping an entry takes as long as skipping some forty.
  func isFarBehind(_ head: Int64, from start: Int64) -> Bool {
    let count = kept.withLock { $0?.start == start ? Int64($0?.times.count ?? 0) : 0 }
    let all = head - start + 1
    return (all - count) * 40 > all
  }

  /// The entries about some aggregates that no index covers.
  ///
  /// - Parameters:
  ///   - wanted: The aggregates.
  ///   - start: The position of the first entry that no index covers.
  ///   - counts: The counts of what was created before it.
  ///   - head: The position of the last entry on disk.
  ///   - former: Aggregates without an entry after this position are left out.
  ///   - position: Only entries up to this position.
  ///   - instant: Only entries recorded until this instant.
  ///   - log: The log.
  /// - Returns: The aggregates' entries, oldest first, and when the last entry of any aggregate
  ///   within the limits was recorded. Nil where there are too many entries to keep.
  /// - Throws: ``JournalError``; then everything is read again at the next look.
  func entries(
    of wanted: some Sequence<Aggregate>, from start: Int64, after counts: AggregateReader,
    head: Int64, since former: Int64 = 0, through position: Int64, until instant: Instant,
    in log: any EventLog
  ) throws -> (lists: [Aggregate: [Entry]], at: Instant)? {
    guard head - start < maximumCount else {
      forget()
      return nil
    }
    let (found, at) = try kept.withLock { kept in
      do {
        // The indexes now cover more than before, or less.
        if kept?.start != start { kept = try Kept(log, from: start, after: counts) }
        try kept?.catchUp(to: head)
      } catch {
        kept = nil
        throw error
      }
      var found: [Aggregate: List] = [:]
      for aggregate in wanted {
        // A list without a new entry is not even decoded.
        guard let list = kept?.lists[aggregate], list.positions.last ?? 0 > former else { continue }
        found[aggregate] = list
      }
      return (found, kept?.lastTime(through: position, until: instant) ?? .first)
    }
    let lists = try found.mapValues { list in
      try list.entries { $0.position <= position && $0.at <= instant }
    }
    return (lists.filter { !$0.value.isEmpty }, at)
  }

  /// Forgets everything, because an erasure blanked entries.
  func forget() { kept.withLock { $0 = nil } }
}

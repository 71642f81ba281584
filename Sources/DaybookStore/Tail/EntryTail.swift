public import Daybook
public import Journal

/// A book's entries, one after another: first those that exist, then new ones as they are recorded.
///
/// ```swift
/// for try await entry in book.reader.tail(from: 1) { … }
/// ```
///
/// Every entry from the first one asked for comes once, in order. Commits come whole: a commit that
/// is being written is never seen in part. The sequence does not end by itself; it ends when its
/// task is cancelled, or with a ``JournalError`` when the book cannot be read any further.
///
/// At most some thousand entries are held in memory, however far the consumer is behind. Following
/// delays nobody: it takes no lock, and writers do not know of it.
public struct EntryTail: AsyncSequence, Sendable {
  /// An entry of the journal, with its head.
  public typealias Element = Entry
  /// Why the book cannot be read any further.
  public typealias Failure = JournalError

  /// The same entries in arrays of up to some thousand. This is faster, because each wait costs as
  /// much as some dozen entries.
  public let batches: Batches

  /// Starts following.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

  /// Goes through the entries.
  public struct Iterator: AsyncIteratorProtocol {
    private var batches: Batches.Iterator
    private var batch: [Entry] = []
    private var index = 0

    fileprivate init(batches: Batches.Iterator) { self.batches = batches }

    /// The next entry; nil once the task was cancelled.
    ///
    /// - Throws: ``JournalError`` when the book cannot be read on.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(JournalError) -> Entry? {
      while index == batch.count {
        guard let more = try await batches.next(isolation: actor) else { return nil }
        (batch, index) = (more, 0)
      }
      defer { index += 1 }
      return batch[index]
    }
  }

  /// A book's entries in arrays, none of which is empty.
  public struct Batches: AsyncSequence, Sendable {
    /// Consecutive entries.
    public typealias Element = [Entry]
    /// Why the book cannot be read any further.
    public typealias Failure = JournalError

    let reader: BookReader
    let start: Int64
    let interval: Duration
    let clock: any Clock<Duration>

    /// Starts following.
    public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    /// Goes through the arrays.
    public struct Iterator: AsyncIteratorProtocol {
      private let source: Batches
      private var reader: TailReader?
      private var last: Int64
      private var isDone = false

      fileprivate init(source: Batches) {
        self.source = source
        last = source.start - 1
      }

      /// The next entries; nil once the task was cancelled.
      ///
      /// - Throws: ``JournalError`` when the book cannot be read on.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(JournalError) -> [Entry]? {
        if isDone { return nil }
        do throws(JournalError) {
          let reader = try openReader()
          while !Task.isCancelled {
            let head = source.reader.log.signal?.head
            let batch = try await reader.read(until: head)
            if let entry = batch.last {
              last = entry.head.position
              return batch
            }
            await source.wait(past: head ?? last, isTold: head != nil)
          }
        } catch {
          isDone = true
          throw error
        }
        isDone = true
        return nil
      }

      private mutating func openReader() throws(JournalError) -> TailReader {
        if let reader { return reader }
        let opened = try TailReader(source.reader.log, from: source.start)
        reader = opened
        return opened
      }
    }

    /// Waits until there may be more: until this process's book notifies, or for the interval.
    private func wait(past position: Int64, isTold: Bool) async {
      if isTold, let signal = reader.log.signal {
        await signal.wait(past: position)
      } else {
        // A cancelled task stops waiting, and notices that by itself.
        try? await clock.sleep(for: interval)
      }
    }
  }
}

extension BookReader {
  /// Follows the book from an entry on.
  ///
  /// The reader of an open ``Book`` or of a log in memory learns of commits at once. Any other
  /// reader polls the file's length and the segments' names.
  ///
  /// - Parameters:
  ///   - position: The first entry wanted. It need not exist yet.
  ///   - interval: How long to wait between polls.
  ///   - clock: The clock that measures the interval.
  /// - Returns: The entries; nothing is read before they are asked for.
  public func tail(
    from position: Int64 = 1, every interval: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> EntryTail {
    EntryTail(
      batches: .init(
        reader: self, start: max(1, position), interval: interval, clock: clock))
  }
}

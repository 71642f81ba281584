public import Daybook
public import Journal

/// A book's entries, one after another: those that are there, then those that are recorded, as long as it is
/// followed.
///
/// ```swift
/// for try await entry in book.reader.tail(from: 1) { … }
/// ```
///
/// Every entry from the first one asked for comes once, in order. What comes is recorded whole: a commit's entries
/// come together, and never those of a commit that is being written. The sequence does not end by itself; it ends
/// when its task is cancelled, and with a ``JournalError`` when the book cannot be read on.
///
/// At most some thousand entries are held in memory, however far the one who follows is behind. Following holds up
/// nobody: it takes no lock, and a writer does not know of it.
public struct EntryTail: AsyncSequence, Sendable {
  /// A line of the journal, with its head.
  public typealias Element = Entry
  /// Why the book cannot be read on.
  public typealias Failure = JournalError

  /// The same entries in arrays: as many as are there, up to some thousand. For those who are to be fast, as each
  /// wait costs as much as some dozen entries.
  public let batches: Batches

  /// Begins to follow.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

  /// Goes through the entries.
  public struct Iterator: AsyncIteratorProtocol {
    private var batches: Batches.Iterator
    private var batch: [Entry] = []
    private var index = 0

    fileprivate init(batches: Batches.Iterator) { self.batches = batches }

    /// The next entry; nothing once the task was cancelled.
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
    /// Entries that follow one another.
    public typealias Element = [Entry]
    /// Why the book cannot be read on.
    public typealias Failure = JournalError

    let reader: BookReader
    let start: Int64
    let interval: Duration
    let clock: any Clock<Duration>

    /// Begins to follow.
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

      /// The next entries; nothing once the task was cancelled.
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

    /// Waits until there may be more: until the book of this process says so, or else for the interval.
    private func wait(past position: Int64, isTold: Bool) async {
      if isTold, let signal = reader.log.signal {
        await signal.wait(past: position)
      } else {
        // Who is cancelled stops waiting, and sees it for himself.
        try? await clock.sleep(for: interval)
      }
    }
  }
}

extension BookReader {
  /// Follows the book from an entry on.
  ///
  /// The reader of an open ``Book``, or of a log in memory, learns of commits at once. Any other reader looks at the
  /// file's length and the segments' names from time to time.
  ///
  /// - Parameters:
  ///   - position: The first entry that is wanted. It need not be there yet.
  ///   - interval: How long to wait before looking again.
  ///   - clock: By which clock.
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

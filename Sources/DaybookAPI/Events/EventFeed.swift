import Daybook
import DaybookStore
import Journal

/// Reads an account's events of a book after a position, and passes them on in chunks.
struct EventFeed: Sendable {
  /// A chunk is passed on when it has this length, or when there are no further events yet.
  private static let chunkByteCount = 65_536

  let book: Book
  let account: Account.ID
  let position: Int64
  /// The most past entries held in memory, however slowly they are taken.
  var pageCount = 1024

  /// Passes on past events and then new ones, until the slot is closed or the account is erased.
  ///
  /// - Throws: ``JournalError``, or ``ExchangeError`` if the book can no longer be read.
  func run(into slot: ChunkSlot) async throws {
    guard await slot.send(ServerSentEvent.beginning) else { return }
    var sight = EventVisibility(of: account)
    // The index finds past entries, so however long the book is, only the account's own entries are read.
    var past = PastPages(pageCount)
    while let page = try await past.next(of: account, in: book) {
      guard try await send(page[...], &sight, to: slot) else { return }
    }
    for try await batch in book.reader.tail(from: past.last + 1).batches {
      let state = try await present(at: batch)
      let entries = batch.compactMap { entry in
        state.aggregate(of: entry.event).map { (aggregate: $0, entry: entry) }
      }
      guard try await send(entries[...], &sight, to: slot) else { return }
    }
  }

  /// The present state of the book, which includes at least the entries of a batch, even if another process
  /// recorded them.
  private func present(at batch: [Entry]) async throws -> BookState {
    let state = book.read { $0 }
    guard let last = batch.last, last.head.position > state.position else { return state }
    return try await onThread { [reader = book.reader] in try reader.state() }
  }

  /// Passes on the entries that the account may see when each chunk is made; returns whether to go on.
  private func send(
    _ entries: ArraySlice<AboutEntry>, _ sight: inout EventVisibility, to slot: ChunkSlot
  ) async throws -> Bool {
    var rest = entries
    while !rest.isEmpty {
      // A separate function, so that no state is held while the chunk waits to be taken.
      guard let chunk = try await chunk(from: &rest, &sight) else { return false }
      guard chunk.isEmpty ? true : await slot.send(chunk) else { return false }
    }
    return true
  }

  /// Removes entries and makes the next chunk of those that the account may see; `nil` once it is erased.
  private func chunk(
    from entries: inout ArraySlice<AboutEntry>, _ sight: inout EventVisibility
  ) async throws -> [UInt8]? {
    let state = try await present(at: entries.last.map { [$0.entry] } ?? [])
    // An erased account is told nothing more, not even of its erasure.
    guard state.accounts.isThere(account) else { return nil }
    var lines = EntryLines(knowing: state)
    var chunk: [UInt8] = []
    while chunk.count < Self.chunkByteCount, let (aggregate, entry) = entries.popFirst() {
      let told = sight.visible(entry, about: aggregate, in: state)
      guard let told, told.head.position > position else { continue }
      ServerSentEvent.write(
        try lines.json(of: told), of: told.event.name, at: told.head.position, to: &chunk)
    }
    return chunk
  }

  private typealias AboutEntry = (aggregate: Aggregate, entry: Entry)

  /// The past entries of an account, page by page.
  private struct PastPages {
    /// The last position whose entries were all passed on.
    private(set) var last: Int64 = 0
    /// The number of positions in which to look for the next page; it grows where little is found.
    private var span: Int64
    private let pageCount: Int

    init(_ pageCount: Int) {
      self.pageCount = pageCount
      span = Int64(pageCount) * 4
    }

    /// The next page, oldest first, in the book's present state; `nil` at the end of the past.
    mutating func next(of account: Account.ID, in book: Book) async throws -> [AboutEntry]? {
      let state = book.read { $0 }
      guard last < state.position else { return nil }
      let (first, end) = (last, min(state.position, last + span))
      let found = try await onThread {
        try book.reader.entries(
          of: EventVisibility.aggregates(of: account, in: state), after: first, through: end)
      }
      let page = found.prefix(pageCount)
      if page.count < found.count, let place = page.last?.entry.head.position {
        last = place
        span = max(Int64(pageCount), span / 4)
      } else {
        last = end
        span = min(span * 4, 1 << 32)
      }
      return Array(page)
    }
  }
}

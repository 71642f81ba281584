import Daybook
import DaybookStore
import Journal

/// Reads what an account is told of a book after a position, and gives it on, chunk after chunk.
struct EventFeed: Sendable {
  /// A chunk is given on when it is so long, or when nothing more is there yet.
  private static let chunkByteCount = 65_536

  let book: Book
  let account: Account.ID
  let position: Int64
  /// So many entries of the past are at hand at most, however slowly they are taken.
  var pageCount = 1024

  /// Gives on what there is, then what comes, until the slot is closed, or the account is erased.
  ///
  /// - Throws: ``JournalError``, or ``ExchangeError`` when the book cannot be read on.
  func run(into slot: ChunkSlot) async throws {
    guard await slot.give(ServerSentEvent.beginning) else { return }
    var sight = EventSight(of: account)
    // What only the journal has comes from the index: however long the book is, the account's own entries are read.
    var past = PastPages(pageCount)
    while let page = try await past.next(of: account, in: book) {
      guard try await give(page[...], &sight, to: slot) else { return }
    }
    for try await batch in book.reader.tail(from: past.last + 1).batches {
      let state = try await present(at: batch)
      let entries = batch.compactMap { entry in
        state.aggregate(of: entry.event).map { (aggregate: $0, entry: entry) }
      }
      guard try await give(entries[...], &sight, to: slot) else { return }
    }
  }

  /// The book as it is now: it knows the entries of a batch at least, also where another book recorded them.
  private func present(at batch: [Entry]) async throws -> BookState {
    let state = book.read { $0 }
    guard let last = batch.last, last.head.position > state.position else { return state }
    return try await onThread { [reader = book.reader] in try reader.state() }
  }

  /// Gives entries on, as far as the account is told of them when each chunk is made; says whether there is to be more.
  private func give(
    _ entries: ArraySlice<AboutEntry>, _ sight: inout EventSight, to slot: ChunkSlot
  ) async throws -> Bool {
    var rest = entries
    while !rest.isEmpty {
      // A function of its own, so that no state is held while nobody takes the chunk.
      guard let chunk = try await chunk(from: &rest, &sight) else { return false }
      guard chunk.isEmpty ? true : await slot.give(chunk) else { return false }
    }
    return true
  }

  /// The next chunk of some entries, which are taken off, as the account is told them now; nothing once it is erased.
  private func chunk(
    from entries: inout ArraySlice<AboutEntry>, _ sight: inout EventSight
  ) async throws -> [UInt8]? {
    let state = try await present(at: entries.last.map { [$0.entry] } ?? [])
    // Who was erased is told nothing more, not even that.
    guard state.accounts.isThere(account) else { return nil }
    var lines = EntryLines(knowing: state)
    var chunk: [UInt8] = []
    while chunk.count < Self.chunkByteCount, let (aggregate, entry) = entries.popFirst() {
      let told = sight.told(entry, about: aggregate, in: state)
      guard let told, told.head.position > position else { continue }
      ServerSentEvent.write(
        try lines.json(of: told), of: told.event.name, at: told.head.position, to: &chunk)
    }
    return chunk
  }

  /// An entry, and what it is about.
  private typealias AboutEntry = (aggregate: Aggregate, entry: Entry)

  /// The past of an account's things, a page at a time.
  private struct PastPages {
    /// The last position up to which everything was given.
    private(set) var last: Int64 = 0
    /// Over how many positions the next page is looked for: more where little is found.
    private var span: Int64
    private let pageCount: Int

    init(_ pageCount: Int) {
      self.pageCount = pageCount
      span = Int64(pageCount) * 4
    }

    /// The next page, oldest first, as the book is now; nothing once there is no more of the past.
    mutating func next(of account: Account.ID, in book: Book) async throws -> [AboutEntry]? {
      let state = book.read { $0 }
      guard last < state.position else { return nil }
      let (first, end) = (last, min(state.position, last + span))
      let found = try await onThread {
        try book.reader.entries(
          of: EventSight.aggregates(of: account, in: state), after: first, through: end)
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

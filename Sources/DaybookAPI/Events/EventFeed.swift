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

  /// Gives on what there is, then what comes, until the slot is closed.
  ///
  /// - Throws: ``JournalError``, or ``ExchangeError`` when the book cannot be read on.
  func run(into slot: ChunkSlot) async throws {
    guard await slot.give(ServerSentEvent.beginning) else { return }
    let state = book.read { $0 }
    var sight = EventSight(of: account)
    // What only the journal has comes from the index: however long the book is, the account's own entries are read.
    let past = try await onThread { [book, account] in
      let wanted = EventSight.aggregates(of: account, in: state)
      return try book.reader.entries(of: wanted, through: state.position)
    }
    guard try await give(past[...], &sight, in: state, to: slot) else { return }
    for try await batch in book.reader.tail(from: state.position + 1).batches {
      let state = try await present(at: batch)
      // Who was erased is told nothing more, not even that.
      guard state.accounts[account]?.isErased == false else { return }
      let entries = batch.compactMap { entry in
        state.aggregate(of: entry.event).map { (aggregate: $0, entry: entry) }
      }
      guard try await give(entries[...], &sight, in: state, to: slot) else { return }
    }
  }

  /// The book as it is now: it knows the entries of a batch at least, also where another book recorded them.
  private func present(at batch: [Entry]) async throws -> BookState {
    let state = book.read { $0 }
    guard let last = batch.last, last.head.position > state.position else { return state }
    return try await onThread { [reader = book.reader] in try reader.state() }
  }

  /// Gives entries on, as far as the account is told of them; says whether they are still taken.
  private func give(
    _ entries: ArraySlice<(aggregate: Aggregate, entry: Entry)>, _ sight: inout EventSight,
    in state: BookState, to slot: ChunkSlot
  ) async throws -> Bool {
    var lines = EntryLines(knowing: state)
    var chunk: [UInt8] = []
    for (aggregate, entry) in entries {
      let told = sight.told(entry, about: aggregate, in: state)
      guard let told, told.head.position > position else { continue }
      ServerSentEvent.write(
        try lines.json(of: told), of: told.event.name, at: told.head.position, to: &chunk)
      guard chunk.count >= Self.chunkByteCount else { continue }
      guard await slot.give(chunk) else { return false }
      chunk.removeAll()
    }
    if chunk.isEmpty { return true }
    return await slot.give(chunk)
  }
}

import Avro
package import Daybook
import Journal

// A book that mirrors what an account sees of another one. Its positions are the numbers of the account's lines.
extension Book {
  /// Appends lines of an account's export after those that the book has, all of them in one commit.
  ///
  /// - Parameter lines: The next lines, without line ends; none of them continues a command of an earlier call.
  /// - Throws: ``ExchangeError/malformed(file:line:reason:)`` when a line does not continue those before it or has an
  ///   event that this program does not know, or ``JournalError``; then nothing changed.
  package func append(mirrored lines: [String]) throws {
    guard !lines.isEmpty else { return }
    try transaction { (batch: inout Batch) throws in
      var reader = ExportReader(zones: self.reader.zones)
      for line in lines {
        let position = Int(batch.state.position) + 1
        do throws(TranscodingError) {
          try reader.read(Array(line.utf8), line: position, into: &batch)
        } catch {
          throw ExchangeError.malformed(
            file: "the answer", line: position, reason: error.description)
        }
      }
    }
  }

  /// The entries of the command that was recorded under an id; none when there is none.
  ///
  /// - Throws: ``JournalError``.
  package func entries(under id: Key) throws -> [Entry] {
    guard let first = try receipts.first(under: id)?.entry else { return [] }
    var command = CommandEntries(start: first.head.position)
    try reader.replay(into: &command, from: first.head.position)
    return command.entries
  }
}

/// The entries of the command that begins at a position.
private struct CommandEntries: Projection {
  let start: Int64
  private(set) var entries: [Entry] = []
  private(set) var isComplete = false

  init(start: Int64) { self.start = start }

  mutating func apply(_ entry: Entry) {
    if entry.head.position == start || entry.head.commandStart == start {
      entries.append(entry)
    } else {
      isComplete = true
    }
  }
}

extension BookView {
  /// The view with commands that were decided on top of it, as of an instant.
  ///
  /// - Parameters:
  ///   - batch: Made by ``Batch/init(supposing:)`` from this view.
  ///   - instant: The instant; the last command's if that is later.
  /// - Returns: The view.
  package func with(_ batch: Batch, asOf instant: Instant) -> BookView {
    with(
      batch.state, asOf: max(instant, batch.state.at), supposing: batch.entries ?? [])
  }
}

import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Seal: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Close the active segment and seal all: smaller, faster to read, immutable.",
    discussion: """
      A book seals a segment by itself when it is full (8 MiB). Sealing at once is for before an archive or \
      a long rest. Each segment is rewritten into large blocks, compared with the original entry by entry, \
      made read-only and chained to the one before.
      """)

  @OptionGroup var options: BookOptions

  mutating func run() throws {
    let before = try options.reader.journalByteCount()
    let sealed = try options.open().seal()
    let after = try options.reader.journalByteCount()
    if options.json {
      return Output.line(
        JSON.object([
          .init("sealed", .array(sealed.map { .number($0.first.number) })),
          .init("bytes_before", .number(Int64(before))),
          .init("bytes_after", .number(Int64(after))),
        ]).encoded)
    }
    guard !sealed.isEmpty else { return Output.line("Everything is sealed already.") }
    let segments = sealed.count == 1 ? "1 segment" : "\(sealed.count) segments"
    Output.line("Sealed \(segments): \(before) bytes became \(after).")
  }
}

extension BookReader {
  /// How many bytes the segments have.
  func journalByteCount() throws -> Int {
    var sum = 0
    for segment in try journal.segments() {
      sum += try journal.storage.open(journal.path(of: segment), .read).byteCount()
    }
    return sum
  }
}

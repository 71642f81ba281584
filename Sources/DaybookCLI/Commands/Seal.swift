import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Seal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seal",
    abstract: "Close the active segment and seal all: smaller, faster to read, immutable.",
    discussion: """
      A book seals a segment by itself when it is full (8 MiB). Seal a book before you archive \
      it or leave it unused for long. Each segment is rewritten into large blocks, compared with \
      the original entry by entry, made read-only and chained to the one before.
      """)

  @OptionGroup var options: BookOptions

  func run() throws {
    let reader = options.reader
    let sizes = try reader.segmentByteCounts()
    let sealed = try options.open().seal()
    let newSizes = try reader.segmentByteCounts()
    let before = sealed.reduce(0) { $0 + (sizes[$1] ?? 0) }
    let after = sealed.reduce(0) { $0 + (newSizes[$1] ?? 0) }
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
  /// The size of each segment in bytes.
  func segmentByteCounts() throws -> [SegmentName: Int] {
    var counts: [SegmentName: Int] = [:]
    for segment in try journal.segments() {
      counts[segment] = try journal.storage.open(journal.path(of: segment), .read).byteCount()
    }
    return counts
  }
}

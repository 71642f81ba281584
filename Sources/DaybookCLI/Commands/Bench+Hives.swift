import Daybook
import DaybookSamples
import DaybookStore
import Journal

extension Bench {
  /// Measures hives: replaying a book of them, settling one day for all, and one member's view of a hive.
  func hives(_ path: String) throws -> [Figure] {
    let reader = BookReader(at: path)
    if try !reader.journal.exists() {
      Output.note("Making a book of hives with \(entries) logs at \(path) …")
      _ = try BenchBook.makeHives(at: path, logs: entries, hives: max(1, entries / 1000))
    }
    var state = BookState()
    let replaying = try Self.seconds {
      var replay = StateReplay()
      try reader.replay(into: &replay)
      replay.finish()
      state = replay.state
    }
    // Two days later the day is over for everybody; whatever closed since the last entry is settled at once.
    let book = try Book(opening: reader, sealing: .onRequest)
    let later = state.at.advanced(byMilliseconds: 2 * 86_400_000)
    let nothing = try book.recordWithReceipt(Settle(), by: nil, at: state.at).answer
    var broken = 0
    let settling = try Self.seconds {
      broken = try book.recordWithReceipt(Settle(), by: nil, at: later).answer
    }
    let again = try Self.seconds { _ = try book.recordWithReceipt(Settle(), by: nil, at: later) }
    let settled = book.read { $0 }
    let query = Query(asOf: later, zones: reader.zones)
    var looks: [Double] = []
    for (index, hive) in settled.hives.elements.enumerated().prefix(1000) {
      guard let number = Hive.ID(index + 1) else { continue }
      looks.append(try Self.seconds { _ = try settled.hiveCard(number, for: hive.owner, query) })
    }
    return [
      ("entries", Double(state.position)), ("hives", Double(state.hives.count)),
      ("state_seconds", replaying),
      ("state_million_entries_per_second", Double(state.position) / replaying / 1e6),
      ("breaks_settled_before", Double(nothing)), ("breaks_settled", Double(broken)),
      ("settle_milliseconds", settling * 1000), ("settle_again_milliseconds", again * 1000),
      ("card_milliseconds", Self.median(looks) * 1000),
    ]
  }
}

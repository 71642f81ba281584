import Daybook
import DaybookStore
import Journal
import SimulatedStorage

/// A tail in another process: it must see every entry once, in order.
final class FollowingTail {
  private var tail: JournalTail
  private var next: Int
  /// The fingerprints of the entries it saw, by position.
  private var seen: [Int: UInt64] = [:]
  /// Whether the book's entries are still as it saw them. A process that opened a file before an erasure goes on
  /// reading the old file.
  private var compares = true
  private var isReading = false

  init(_ journal: Journal, from start: Int) throws(Flaw) {
    next = max(1, start)
    do throws(JournalError) {
      tail = try JournalTail(journal, from: Position(Int64(start)))
    } catch { throw Flaw("following: \(error)") }
  }

  /// An account was erased: from now on it only counts.
  func stopComparing() { compares = false }

  /// Reads on, for this many blocks at most.
  func read(blocks: Int, expecting pledge: Pledge) throws(Flaw) {
    guard !isReading else { return }
    isReading = true
    defer { isReading = false }
    for _ in 0..<blocks {
      guard try step() else { break }
    }
    if pledge.erasing == nil { try judge(pledge.kept) }
  }

  /// Reads to the end, and must have seen everything then.
  func readAll(expecting kept: [UInt64]) throws(Flaw) {
    while try step() {}
    try judge(kept)
    try Flaw.require(
      next >= kept.count + 1, "a tail ended with \(next - 1) of \(kept.count) entries")
  }

  private func step() throws(Flaw) -> Bool {
    try Flaw.unlessDone("following") {
      guard try tail.step() else { return false }
      let first = next
      let (begin, prints) = try tail.withBlock { _, block throws(JournalError) in
        do {
          return (Int(block.first.number), try BookSession.fingerprints(in: block))
        } catch {
          throw block.corruption("\(error)")
        }
      }
      try Flaw.require(begin <= first, "a tail went from \(first - 1) to \(begin)")
      try Flaw.require(begin + prints.count > first, "a tail saw \(begin) twice")
      for (offset, print) in prints.enumerated() where begin + offset >= first {
        seen[begin + offset] = print
      }
      next = begin + prints.count
      return true
    }
  }

  private func judge(_ kept: [UInt64]) throws(Flaw) {
    for (position, print) in seen where compares && position <= kept.count {
      try Flaw.require(kept[position - 1] == print, "a tail saw another entry \(position)")
    }
  }
}

/// The operations on a book, in order, after its creation.
struct Script: Hashable, CustomStringConvertible {
  enum Operation: String, CaseIterable {
    /// Appends one short entry.
    case one
    /// Appends two short entries as one commit.
    case two
    /// Appends a long entry, which starts a segment where short ones would not.
    case long
    /// Publishes two commits, of one short entry and of two, which reach the disk together.
    case batch
    /// Closes the segment, so that the next one begins.
    case close
    /// Seals all closed segments.
    case seal
    /// Closes the book and opens it again.
    case reopen
  }

  var operations: [Operation]
  /// The length at which a segment is followed by another.
  var segmentByteCount: Int

  /// The length of a segment that three short commits fill: its header takes 346 bytes, and each of them 58.
  static let fewCommits = 540

  /// One commit in each segment; a few short commits in each; all in one.
  static let segmentByteCounts = [1, fewCommits, 1 << 20]

  /// Every script of at most this many operations, short ones first.
  static func all(upTo count: Int) -> [Script] {
    var scripts: [Script] = []
    var longest: [[Operation]] = [[]]
    for length in 0...count {
      for operations in longest {
        for segmentByteCount in segmentByteCounts {
          // Where length does not matter, long entries act like short ones; where each commit has its own segment,
          // there is none to close.
          if segmentByteCount != fewCommits, operations.contains(.long) { continue }
          if segmentByteCount == 1, operations.contains(.close) { continue }
          // A batch always starts its own segment.
          if segmentByteCount == fewCommits, operations.contains(.batch) { continue }
          scripts.append(Script(operations: operations, segmentByteCount: segmentByteCount))
        }
      }
      if length < count {
        longest = longest.flatMap { prefix in Operation.allCases.map { prefix + [$0] } }
      }
    }
    return scripts
  }

  /// The form on the command line.
  var description: String {
    (["\(segmentByteCount)"] + operations.map(\.rawValue)).joined(separator: " ")
  }

  init(operations: [Operation], segmentByteCount: Int) {
    self.operations = operations
    self.segmentByteCount = segmentByteCount
  }

  init?(_ text: String) {
    var words = text.split(separator: " ")
    guard !words.isEmpty, let byteCount = Int(words.removeFirst()) else { return nil }
    operations = words.compactMap { Operation(rawValue: String($0)) }
    guard operations.count == words.count else { return nil }
    segmentByteCount = byteCount
  }
}

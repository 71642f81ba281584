/// What is done to a book, one thing after another; making it comes first.
struct Script: Hashable, CustomStringConvertible {
  enum Operation: String, CaseIterable {
    /// Appends one short entry.
    case one
    /// Appends two short entries as one commit.
    case two
    /// Appends a long entry, which begins a segment where short ones would not.
    case long
    /// Publishes two commits, of one short entry and of two, which come to be on disk together.
    case batch
    /// Closes the segment, so that the next one begins.
    case close
    /// Seals all segments that are closed.
    case seal
    /// Closes the book and opens it again.
    case reopen
  }

  var operations: [Operation]
  /// From which length on a segment is followed by another.
  var segmentByteCount: Int

  /// The length of a segment that three short commits fill: its header takes 346 bytes, each of them 58.
  static let fewCommits = 540

  /// Every commit in a segment of its own; a few short commits in each; all in one.
  static let segmentByteCounts = [1, fewCommits, 1 << 20]

  /// Every script of at most so many operations, short ones first.
  static func all(upTo count: Int) -> [Script] {
    var scripts: [Script] = []
    var longest: [[Operation]] = [[]]
    for length in 0...count {
      for operations in longest {
        for segmentByteCount in segmentByteCounts {
          // Where no length matters, long entries are as short ones; where each commit has a segment of its
          // own, there is none to close.
          if segmentByteCount != fewCommits, operations.contains(.long) { continue }
          if segmentByteCount == 1, operations.contains(.close) { continue }
          // A batch begins a segment of its own wherever it is.
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

  /// As it is given on the command line.
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

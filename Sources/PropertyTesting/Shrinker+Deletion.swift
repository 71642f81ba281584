// Each pass rereads the best record after every success, since a success can move everything.

extension Shrinker {
  /// Runs of up to this many choices are deleted at every position.
  private static let shortRun = 8

  /// Deletes runs of adjacent spans, long runs first: elements of a list, days of a history.
  ///
  /// Runs of one length are tried at non-overlapping positions only: a list of n elements takes about 2 n
  /// attempts, not n for each length.
  mutating func deleteSiblings(_ attempt: Attempt) {
    var siblings = SiblingSpans(of: best)
    var length = siblings.longest
    while length > 0 {
      var chunks = siblings.chunks(ofCount: length, before: .max)
      while let chunk = chunks.popLast() {
        if consider(best.deleting(chunk), attempt) {
          siblings = SiblingSpans(of: best)
          chunks = siblings.chunks(ofCount: length, before: chunk.lowerBound)
        }
      }
      length = min(length / 2, siblings.longest)
    }
  }

  /// Deletes what a single draw took, if it is longer than the runs that ``deleteChoices(_:)`` deletes
  /// anywhere.
  mutating func deleteLongSpans(_ attempt: Attempt) {
    var index = best.spans.count - 1
    while index >= 0 {
      let span = best.spans[index]
      if span.end - span.start > Self.shortRun {
        _ = consider(best.deleting(span.start..<span.end), attempt)
      }
      index = min(index, best.spans.count) - 1
    }
  }

  /// Replaces an outer span by an inner one of the same type: a tree by its subtree.
  mutating func replaceByInnerSpans(_ attempt: Attempt) {
    var outer = 0
    while outer < best.spans.count {
      var inner = outer + 1
      while inner < best.spans.count, outer < best.spans.count {
        let (span, part) = (best.spans[outer], best.spans[inner])
        if part.start >= span.end { break }
        inner += 1
        guard part.type == span.type, part.end - part.start < span.end - span.start else {
          continue
        }
        var values = best.values
        values.replaceSubrange(span.start..<span.end, with: best.values[part.start..<part.end])
        if consider(values, attempt) { inner = outer + 1 }
      }
      outer += 1
    }
  }

  /// Deletes an element, and lowers by one the choices that may refer to later elements, such as indices into
  /// the list or consecutive numbers.
  mutating func deleteAndRenumber(_ attempt: Attempt) {
    var index = 0
    while index < best.spans.count {
      let span = best.spans[index]
      index += 1
      guard best.isTurn(span) else { continue }
      var lowered = best.values
      for position in lowered.indices where best.bounds[position] > 1 && lowered[position] > 0 {
        lowered[position] -= 1
      }
      // First only in the elements that remain, then in the whole record, because earlier choices may refer
      // to them, too.
      let after = best.values[..<span.start] + lowered[span.end...]
      let everywhere = lowered[..<span.start] + lowered[span.end...]
      if consider(Array(after), attempt) || consider(Array(everywhere), attempt) { index = 0 }
    }
  }

  /// Lowers a choice by one and deletes a later span: a count, and one of the counted items.
  mutating func lowerAndDelete(_ attempt: Attempt) {
    var position = 0
    while position < best.values.count {
      var index = best.spans.partitioningIndex { $0.start > position }
      while index < best.spans.count, position < best.values.count,
        best.values[position] > 0, best.bounds[position] > 1
      {
        let span = best.spans[index]
        index += 1
        var values = best.deleting(span.start..<span.end)
        values[position] -= 1
        if consider(values, attempt) {
          index = best.spans.partitioningIndex { $0.start > position }
        }
      }
      position += 1
    }
  }

  /// Deletes runs of choices anywhere: long ones at non-overlapping positions, short ones at every position.
  mutating func deleteChoices(_ attempt: Attempt) {
    // For a long record, short runs and every position would use up the limit.
    let longest = 512
    var length = best.values.count / 2
    while length > (best.values.count > longest ? best.values.count / 64 : Self.shortRun) {
      deleteChoices(count: length, every: length, attempt)
      length /= 2
    }
    guard best.values.count <= longest else { return }
    for length in stride(from: Self.shortRun, through: 1, by: -1) {
      deleteChoices(count: length, every: 1, attempt)
    }
  }

  private mutating func deleteChoices(count: Int, every step: Int, _ attempt: Attempt) {
    var start = best.values.count - count
    while start >= 0 {
      if start + count <= best.values.count {
        _ = consider(best.deleting(start..<(start + count)), attempt)
      }
      start = min(start - step, best.values.count - count)
    }
  }
}

/// The runs of adjacent spans of one type: the turns of a loop, the parts of a tuple.
private struct SiblingSpans {
  /// For each run, the starts of its spans and the end of the last.
  private var runs: [[Int]] = []

  init(of recording: RecordedChoices) {
    /// The run that ends at a position, for each type.
    var open: [Edge: Int] = [:]
    for span in recording.spans where span.type != ObjectIdentifier(FixedTurn.self) {
      let run = open.removeValue(forKey: Edge(position: span.start, type: span.type))
      if let run {
        runs[run].append(span.end)
      } else {
        runs.append([span.start, span.end])
      }
      open[Edge(position: span.end, type: span.type)] = run ?? runs.count - 1
    }
  }

  private struct Edge: Hashable {
    var position: Int
    var type: ObjectIdentifier
  }

  /// The number of spans in the longest run.
  var longest: Int { (runs.map(\.count).max() ?? 1) - 1 }

  /// The ranges of `count` adjacent spans, counted from the end of each run, that begin before a position; in
  /// the order of their starts.
  func chunks(ofCount count: Int, before limit: Int) -> [Range<Int>] {
    var chunks: [Range<Int>] = []
    for run in runs where run.count > 2 {
      for last in stride(from: run.count - 1, through: count, by: -count)
      where run[last - count] < limit {
        chunks.append(run[last - count]..<run[last])
      }
    }
    return chunks.sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension RecordedChoices {
  /// The values without a range.
  func deleting(_ range: Range<Int>) -> [UInt64] {
    var values = values
    values.removeSubrange(range)
    return values
  }

  /// Whether the span is a turn of a loop.
  func isTurn(_ span: Source.Span) -> Bool {
    span.type == ObjectIdentifier(Repetition.self) || span.type == ObjectIdentifier(FixedTurn.self)
  }
}

extension Array {
  /// The first index at which the condition holds, provided that it holds for all elements from some index
  /// on.
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// Each pass reads the best record afresh after every success: a success can move everything.

extension Shrinker {
  /// Deletes runs of neighbouring spans, long runs first: elements of a list, days of a history.
  ///
  /// Runs of one length are tried side by side, not at every place: a list of n takes some 2 n attempts, not n for
  /// each length.
  mutating func deleteSiblings(_ attempt: Attempt) {
    var length = best.spans.count
    while length > 0 {
      // The run that could not be deleted last: one that overlaps it among the same siblings is not tried.
      var kept = 0..<0
      var index = best.spans.count - 1
      while index >= 0 {
        let spans = best.spans
        guard index < spans.count else {
          index = spans.count - 1
          continue
        }
        let span = spans[index]
        if let end = endOfSiblings(from: index, count: length, in: spans) {
          let overlaps =
            span.start < kept.lowerBound && kept.lowerBound < end && end < kept.upperBound
          if !overlaps {
            var values = best.values
            values.removeSubrange(span.start..<end)
            kept = consider(values, attempt) ? 0..<0 : span.start..<end
          }
        }
        index -= 1
      }
      length /= 2
    }
  }

  /// Where the run of that many spans of one type, each beginning at the end of the last, ends.
  private func endOfSiblings(from index: Int, count: Int, in spans: [Source.Span]) -> Int? {
    var end = spans[index].end
    var rest = count - 1
    var next = index + 1
    while rest > 0 {
      while next < spans.count, spans[next].start < end { next += 1 }
      guard next < spans.count, spans[next].start == end, spans[next].type == spans[index].type
      else { return nil }
      end = spans[next].end
      rest -= 1
    }
    return end
  }

  /// Puts an inner span of the same type in the place of an outer one: a subtree for its tree.
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

  /// Lowers every choice by itself.
  mutating func lowerChoices(_ attempt: Attempt) {
    var position = 0
    while position < best.values.count {
      minimise(from: best.values[position], attempt) { number, best in
        guard position < best.values.count else { return nil }
        var values = best.values
        values[position] = number
        return values
      }
      position += 1
    }
  }

  /// Lowers equal choices of the same bound together: what is equal often has to stay equal.
  mutating func lowerEqualChoices(_ attempt: Attempt) {
    var groups: [Source.Choice: [Int]] = [:]
    for (position, value) in best.values.enumerated() where value > 0 {
      groups[Source.Choice(value: value, bound: best.bounds[position]), default: []]
        .append(position)
    }
    let inOrder = groups.sorted { $0.value.lexicographicallyPrecedes($1.value) }
    for (choice, positions) in inOrder where positions.count > 1 {
      for (offset, first) in positions.enumerated() {
        // All at once, then every pair of near neighbours.
        let others = offset == 0 ? [positions] : []
        let pairs = positions[(offset + 1)...].prefix(4).map { [first, $0] }
        for group in others + pairs {
          let values = best.values
          guard group.allSatisfy({ $0 < values.count && values[$0] == choice.value }) else {
            continue
          }
          minimise(from: choice.value, attempt) { number, best in
            var values = best.values
            for position in group where position < values.count { values[position] = number }
            return values
          }
        }
      }
    }
  }

  /// Exchanges neighbouring spans of one type when that sorts them.
  mutating func swapSiblings(_ attempt: Attempt) {
    var index = 0
    while index < best.spans.count {
      let (spans, span) = (best.spans, best.spans[index])
      index += 1
      let next = spans[index...].first { $0.start >= span.end }
      guard let next, next.start == span.end, next.type == span.type else { continue }
      let (left, right) = (best.values[span.start..<span.end], best.values[next.start..<next.end])
      let values = best.values[..<span.start] + right + left + best.values[next.end...]
      // Sorting by insertion: what has moved ahead may have to move on.
      if consider(Array(values), attempt) { index = max(0, index - 2) }
    }
  }

  /// Moves an amount from a choice to a later one, or takes it from both: sums and differences.
  mutating func shiftBetweenChoices(_ attempt: Attempt) {
    let open = best.values.indices.filter { best.bounds[$0] > 0 }
    for (offset, first) in open.enumerated() {
      for second in open[(offset + 1)...].prefix(8) {
        for isRaised in [true, false] {
          guard second < best.values.count, best.values[first] > 0 else { continue }
          let (start, partner) = (best.values[first], best.values[second])
          minimise(from: start, attempt) { number, best in
            guard second < best.values.count, number <= start else { return nil }
            let amount = start - number
            let other =
              isRaised
              ? partner.addingReportingOverflow(amount)
              : partner.subtractingReportingOverflow(amount)
            guard !other.overflow, other.partialValue <= best.bounds[second] else { return nil }
            var values = best.values
            values[first] = number
            values[second] = other.partialValue
            return values
          }
        }
      }
    }
  }

  /// Lowers a choice by one and deletes a later span: a count and one of what it counts.
  mutating func lowerAndDelete(_ attempt: Attempt) {
    var position = 0
    while position < best.values.count {
      var index = 0
      while index < best.spans.count, position < best.values.count, best.values[position] > 0 {
        let span = best.spans[index]
        index += 1
        guard span.start > position else { continue }
        var values = best.values
        values[position] -= 1
        values.removeSubrange(span.start..<span.end)
        if consider(values, attempt) { index = 0 }
      }
      position += 1
    }
  }

  /// Deletes short runs of choices wherever they are.
  mutating func deleteChoices(_ attempt: Attempt) {
    for length in stride(from: 8, through: 1, by: -1) {
      var start = best.values.count - length
      while start >= 0 {
        guard start + length <= best.values.count else {
          start = best.values.count - length
          continue
        }
        var values = best.values
        values.removeSubrange(start..<(start + length))
        _ = consider(values, attempt)
        start -= 1
      }
    }
  }
}

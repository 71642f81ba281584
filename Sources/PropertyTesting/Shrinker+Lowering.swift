// Each pass reads the best record afresh after every success: a success can move everything.

extension Shrinker {
  /// Sets many choices to zero at once, where they need not be anything: all, halves, quarters, to that share.
  ///
  /// Choices between two are left out: to end a list early is another thing than to lower its elements.
  mutating func zeroBlocks(downToShare count: Int, _ attempt: Attempt) {
    var length = best.values.count
    // Shorter blocks would cost as much as each choice by itself.
    while length >= max(8, best.values.count / count) {
      var start = 0
      while start < best.values.count {
        var values = best.values
        for position in start..<min(start + length, values.count)
        where best.bounds[position] > 1 {
          values[position] = 0
        }
        _ = consider(values, attempt)
        start += length
      }
      length /= 2
    }
  }

  /// Lowers every choice by itself, but for those whether a loop goes on: to delete its turns is the better way.
  mutating func lowerChoices(_ attempt: Attempt) {
    var turns = best.startsOfTurns
    var (position, length) = (0, best.values.count)
    while position < best.values.count {
      if best.values.count != length { (turns, length) = (best.startsOfTurns, best.values.count) }
      defer { position += 1 }
      if turns.contains(position) { continue }
      minimise(from: best.values[position], attempt) { number, best in
        guard position < best.values.count else { return nil }
        var values = best.values
        values[position] = number
        return values
      }
    }
  }

  /// Lowers equal choices of the same bound together: what is equal often has to stay equal.
  mutating func lowerEqualChoices(_ attempt: Attempt) {
    let turns = best.startsOfTurns
    var groups: [Source.Choice: [Int]] = [:]
    for (position, value) in best.values.enumerated() where value > 0 && !turns.contains(position) {
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
      guard right.lexicographicallyPrecedes(left) else { continue }
      let values = best.values[..<span.start] + right + left + best.values[next.end...]
      // Sorting by insertion: what has moved ahead may have to move on.
      if consider(Array(values), attempt) { index = max(0, index - 2) }
    }
  }

  /// Moves an amount from a choice to a later one, or takes it from both: sums and differences.
  mutating func shiftBetweenChoices(_ attempt: Attempt) {
    // Between the turns of a loop there is nothing to move.
    let turns = best.startsOfTurns
    let open = best.values.indices.filter { best.bounds[$0] > 0 && !turns.contains($0) }
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
}

extension Recording {
  /// The choices whether a loop takes another turn.
  fileprivate var startsOfTurns: Set<Int> {
    Set(spans.lazy.filter(isTurn).map(\.start))
  }
}

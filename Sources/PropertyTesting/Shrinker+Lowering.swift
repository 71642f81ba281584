// Each pass rereads the best record after every success, because a success can shift every position.

extension Shrinker {
  /// Sets many choices to zero at once, in case they do not matter: all of them, then each half, each
  /// quarter, and so on, down to blocks of 1/`count` of all.
  ///
  /// Choices between two alternatives are left alone: they often decide whether a list goes on, and ending a
  /// list is a different change from lowering its elements.
  mutating func zeroBlocks(downToShare count: Int, _ attempt: Attempt) {
    var length = best.values.count
    // Shorter blocks would cost as much as lowering each choice separately.
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

  /// Lowers each choice separately. Choices that continue a loop are left alone, because deleting whole
  /// iterations is better.
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

  /// Lowers equal choices with the same bound together, since equal values often have to stay equal.
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
        // First the whole group at once, then each pair of close neighbours.
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

  /// Swaps adjacent spans of one type if that sorts them.
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
      // This is an insertion sort: what has moved forward may have to move further.
      if consider(Array(values), attempt) { index = max(0, index - 2) }
    }
  }

  /// Moves an amount from one choice to a later one, which preserves their sum, or subtracts it from both,
  /// which preserves their difference.
  mutating func shiftBetweenChoices(_ attempt: Attempt) {
    // Choices that continue a loop are not amounts, so nothing is moved between them.
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

extension RecordedChoices {
  /// The choices that decide whether a loop runs another iteration.
  fileprivate var startsOfTurns: Set<Int> {
    Set(spans.lazy.filter(isTurn).map(\.start))
  }
}

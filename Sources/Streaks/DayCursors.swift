public import Calendar

// Cursors over a history. They move forward only: a walk over all days costs O(days + entries), with no
// search per day. None of them trusts the order of its input: bad input gives odd answers, never a trap.

/// Finds the version in force on each day: the last one with `since` on or before it, else the first.
@usableFromInline
package struct VersionCursor {
  @usableFromInline package let versions: [HabitHistory.Version]
  @usableFromInline package var index = 0

  /// Starts before the first day. A history without versions is read as a daily checkbox; no journal produces
  /// one.
  @inlinable package init(_ history: HabitHistory) {
    versions =
      history.versions.isEmpty
      ? [HabitHistory.Version(since: history.created, schedule: .daily, target: Target(.one))]
      : history.versions
  }

  /// The version in force on the current day.
  @inlinable package var version: HabitHistory.Version { versions[index] }

  /// The day number on which the next version starts, or `nil` if there is none.
  @inlinable package var nextChange: Int? {
    index + 1 < versions.count ? Int(versions[index + 1].since.number) : nil
  }

  /// Moves to a day that is not before the current one; returns whether the version changed.
  @inlinable package mutating func move(to number: Int) -> Bool {
    let before = index
    while let next = nextChange, next <= number { index += 1 }
    return index != before
  }
}

/// Tells day by day whether a day lies in one of several ascending, disjoint spans of day numbers.
@usableFromInline
package struct SpanCursor {
  @usableFromInline package let spans: [ClosedRange<Int>]
  @usableFromInline package var index = 0

  @inlinable package init(_ spans: [ClosedRange<Int>]) { self.spans = spans }

  /// Whether a day lies in a span. The day must not be before the one asked for last.
  @inlinable package mutating func contains(_ number: Int) -> Bool {
    while index < spans.count, spans[index].upperBound < number { index += 1 }
    return index < spans.count && spans[index].lowerBound <= number
  }

  /// The last day up to which the latest answer stays the same.
  @inlinable package func unchanged(after number: Int) -> Int {
    guard index < spans.count else { return .max }
    let span = spans[index]
    return span.lowerBound <= number ? span.upperBound : span.lowerBound - 1
  }
}

/// Walks the records of a history day by day.
@usableFromInline
package struct RecordCursor {
  @usableFromInline package let records: [HabitHistory.DayRecord]
  @usableFromInline package var index = -1
  /// The day number of the current record; `Int.max` after the last one.
  @usableFromInline package var day = Int.min
  /// The value of the current record; `nil` for a skip.
  @usableFromInline package var value: Amount?

  @inlinable package init(_ records: [HabitHistory.DayRecord]) { self.records = records }

  /// Advances to the first record, from the current one on, that is not before a day.
  @inline(__always)
  @inlinable package mutating func move(to number: Int) {
    while day < number { step() }
  }

  /// Advances over the records of the days right after the current one, as long as they meet the target as it does.
  /// Returns the day of the last of them, which is then the current record.
  @inline(__always)
  @inlinable package mutating func move(overRunThrough last: Int, meeting target: Target) -> Int {
    var end = index
    while end &+ 1 < records.count, day < last {
      let next = records[end &+ 1]
      guard Int(next.day.number) == day &+ 1, let value = next.value, target.isMet(by: value)
      else { break }
      (end, day) = (end &+ 1, day &+ 1)
    }
    index = end
    return day
  }

  /// Advances to the first record after a day.
  @inline(__always)
  @inlinable package mutating func move(past number: Int) {
    repeat { step() } while day <= number
  }

  @inline(__always)
  @inlinable package mutating func step() {
    index &+= 1
    if index < records.count {
      day = Int(records[index].day.number)
      value = records[index].value
    } else {
      (index, day, value) = (records.count, .max, nil)
    }
  }
}

extension HabitHistory {
  /// The days that Daybook's own rule judges: from the earlier of creation and the first logged day to the
  /// latest of today, the last logged day and the last closed day; `nil` when that range is empty.
  @inlinable package var judgedDays: ClosedRange<Day>? {
    var first = created
    var last = max(today, openFrom.advanced(by: -1))
    if let logged = records.first(where: { $0.value != nil }) { first = min(first, logged.day) }
    if let logged = records.last(where: { $0.value != nil }) { last = max(last, logged.day) }
    return first <= last ? first...last : nil
  }

  /// The days of pauses and archiving, as ascending, disjoint spans of day numbers.
  @inlinable package var idleSpans: [ClosedRange<Int>] {
    if paused.isEmpty, archived.isEmpty { return [] }
    var spans: [ClosedRange<Int>] = []
    for span in paused + archived {
      let last = span.last ?? .last
      if span.first <= last { spans.append(Int(span.first.number)...Int(last.number)) }
    }
    spans.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<Int>] = []
    for span in spans {
      if let newest = merged.last, span.lowerBound <= newest.upperBound + 1 {
        merged[merged.count - 1] = newest.lowerBound...max(newest.upperBound, span.upperBound)
      } else {
        merged.append(span)
      }
    }
    return merged
  }

  /// The days that the person's calendar omitted, as spans of day numbers.
  @inlinable package var leftOutSpans: [ClosedRange<Int>] {
    leftOut.map { Int($0.number)...Int($0.number) }
  }

  /// The numbers of the days that met the target in force, ascending.
  @inlinable package var doneDays: [Int] {
    var cursor = VersionCursor(self)
    var done: [Int] = []
    for record in records {
      guard let value = record.value else { continue }
      _ = cursor.move(to: Int(record.day.number))
      if cursor.version.target.isMet(by: value) { done.append(Int(record.day.number)) }
    }
    return done
  }
}

package import Avro
import Calendar
package import Streaks
package import Values

/// The streaks of many habits under two rules: which differ, since when and why, and the overall change.
package struct RuleComparison: Sendable {
  /// A habit whose current or longest streak differs between the rules.
  package struct Row: Sendable {
    package let habit: Habit
    /// The key of its owner.
    package let account: Key?
    /// The length of the current streak under each rule.
    package let current: (Int, Int)
    /// The length of the longest streak under each rule.
    package let longest: (Int, Int)
    /// The first day after which the streaks differ, as each rule judged it.
    package let first: (JudgedDay?, JudgedDay?)
    /// The clauses of each rule that applied to that day.
    package let reasons: ([RuleReason], [RuleReason])
  }

  /// The number of streaks that are longer or shorter under the other rule, and by how many days.
  package struct StreakLengthChanges: Sendable {
    package private(set) var longer = 0
    package private(set) var shorter = 0
    package private(set) var equal = 0
    private var changes: [Int: Int] = [:]

    fileprivate mutating func add(_ other: Self) {
      longer += other.longer
      shorter += other.shorter
      equal += other.equal
      changes.merge(other.changes) { $0 + $1 }
    }

    fileprivate mutating func add(_ own: Int, _ others: Int) {
      if others > own { longer += 1 } else if others < own { shorter += 1 } else { equal += 1 }
      changes[others - own, default: 0] += 1
    }

    /// The median change; the lower median for an even number of changes, and 0 for none.
    package var medianChange: Int {
      var left = (longer + shorter + equal + 1) / 2
      for (change, count) in changes.sorted(by: { $0.key < $1.key }) {
        left -= count
        if left <= 0 { return change }
      }
      return 0
    }
  }

  /// The rule of the query.
  package let rule: StreakRule
  /// The rule that is compared with the query's.
  package let other: StreakRule
  /// The habits that differ, in the order of their creation.
  package private(set) var rows: [Row] = []
  /// The sums over the current streaks of all habits.
  package private(set) var current = StreakLengthChanges()
  /// The sums over the longest streaks of all habits.
  package private(set) var longest = StreakLengthChanges()

  /// The work of a comparison, which may be done in pieces, in parallel.
  package struct Work: Sendable {
    private let asked: RequestedHabits
    private let other: StreakRule

    /// Compares the query's rule with another one, for the habits of one account or of all.
    ///
    /// - Throws: ``Rejection``.
    package init(
      of account: Account.ID? = nil, in state: BookState, _ query: Query,
      against other: StreakRule
    ) throws(Rejection) {
      var asked = try RequestedHabits(of: account, in: state, query)
      if other.needsRecordTimes { asked.needsRecordTimes = true }
      self.asked = asked
      self.other = other
    }

    /// The number of habits.
    package var count: Int { asked.count }

    /// Compares some of the habits. Each is judged once by each rule, and day by day only if they differ.
    package func compared(_ range: Range<Int>) -> RuleComparison {
      var comparison = RuleComparison(rule: asked.query.rule, other: other)
      asked.forEach(range) { _, habit, history, _ in
        comparison.add(
          habit, history, on: asked.query.on, asked.state.accounts[habit.owner]?.key)
      }
      return comparison
    }

    /// Joins the results of pieces, in the order of their habits.
    package func joined(_ pieces: [RuleComparison]) -> RuleComparison {
      var whole = RuleComparison(rule: asked.query.rule, other: other)
      for piece in pieces {
        whole.rows += piece.rows
        whole.current.add(piece.current)
        whole.longest.add(piece.longest)
      }
      return whole
    }
  }

  private init(rule: StreakRule, other: StreakRule) {
    self.rule = rule
    self.other = other
  }

  private mutating func add(
    _ habit: Habit, _ history: HabitHistory, on day: Day?, _ account: Key?
  ) {
    let (own, others) = (
      rule.lengths(of: history, on: day), other.lengths(of: history, on: day)
    )
    current.add(own.current, others.current)
    longest.add(own.longest, others.longest)
    guard own != others else { return }
    let first = FirstDifference(rule, other, history, on: day)
    rows.append(
      Row(
        habit: habit, account: account, current: (own.current, others.current),
        longest: (own.longest, others.longest), first: first.days, reasons: first.reasons))
  }
}

extension StreakRule {
  /// The lengths of the streaks, as of a day if one is given.
  fileprivate func lengths(of history: HabitHistory, on day: Day?) -> Lengths {
    let (seen, last) = seen(history, on: day)
    let summary = walk(seen, into: LengthSink(through: last)).tally
    return Lengths(current: summary.current?.length ?? 0, longest: summary.longest?.length ?? 0)
  }
}

private struct Lengths: Equatable {
  var current: Int
  var longest: Int
}

/// Computes only the lengths of the streaks.
private struct LengthSink: DaySink {
  private let last: Day
  private(set) var tally = StreakTally()

  init(through last: Day) { self.last = last }

  var needsValues: Bool { false }

  @inline(__always)
  mutating func receive(_ day: JudgedDay) {
    if day.day <= last { tally.add(day.day, day.effect) }
  }

  mutating func receive(_ day: JudgedDay, through end: Int) {
    let count = min(end, Int(last.number)) - Int(day.day.number)
    guard count >= 0 else { return }
    receive(day)
    tally.repeatLast(day.effect, count, through: day.day.advanced(by: count))
  }
}

extension RuleComparison {
  /// Writes the comparison as JSON.
  package func write(to json: inout JSONWriter) {
    json.object { row in
      row.member("rule", rule.id)
      row.member("against", other.id)
      row.member("habits", rows) { json, found in json.value(found.json(rule.id, other.id)) }
      row.name("current")
      row.value(current.json)
      row.name("longest")
      row.value(longest.json)
    }
  }
}

extension RuleComparison.StreakLengthChanges {
  fileprivate var json: JSON {
    [
      "longer": .number(longer), "shorter": .number(shorter), "equal": .number(equal),
      "median_change": .number(medianChange),
    ]
  }
}

extension RuleComparison.Row {
  fileprivate func json(_ rule: String, _ other: String) -> JSON {
    let day = first.0?.day ?? first.1?.day
    return [
      "habit": .key(habit.key), "account": account.map { .key($0) } ?? .null,
      "name": .string(habit.description.name),
      "current": [.number(current.0), .number(current.1)],
      "longest": [.number(longest.0), .number(longest.1)],
      "first_day": day.map { .day($0) } ?? .null,
      "sides": [side(rule, first.0, reasons.0), side(other, first.1, reasons.1)],
    ]
  }

  private func side(_ rule: String, _ day: JudgedDay?, _ reasons: [RuleReason]) -> JSON {
    [
      "rule": .string(rule), "mark": day.map { .string($0.mark.rawValue) } ?? .null,
      "does": day.map { .string($0.effect.word) } ?? .null,
      "streak": day.map { .number($0.streak) } ?? .null,
      "reasons": .array(reasons.map(\.json)),
    ]
  }

  /// The first day that differs, in words.
  package var why: String {
    guard let day = first.0?.day ?? first.1?.day else { return "" }
    return "\(day): \(words(first.0, reasons.0)), against \(words(first.1, reasons.1))"
  }

  private func words(_ day: JudgedDay?, _ reasons: [RuleReason]) -> String {
    guard let day else { return "not judged" }
    let because = reasons.map { "\($0.clause): \($0.words)" }.joined(separator: ", ")
    return "\(day.mark.rawValue) \(day.effect.word)" + (because.isEmpty ? "" : " (\(because))")
  }
}

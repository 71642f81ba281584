package import Values
package import Calendar
package import Streaks
package import Avro

/// The days of a habit on which two streak rules disagree (ES-4).
package struct Disagreement: Sendable {
  /// A day as each of the rules judged it; nothing where a rule does not judge it.
  package struct DisagreedDay: Hashable, Sendable {
    package let day: Day
    /// The judgement by the rule of the query.
    package let first: JudgedDay?
    /// The judgement by the rule that it is compared with.
    package let second: JudgedDay?
  }

  package let habit: Habit
  /// The key of the habit's owner.
  package let account: Key?
  /// The days, ascending: at least one.
  package let days: [DisagreedDay]
}

/// The habits on whose days two streak rules disagree, judged on demand.
package struct DisagreementList: Listing {
  /// The rule that is compared with the query's.
  package let other: StreakRule
  private let asked: RequestedHabits

  /// Compares the query's rule with another one, for the habits of one account or of all.
  ///
  /// - Throws: ``Rejection``.
  package init(
    of account: Account.ID? = nil, in state: BookState, _ query: Query, against other: StreakRule
  ) throws(Rejection) {
    var asked = try RequestedHabits(of: account, in: state, query)
    if other.needsRecordTimes { asked.needsRecordTimes = true }
    self.asked = asked
    self.other = other
  }

  /// The rule of the query.
  package var rule: StreakRule { asked.query.rule }

  /// The number of habits that may have a row.
  package var stepCount: Int { asked.count }

  /// Small, because a habit may have as many days as a person's life.
  package var pageStepCount: Int { 4 }

  /// Writes a row for each habit on which the rules disagree.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    let names = (rule.id, other.id)
    forEach(steps) { disagreement in
      rows.object { row in
        row.member("habit", disagreement.habit.key)
        row.member("account", disagreement.account)
        row.member("name", disagreement.habit.description.name)
        row.member("days", disagreement.days) { json, day in
          json.object { row in
            row.member("day", day.day)
            row.side(names.0, day.first)
            row.side(names.1, day.second)
          }
        }
      }
    }
  }

  /// Passes the disagreements to `body`, habit by habit.
  package func forEach(_ body: (Disagreement) -> Void) { forEach(0..<asked.count, body) }

  private func forEach(_ steps: Range<Int>, _ body: (Disagreement) -> Void) {
    asked.forEach(steps) { _, habit, history, _ in
      let days = days(of: history)
      guard !days.isEmpty else { return }
      body(
        Disagreement(
          habit: habit, account: asked.state.accounts[habit.owner]?.key, days: days))
    }
  }

  private func days(of history: HabitHistory) -> [Disagreement.DisagreedDay] {
    let (first, second) = (judgement(of: history, by: rule), judgement(of: history, by: other))
    let days = Set(first.days.map(\.day)).union(second.days.map(\.day)).sorted()
    // Loop's rule also judges days after the requested one.
    return days.filter { $0 <= asked.query.on ?? .last }.compactMap { day in
      let (one, two) = (first[day], second[day])
      guard one?.mark != two?.mark || one?.streak != two?.streak else { return nil }
      return Disagreement.DisagreedDay(day: day, first: one, second: two)
    }
  }

  private func judgement(of history: HabitHistory, by rule: StreakRule) -> Judgement {
    rule.judgement(of: history, on: asked.query.on)
  }
}

extension JSONWriter {
  /// Writes a rule's judgement of a day, or null.
  fileprivate mutating func side(_ rule: String, _ judged: JudgedDay?) {
    name(rule)
    guard let judged else { return null() }
    object { row in
      row.member("mark", judged.mark.rawValue)
      row.member("streak", judged.streak)
    }
  }
}

package import Values
package import Calendar
package import Streaks
package import Avro

/// The days of a habit on which two streak rules disagree (ES-4).
package struct Disagreement: Sendable {
  /// A day, as each of the rules has it; nothing where the rule does not judge it.
  package struct DisagreedDay: Hashable, Sendable {
    package let day: Day
    /// What the rule of the query says of it.
    package let first: JudgedDay?
    /// What the rule that it is compared with says of it.
    package let second: JudgedDay?
  }

  package let habit: Habit
  /// The key of the habit's owner.
  package let account: Key?
  /// The days, ascending: at least one.
  package let days: [DisagreedDay]
}

/// The habits on whose days two streak rules disagree, judged as they are asked for.
package struct DisagreementList: Listing {
  /// The rule that the query's is compared with.
  package let other: StreakRule
  private let asked: RequestedHabits

  /// Compares the query's rule with another, on the habits of an account, or of all.
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

  /// How many habits may have a row.
  package var stepCount: Int { asked.count }

  /// Of a habit there may be as many days as somebody lives.
  package var pageStepCount: Int { 4 }

  /// Writes a row for each habit of some on which the rules disagree.
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

  /// Gives what the rules disagree on, one habit after another.
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
    // Loop's rule also tells of days after the one that is asked about.
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
  /// What a rule says of a day, or null.
  fileprivate mutating func side(_ rule: String, _ judged: JudgedDay?) {
    name(rule)
    guard let judged else { return null() }
    object { row in
      row.member("mark", judged.mark.rawValue)
      row.member("streak", judged.streak)
    }
  }
}

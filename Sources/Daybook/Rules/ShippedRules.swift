import Avro
package import Streaks

// The rule files that come with Daybook; `daybook rules show NAME` shows them.

extension RuleFile {
  /// The rules that come as files, as starting points for your own.
  package static let shipped: [RuleDefinition] = texts.compactMap { text in
    (try? JSON(parsing: Array(text.utf8))).flatMap { try? read($0) }
  }

  static let texts = [
    """
    {"name":"daybook","about":"Full days count; skips and pauses keep a streak; a day missed or done in part breaks it.",
     "holds":["monotone","skip_neutral","closed","prefix","order_free","incremental","bounds"]}
    """,
    """
    {"name":"loop","about":"As Loop Habit Tracker judges: one schedule for all days, skips count, and there are no pauses.",
     "base":"loop","holds":["closed","order_free","incremental","bounds"]}
    """,
    """
    {"name":"strict","about":"No excuse: a skip or a pause breaks a streak as a miss does.",
     "days":{"skipped":"breaks","paused":"breaks"},
     "holds":["monotone","closed","prefix","order_free","incremental","bounds"]}
    """,
    """
    {"name":"gentle","about":"Half of the target is enough, less keeps a streak, and one miss in seven days is forgiven.",
     "days":{"partial":"keeps"},"partial_credit":50,"grace":{"misses":1,"in_days":7},
     "holds":["skip_neutral","closed","prefix","order_free","incremental","bounds"]}
    """,
    """
    {"name":"freezes","about":"Seven full days earn a freeze, two are held at most, and each saves a streak from one miss.",
     "freezes":{"per_full_days":7,"hold":2},
     "holds":["closed","prefix","order_free","incremental","bounds"]}
    """,
    """
    {"name":"never-miss-twice","about":"One miss is forgiven, two in a row break a streak.",
     "grace":{"in_a_row":1},
     "holds":["monotone","skip_neutral","closed","prefix","order_free","incremental","bounds"]}
    """,
    """
    {"name":"weekly","about":"Weeks count, from Monday on: five full days make one, or all that are due.",
     "counts":{"unit":"week","full_days":5},
     "holds":["closed","prefix","order_free","incremental","bounds"]}
    """,
    """
    {"name":"honest","about":"Only what was logged on its day counts.",
     "late":{"within_hours":0},
     "holds":["monotone","skip_neutral","closed","prefix","order_free","incremental","bounds"]}
    """,
  ]
}

extension StreakRule {
  /// The rules that come with Daybook, those in code first.
  package static let shipped: [StreakRule] =
    all
    + RuleFile.shipped.filter { file in !all.contains { $0.id == file.id } }.map { StreakRule($0) }

  /// The shipped rule with a name.
  package static func shipped(named id: String) -> StreakRule? { shipped.first { $0.id == id } }
}

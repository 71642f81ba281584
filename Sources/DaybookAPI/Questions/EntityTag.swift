import Avro
import Calendar
import Daybook
import DaybookStore
import Values

/// What an answer is known by: the same tag is given to the same answer alone.
///
/// It is made of the asker, the question, the book's position, and as much of the clock as the answer depends on.
struct EntityTag: Hashable {
  /// The tag as a header has it, with its quotation marks.
  let text: String

  /// The tag of the answer to a question; nothing where the clock alone may change it at any moment.
  init?(
    of question: JSON, _ form: QuestionForm, for account: Account.ID, at moment: Moment
  ) {
    var parts = [
      "answer", String(account.number), question.encoded, String(moment.state.position),
    ]
    switch form.clockUse(of: question) {
    case .nothing: break
    case .day:
      guard let asker = moment.state.accounts[account],
        let today = asker.dayClock.day(of: moment.instant, in: moment.zones)
      else { return nil }
      parts.append(today.description)
    case .instant: return nil
    }
    text = "\"\(Key(derivedFrom: parts))\""
  }
}

/// How much of the clock an answer depends on, besides what the book says.
enum ClockUse: Hashable {
  /// Nothing: only what is recorded changes it.
  case nothing
  /// The asker's day.
  case day
  /// The instant: it tells how late it is, or others' days, which end when they end.
  case instant
}

extension QuestionForm {
  /// How much of the clock the answer to a question depends on.
  ///
  /// What is asked as of an instant (`as_of`) is what was known then, whenever it is asked. Else what is told by the
  /// day depends on the asker's, where nobody else's day, and no time of the day, plays a part.
  func clockUse(of question: JSON) -> ClockUse {
    if axes.contains(.asOf), (question["as_of"] ?? .null) != .null { return .nothing }
    if Self.timeless.contains(name) { return .nothing }
    return Self.daily.contains(name) ? .day : .instant
  }

  /// What says what is recorded, and no more.
  private static let timeless: Set = [
    "chores", "focus", "goals", "groceries", "habits", "history", "household", "household_history",
    "labels", "matches", "pantry", "profile", "recent", "recipe", "recipes", "rules",
    "task_history",
  ]

  /// What is told of the asker's own days.
  private static let daily: Set = [
    "calendar", "comparison", "disagreements", "heatmap", "plan", "stats", "streaks", "today",
  ]
}

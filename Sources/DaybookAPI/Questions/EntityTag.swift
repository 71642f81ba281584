import Avro
import Calendar
import Daybook
import DaybookStore
import Values

/// The entity tag of an answer: equal tags mean equal answers.
///
/// It combines the account, the question, the book's position, and the part of the clock that affects the answer.
struct EntityTag: Hashable {
  /// The tag as in a header, with its quotation marks.
  let text: String

  /// The tag of the answer to a question; `nil` if the clock alone may change the answer at any moment.
  init?(
    of question: JSON, _ form: QuestionForm, for account: Account.ID, at moment: QuestionMoment
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

/// The part of the clock that affects an answer, besides the book.
enum ClockUse: Hashable {
  /// None: only new entries change it.
  case nothing
  /// The account's day.
  case day
  /// The instant: the answer tells the time, or depends on the days of others, which end at other
  /// times.
  case instant
}

extension QuestionForm {
  /// The part of the clock that affects the answer to a question.
  ///
  /// The state as of an instant (`as_of`) is the same whenever it is asked for. Otherwise, an answer by days
  /// depends on the account's own day, unless it involves the days of others or a time of day.
  func clockUse(of question: JSON) -> ClockUse {
    if axes.contains(.asOf), (question["as_of"] ?? .null) != .null { return .nothing }
    if Self.timeless.contains(name) { return .nothing }
    return Self.daily.contains(name) ? .day : .instant
  }

  /// Questions whose answers depend only on recorded entries.
  private static let timeless: Set = [
    "chores", "density", "entries", "focus", "goals", "groceries", "grocery_item", "habits",
    "history", "household", "household_history", "labels", "matches", "moment", "pantry", "profile",
    "recent", "recipe", "recipes", "rules", "task_history",
  ]

  /// Questions about the account's own days.
  private static let daily: Set = [
    "calendar", "comparison", "disagreements", "heatmap", "plan", "stats", "streaks",
    "strength", "today",
  ]
}

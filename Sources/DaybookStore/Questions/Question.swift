import Avro
package import Daybook

/// A query that a book can answer: `today`, `streaks`, `audit`.
///
/// Its fields are columns, like those of a command, so it can be read from JSON, written and
/// described. Its answer has one form in JSON, whoever prints it. Asking changes nothing.
package protocol Question: Columns {
  /// The type of the answer.
  associatedtype Answer: QuestionAnswer
  /// The question's name, purpose and answer.
  static var form: QuestionForm { get }
  /// Refuses a question that looks more than a year ahead, unless the book's owner asks.
  ///
  /// - Parameter now: When it is asked.
  /// - Throws: ``Rejection`` for the field.
  func checkAhead(of now: Instant) throws(Rejection)
  /// Answers the question.
  ///
  /// - Parameters:
  ///   - view: The book with the instant, day and rule of the question.
  ///   - asker: The account that asks; nil where ``QuestionForm/asker`` allows it.
  /// - Returns: The answer.
  /// - Throws: ``Rejection``, or ``JournalError``.
  func answer(from view: BookView, for asker: Account.ID?) throws -> Answer
}

/// The description of a question, apart from its columns.
package struct QuestionForm: Hashable, Sendable {
  /// Who may ask.
  package enum Asker: Hashable, Sendable {
    /// Nobody in particular, because the question is about the book.
    case nobody
    /// An account that asks about itself; without one, the answer covers all accounts.
    case anybody
    /// An account, which must be given.
    case account
  }

  /// The instant, day and rule that a question may choose.
  package struct Axes: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `as_of`: the book as of an instant.
    package static let asOf = Axes(rawValue: 1)
    /// `on`: about a day; by default, today.
    package static let on = Axes(rawValue: 2)
    /// `rule`: by another streak rule than the book's.
    package static let rule = Axes(rawValue: 4)
    /// Only as of an instant.
    package static let past: Axes = [.asOf]
    /// As of an instant and about a day.
    package static let days: Axes = [.asOf, .on]
    /// As of an instant, about a day and by a rule.
    package static let all: Axes = [.asOf, .on, .rule]
  }

  /// The name: "streaks".
  package let name: String
  /// The question in one sentence.
  package let summary: String
  /// The answer: the name of a row such as "habit", or the members of an object: "habit, days".
  package let answer: String
  /// Who may ask it.
  package let asker: Asker
  /// The choices of instant, day and rule.
  package let axes: Axes
  /// Whether a past state is seen as today's members see it, whoever was a member then; true for
  /// households (MO-8).
  package let isByMembers: Bool
  /// Whether an answer about the habit in the column `habit` depends only on that habit and its
  /// owner.
  package let isOfHabit: Bool
  /// Whether an answer depends only on what the asker has, and on what others share with it in
  /// hives and households.
  package let isOfPerson: Bool

  /// Describes a question.
  package init(
    _ name: String, _ summary: String, answer: String, asker: Asker, _ axes: Axes,
    isByMembers: Bool = false, isOfHabit: Bool = false, isOfPerson: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.answer = answer
    self.asker = asker
    self.axes = axes
    self.isByMembers = isByMembers
    self.isOfHabit = isOfHabit
    self.isOfPerson = isOfPerson
  }
}

extension Question {
  /// Does nothing, because most questions do not look ahead.
  package func checkAhead(of now: Instant) throws(Rejection) {}

  /// The account that asks, where one is required.
  ///
  /// - Throws: ``Rejection/actorMissing``.
  func needed(_ asker: Account.ID?) throws(Rejection) -> Account.ID {
    guard let asker else { throw .actorMissing }
    return asker
  }
}

/// A question about a week of a household.
protocol HouseholdWeekQuestion: Question {
  /// The week that is used when none is given.
  static var usualWeek: String { get }
  var household: Household.ID { get set }
  /// A day of the week.
  var week: Day? { get set }
}

extension HouseholdWeekQuestion {
  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "week_start", &week, [.doc("any day of the week; \(Self.usualWeek) unless given")])
  }
}

extension BookView {
  /// A habit that its owner, or nobody in particular, asks about.
  ///
  /// - Throws: ``Rejection/habitNotFound``, or ``Rejection/notOwner(of:)``.
  func habit(_ number: Habit.ID, for asker: Account.ID?) throws(Rejection) -> Habit {
    guard let habit = state.habits[number], !habit.isDeleted else { throw .habitNotFound }
    guard asker == nil || habit.owner == asker else { throw .notOwner(of: .habit) }
    return habit
  }
}

import Avro
package import Daybook

/// Something that can be asked of a book: `today`, `streaks`, `audit`.
///
/// Its fields are columns, as those of a command are, so that it can be read from JSON, written and described; and
/// its answer has one form in JSON, whoever prints it. Asking changes nothing.
package protocol Question: Columns {
  /// What is answered.
  associatedtype Answer: QuestionAnswer
  /// What it is called, what it is for and what it answers.
  static var form: QuestionForm { get }
  /// Refuses a question of one who is not the book's owner when it looks further ahead than a year.
  ///
  /// - Parameter now: When it is asked.
  /// - Throws: ``Rejection`` that names the field.
  func checkAhead(of now: Instant) throws(Rejection)
  /// Answers.
  ///
  /// - Parameters:
  ///   - view: The book, from when it is seen, about which day and by which rule.
  ///   - asker: Who asks; nobody in particular without one, where ``QuestionForm/asker`` allows it.
  /// - Returns: The answer.
  /// - Throws: ``Rejection``, or ``JournalError``.
  func answer(from view: BookView, for asker: Account.ID?) throws -> Answer
}

/// What is to be known of a question besides its columns.
package struct QuestionForm: Hashable, Sendable {
  /// Who may ask.
  package enum Asker: Hashable, Sendable {
    /// Nobody in particular: it is about the book.
    case nobody
    /// An account about itself; without one, the answer is about all accounts.
    case anybody
    /// An account, which must be named.
    case account
  }

  /// From where in time a question may be asked, and by whose rule.
  package struct Axes: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `as_of`: as the book knew it at an instant.
    package static let asOf = Axes(rawValue: 1)
    /// `on`: about a day; today without it.
    package static let on = Axes(rawValue: 2)
    /// `rule`: by another streak rule than the book's.
    package static let rule = Axes(rawValue: 4)
    /// As of an instant, and no more.
    package static let past: Axes = [.asOf]
    /// As of an instant, about a day.
    package static let days: Axes = [.asOf, .on]
    /// As of an instant, about a day, by a rule.
    package static let all: Axes = [.asOf, .on, .rule]
  }

  /// What it is called: "streaks".
  package let name: String
  /// What it asks, in one sentence.
  package let summary: String
  /// What it answers: the name of a row such as "habit", or the members of an object: "habit, days".
  package let answer: String
  /// Who may ask it.
  package let asker: Asker
  /// From where in time, and by whose rule.
  package let axes: Axes
  /// Whether a past is seen as the members of now see it, whoever was one then: what is a household's (MO-8).
  package let isByMembers: Bool
  /// Whether the answer depends on one habit and its owner alone when the question names that habit in `habit`.
  package let isOfHabit: Bool

  /// Describes a question.
  package init(
    _ name: String, _ summary: String, answer: String, asker: Asker, _ axes: Axes,
    isByMembers: Bool = false, isOfHabit: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.answer = answer
    self.asker = asker
    self.axes = axes
    self.isByMembers = isByMembers
    self.isOfHabit = isOfHabit
  }
}

extension Question {
  /// Most questions say nothing of what is to come.
  package func checkAhead(of now: Instant) throws(Rejection) {}

  /// Who asks, where somebody must.
  ///
  /// - Throws: ``Rejection/actorMissing``.
  func needed(_ asker: Account.ID?) throws(Rejection) -> Account.ID {
    guard let asker else { throw .actorMissing }
    return asker
  }
}

/// A question about a week of a household.
protocol HouseholdWeekQuestion: Question {
  /// Which week is meant unless one is given.
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
  /// A habit that is asked about, by its owner or by nobody in particular.
  ///
  /// - Throws: ``Rejection/habitNotFound``, or ``Rejection/notOwner(of:)``.
  func habit(_ number: Habit.ID, for asker: Account.ID?) throws(Rejection) -> Habit {
    guard let habit = state.habits[number], !habit.isDeleted else { throw .habitNotFound }
    guard asker == nil || habit.owner == asker else { throw .notOwner(of: .habit) }
    return habit
  }
}

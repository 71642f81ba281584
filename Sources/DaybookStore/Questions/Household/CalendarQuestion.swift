package import Avro
package import Daybook

/// `calendar`: what takes place in a household on some days, as it is where the one who asks is (MC-10).
package struct CalendarQuestion: Question, Hashable {
  /// `calendar`.
  package static let form = QuestionForm(
    "calendar", "What takes place in a household on some days.",
    answer: "first_day, last_day, occurrences, cut_off", asker: .account, .days, isHousehold: true)
  /// Of nothing yet.
  package static let defaults = CalendarQuestion(of: .first)
  /// How many days the last one may come after the first: ten years.
  private static let farthest = 3700

  /// The household.
  package var household: Household.ID
  /// The first day; the day about which is asked without it.
  package var from: Day?
  /// The last day, within ten years; a week with the first without it.
  package var to: Day?

  /// Asks.
  package init(of household: Household.ID, from: Day? = nil, to: Day? = nil) {
    self.household = household
    self.from = from
    self.to = to
  }

  /// The question's columns.
  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "from", &from, [.doc("the first day; the one that is asked about without it")])
    try visitor.column(
      "to", &to, [.doc("the last day, within ten years; six days later without it")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's, and for days that do not follow one another.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    let first = try from ?? view.query.on ?? view.today(of: member)
    let last = to ?? first.advanced(by: 6)
    guard first <= last else { throw Rejection.invalidField("to", "\(last) is before \(first)") }
    guard first.distance(to: last) <= Self.farthest else {
      throw Rejection.invalidField("to", "\(last) is more than ten years after \(first)")
    }
    let days = first...last
    let listing = view.state.calendar(
      of: household, for: member, on: days, zones: view.query.zones)
    return Answer(days: days, listing: listing, state: view.state)
  }

  /// What takes place in a household on some days.
  package struct Answer: QuestionAnswer {
    /// The days.
    package let days: ClosedRange<Day>
    /// The times of everything, and which events are told in part only.
    package let listing: CalendarListing
    let state: BookState

    /// The titles of the events that are told in part only, for they take place too often.
    package var cutOffTitles: [String] {
      listing.cutOff.map { state.calendarEvents[$0]?.displayName ?? "" }
    }

    /// Writes the answer.
    package func write(to json: inout JSONWriter) {
      json.object { json in
        json.member("first_day", days.lowerBound)
        json.member("last_day", days.upperBound)
        json.member("occurrences", listing.occurrences) { $0.value(state.calendarRow($1)) }
        json.member("cut_off", listing.cutOff) { $0.value($1.json(state)) }
      }
    }
  }
}

package import Avro
package import Daybook

/// `calendar`: the events of a household on some days, in the asker's local time (MC-10).
package struct CalendarQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "calendar", "What takes place in a household on some days.",
    answer: "first_day, last_day, occurrences, cut_off", asker: .account, .days, isByMembers: true,
    isOfPerson: true)
  package static let defaults = CalendarQuestion(of: .first)

  package var household: Household.ID
  /// The first day; nil for the day in question.
  package var from: Day?
  /// The last day, at most 3700 days including the first; nil for a week.
  package var to: Day?

  package init(of household: Household.ID, from: Day? = nil, to: Day? = nil) {
    self.household = household
    self.from = from
    self.to = to
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "from", &from, [.doc("the first day; unless given, the day that is asked about")])
    try visitor.column(
      "to", &to,
      [
        .doc(
          "the last day, at most \(Limit.spanDays.maximum) days in all; six days later unless given"
        )
      ])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's, and for days in the wrong order or
  ///   too many.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    let first = try from ?? view.query.on ?? view.today(of: member)
    let last = to ?? first.advanced(by: 6)
    guard first <= last else { throw Rejection.invalidField("to", "\(last) is before \(first)") }
    try Limit.checkSpan(first...last, "to")
    let listing = view.state.calendar(
      of: household, for: member, on: first...last, zones: view.query.zones)
    return Answer(days: first...last, listing: listing, state: view.state)
  }

  /// The events of a household on some days.
  package struct Answer: PiecewiseAnswer {
    package let days: ClosedRange<Day>
    /// All occurrences in order, and the events that are listed only in part.
    package let listing: CalendarListing
    let state: BookState

    /// The titles of the events that are listed only in part, because they occur too often.
    package var cutOffTitles: [String] {
      listing.cutOff.map { state.calendarEvents[$0]?.displayName ?? "" }
    }

    /// Writes the answer, a page of occurrences at a time.
    ///
    /// - Throws: what `consume` throws.
    package func writePieces<Failure: Error>(
      _ consume: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
      let head = "{\"first_day\":\"\(days.lowerBound)\",\"last_day\":\"\(days.upperBound)\""
      try consume(Array("\(head),\"occurrences\":".utf8))
      try Times(all: listing.occurrences, state: state).writeArray(consume)
      var json = JSONWriter()
      json.array { json in
        for event in listing.cutOff { json.value(event.json(state)) }
      }
      try consume(Array(",\"cut_off\":".utf8) + json.bytes + [UInt8(ascii: "}")])
    }
  }

  /// The rows of all occurrences.
  private struct Times: Listing {
    let all: [CalendarOccurrence]
    let state: BookState

    var stepCount: Int { all.count }

    func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for found in all[steps] { rows.value(state.calendarRow(found)) }
    }
  }
}

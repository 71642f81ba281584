package import Avro
package import Daybook

/// `calendar`: what takes place in a household on some days, as it is where the one who asks is (MC-10).
package struct CalendarQuestion: Question, Hashable {
  /// `calendar`.
  package static let form = QuestionForm(
    "calendar", "What takes place in a household on some days.",
    answer: "first_day, last_day, occurrences, cut_off", asker: .account, .days, isByMembers: true)
  /// Of nothing yet.
  package static let defaults = CalendarQuestion(of: .first)
  /// How many days are worked out at once: ten years.
  private static let windowLength = 3653

  /// The household.
  package var household: Household.ID
  /// The first day; the day about which is asked without it.
  package var from: Day?
  /// The last day; a week with the first without it.
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
      "to", &to, [.doc("the last day; six days later without it")])
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
    return Answer(
      days: first...last, household: household, member: member, zones: view.query.zones,
      state: view.state)
  }

  /// What takes place in a household on some days. Of many years some are worked out at a time: however many there are,
  /// they are never held whole.
  package struct Answer: PiecewiseAnswer {
    /// The days.
    package let days: ClosedRange<Day>
    let household: Household.ID
    let member: Account.ID
    let zones: any TimeZones
    let state: BookState

    /// The times of everything, some years at a time, in their order.
    ///
    /// - Parameter take: Is given days and what takes place on them: what goes on beyond them is there again with the
    ///   next ones.
    /// - Returns: The events that are told in part only, for they take place too often.
    /// - Throws: what `take` throws.
    package func forEachWindow<Failure: Error>(
      _ take: (ClosedRange<Day>, CalendarListing) throws(Failure) -> Void
    ) throws(Failure) -> [CalendarEvent.ID] {
      var cutOff: Set<CalendarEvent.ID> = []
      var first = days.lowerBound
      while true {
        let last = min(days.upperBound, first.advanced(by: CalendarQuestion.windowLength - 1))
        let listing = state.calendar(of: household, for: member, on: first...last, zones: zones)
        cutOff.formUnion(listing.cutOff)
        try take(first...last, listing)
        guard last < days.upperBound else { return cutOff.sorted() }
        first = last.advanced(by: 1)
      }
    }

    /// What events are called.
    package func titles(of events: [CalendarEvent.ID]) -> [String] {
      events.map { state.calendarEvents[$0]?.displayName ?? "" }
    }

    /// Writes the answer, some years at a time.
    ///
    /// - Throws: what `take` throws.
    package func writePieces<Failure: Error>(
      _ take: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
      var json = JSONWriter()
      let head = "{\"first_day\":\"\(days.lowerBound)\",\"last_day\":\"\(days.upperBound)\""
      try take(Array("\(head),\"occurrences\":[".utf8))
      var isFirst = true
      let cutOff = try forEachWindow { window, listing throws(Failure) in
        json.removeAll()
        for found in listing.occurrences
        where found.days.lowerBound >= window.lowerBound || window.lowerBound == days.lowerBound {
          json.value(state.calendarRow(found))
        }
        guard !json.bytes.isEmpty else { return }
        if !isFirst { try take([UInt8(ascii: ",")]) }
        try take(json.bytes)
        isFirst = false
      }
      json.removeAll()
      json.array { json in
        for event in cutOff { json.value(event.json(state)) }
      }
      try take(Array("],\"cut_off\":".utf8) + json.bytes + [UInt8(ascii: "}")])
    }
  }
}

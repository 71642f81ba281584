package import Avro
package import Daybook

/// `density`: on which days something was recorded, and for which days something was recorded later than on the day
/// itself (ES-4). It counts entries by the indexes of the book, and reads each entry once at most.
package struct DensityQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "density", "How much was recorded on each day, and how much about each day after it was over.",
    answer: "a list of day, entries, late", asker: .account, [])
  package static let defaults = DensityQuestion()

  /// The entries to count.
  package var scope = MomentScope()
  /// The first day to include; nil for the first that there is.
  package var from: Day?
  /// The last day to include; nil for the last that there is.
  package var to: Day?

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try scope.visitColumns(&visitor)
    try visitor.column("from", &from, [.doc("the first day; all unless given")])
    try visitor.column("to", &to, [.doc("the last day; all unless given")])
  }

  /// - Throws: ``Rejection`` for a key that names nothing of the asker's, or a span that ends before it begins, or
  ///   ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> DensityList {
    let span = try AuditQuestion.span(from, to) ?? .first ... .last
    var days: [Day: DensityList.Count] = [:]
    for moment in try scope.moments(of: needed(asker), in: view) {
      if span.contains(moment.recordedOn) { days[moment.recordedOn, default: .init()].entries += 1 }
      if moment.isLate, let day = moment.about, span.contains(day) {
        days[day, default: .init()].late += 1
      }
    }
    return DensityList(days: days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}

/// The days on which, or for which, something was recorded, ascending.
package struct DensityList: Listing, QuestionAnswer {
  /// The counts of a day.
  package struct Count: Hashable, Sendable {
    /// How many entries were recorded on the day.
    package var entries = 0
    /// How many entries about the day were recorded after it was over.
    package var late = 0
  }

  package let days: [(day: Day, count: Count)]

  /// How many days there are.
  package var stepCount: Int { days.count }

  /// Writes one row for each day.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for (day, count) in days[steps] {
      rows.object { row in
        row.member("day", day)
        row.member("entries", count.entries)
        row.member("late", count.late)
      }
    }
  }
}

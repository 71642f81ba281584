package import Avro
package import Daybook

/// `moment`: the entries that were recorded last at an instant, and the way to the entries before and after (ES-4).
package struct MomentQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "moment",
    "What was recorded last at a moment, and when something was recorded before and after.",
    answer: "before, at, entries, after", asker: .account, [])
  package static let defaults = MomentQuestion()

  /// The largest number of entries of one instant in an answer.
  package static let greatestEntryCount = 20

  /// The entries to look at.
  package var scope = MomentScope()
  /// The instant; `nil` means the present.
  package var until: Instant?

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try scope.visitColumns(&visitor)
    try visitor.column("until", &until, [.doc("the moment; now unless given")])
  }

  /// - Throws: ``Rejection`` for a key that names nothing of the asker's, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> MomentReport {
    let moments = try scope.moments(of: needed(asker), in: view)
    // Entries of one instant are one stop.
    let end = moments.firstIndex(after: until ?? .last)
    let start = end == 0 ? 0 : moments.firstIndex(from: moments[end - 1].at)
    let last = Array(moments[start..<end].suffix(Self.greatestEntryCount))
    return MomentReport(
      before: start == 0 ? nil : moments[start - 1], entries: try SeenEntries(last, asker, view),
      after: end == moments.count ? nil : moments[end])
  }
}

extension [RecordedMoment] {
  // Instants never decrease from one position to the next.

  /// The index of the first moment after an instant.
  fileprivate func firstIndex(after instant: Instant) -> Int { index { $0.at > instant } }

  /// The index of the first moment at an instant or after it.
  fileprivate func firstIndex(from instant: Instant) -> Int { index { $0.at >= instant } }

  private func index(_ isPast: (RecordedMoment) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// What was recorded last at a moment, with its neighbours.
package struct MomentReport: QuestionAnswer {
  /// The entry before; nil when there is none.
  package let before: RecordedMoment?
  /// The entries of the moment's last instant, by position; empty before the first one.
  package let entries: SeenEntries
  /// The entry after; nil when there is none.
  package let after: RecordedMoment?

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.name("before")
      Self.write(before, to: &json)
      json.member("at", entries.found.last?.moment.at)
      json.name("entries")
      entries.write(to: &json)
      json.name("after")
      Self.write(after, to: &json)
    }
  }

  private static func write(_ moment: RecordedMoment?, to json: inout JSONWriter) {
    guard let moment else { return json.value(.null) }
    json.object { json in
      json.member("position", moment.position)
      json.member("at", moment.at)
    }
  }
}

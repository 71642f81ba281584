package import Avro
package import Daybook

/// `feed`: what happened, newest first: the asker's days and milestones, and those of the asker's
/// hives (HH-24).
package struct FeedQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "feed", "What happened, newest first: your days and milestones, and your hives'.",
    answer: "entries, next", asker: .account, .days, isOfPerson: true)
  package static let defaults = FeedQuestion()

  /// Only this hive's lines.
  package var hive: Hive.ID?
  /// The most lines to return, 1…1000; the lines of one entry are never split.
  package var limit: Int
  /// The position of an entry, from 1: its lines and those of later entries are left out.
  package var before: Int64?

  package init(in hive: Hive.ID? = nil, limit: Int = 20, before: Int64? = nil) {
    self.hive = hive
    self.limit = limit
    self.before = before
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("hive", &hive, [.doc("only what this hive of yours sees")])
    try visitor.column(
      "limit", &limit, [.bounds(Limit.feedLines.countBounds), .doc("at most this many lines")])
    try visitor.column(
      "before", &before,
      [.bounds(["minimum": 1]), .doc("a position; the `next` of a page gives the following page")])
  }

  /// - Throws: ``Rejection/hiveNotFound``, ``Rejection/notMember``, ``Rejection`` for a number out of range, or
  ///   ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Feed.Page {
    let viewer = try needed(asker)
    try Limit.feedLines.checkCount(limit, "limit")
    if let before, before < 1 {
      throw Rejection.invalidField("before", "\(before) is less than 1")
    }
    if let hive { _ = try view.state.hive(hive, seenBy: viewer) }
    return try view.feed(of: viewer, in: hive, before: before ?? .max, limit: limit)
  }
}

extension Feed.Page: QuestionAnswer {
  /// Writes one object.
  package func write(to json: inout JSONWriter) { json.value(self.json) }
}

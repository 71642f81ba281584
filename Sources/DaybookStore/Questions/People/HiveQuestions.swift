package import Avro
package import Daybook

/// `hives`: the asker's hives, each with its streak and the state of its day (HH-23).
package struct HivesQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "hives", "Your hives, each with its streak and how its day stands.",
    answer: "a list of hives", asker: .account, .days, isOfPerson: true)
  package static let defaults = HivesQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// - Throws: ``Rejection``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> HiveCardList {
    HiveCardList(cards: try view.state.hiveCards(of: needed(asker), view.query))
  }
}

/// The hives of an account, as it sees them.
package struct HiveCardList: Listing, QuestionAnswer {
  /// One card for each hive.
  package let cards: [HiveCard]

  /// How many hives there are.
  package var stepCount: Int { cards.count }

  /// Writes one row for each hive.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for card in cards[steps] { rows.value(card.json) }
  }
}

/// `hive`: one hive with its streak, its members and what they did, and its comb (HH-23).
package struct HiveQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "hive", "One hive: its streak, its members and what they did, its comb, its feed, its invites.",
    answer: "the members of a row of `hives`, and longest, members, comb, feed, invites",
    asker: .account, .days, isByMembers: true, isOfPerson: true)
  package static let defaults = HiveQuestion(.first)

  package var hive: Hive.ID
  /// How many days of the comb, up to the day in question: 1…3660.
  package var dayCount: Int

  package init(_ hive: Hive.ID, days dayCount: Int = 35) {
    self.hive = hive
    self.dayCount = dayCount
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("hive", &hive, [.needed])
    try visitor.column(
      "days", &dayCount,
      [.bounds(["minimum": 1, "maximum": 3660]), .doc("how many days of the comb, up to the day")])
  }

  /// - Throws: ``Rejection/hiveNotFound``, ``Rejection/notMember``, ``Rejection`` for a number out
  ///   of range or a future day, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> HiveReport {
    let viewer = try needed(asker)
    guard (1...3660).contains(dayCount) else {
      throw Rejection.invalidField("days", "\(dayCount) is not a number from 1 to 3660")
    }
    let card = try view.state.hiveCard(hive, for: viewer, view.query)
    return HiveReport(
      card: card, comb: card.comb(last: dayCount), feed: try view.feed(of: viewer, in: hive),
      state: view.state)
  }
}

/// A hive as one of its members sees it.
package struct HiveReport: QuestionAnswer {
  /// The hive's card, with the state of its day.
  package let card: HiveCard
  /// The hive's days up to the day in question, oldest first.
  package let comb: [HiveDay]
  /// The latest of what happened in the hive, newest first.
  package let feed: Feed.Page
  fileprivate let state: BookState

  /// The longest shared streak so far.
  package var longest: Int { card.hive.longestStreak(firstOpen: card.firstOpen) }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      for member in card.json.members ?? [] { json.member(member) }
      json.member("longest", longest)
      json.member("members", card.members) { $0.value($1.json(in: state)) }
      json.member("comb", comb) { $0.value($1.json) }
      json.member("feed", feed.lines) { $0.value($1.json) }
      json.member("invites", state.invites(of: card.hive, seenBy: card.viewer)) {
        $0.value(state.inviteRow(card.hive, $1))
      }
    }
  }
}

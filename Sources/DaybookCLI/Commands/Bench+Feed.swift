import Daybook
import DaybookStore
import Journal

extension Bench {
  /// Measures a person's wait for a page of the feed, the awards, and the audit of a hive, in a sealed book
  /// of hives; and for a page while some thousand entries are not yet sealed.
  func feed(_ path: String) throws -> [Figure] {
    let reader = try book(path)
    let opened = try Book(opening: reader)
    try opened.seal()
    var view = opened.view()
    let middle = view.state.position / 2
    var figures: [Figure] = [
      ("entries", Double(view.state.position)),
      ("segments", Double(try reader.journal.segments().count)),
      ("accounts", Double(view.state.accounts.elements.count)),
      ("hives", Double(view.state.hives.elements.count)),
    ]
    var lines = 0
    figures += Self.spread(
      "page_milliseconds", try times(500, view) { lines += try view.feed(of: $0).lines.count })
    figures += Self.spread(
      "past_page_milliseconds",
      try times(500, view) { lines += try view.feed(of: $0, before: middle).lines.count })
    figures.append(("lines_seen", Double(lines)))
    figures += Self.spread(
      "awards_milliseconds", try times(100, view) { _ = try view.awards(of: $0) })
    figures += Self.spread(
      "hive_audit_milliseconds",
      try times(100, view) { viewer in
        guard let hive = view.state.hives(of: viewer).first else { return }
        _ = try view.audit(of: hive, for: viewer)
      })
    let state = view.state
    for number in 1...2000 {
      guard let habit = Habit.ID(number), let owner = state.habits[habit]?.owner else { continue }
      _ = try opened.recordWithReceipt(LogHabit(habit), by: owner)
    }
    view = opened.view()
    figures.append(("unsealed_entries", Double(view.state.position - state.position)))
    return figures
      + Self.spread(
        "page_with_unsealed_milliseconds", try times(100, view) { _ = try view.feed(of: $0) })
  }

  /// The times of several rounds, each for another account from all over the book.
  private func times(
    _ rounds: Int, _ view: BookView, _ body: (Account.ID) throws -> Void
  ) throws -> [Double] {
    let count = view.state.accounts.elements.count
    guard count > 0 else { throw Self.emptyBook }
    return try (0..<rounds).compactMap { round in
      guard let account = Account.ID(round * 7919 % count + 1) else { return nil }
      return try Self.seconds { try body(account) }
    }
  }
}

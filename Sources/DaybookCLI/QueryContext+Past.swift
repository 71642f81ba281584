import Daybook
import DaybookStore

extension QueryContext {
  /// Makes the context for a book as of an instant, for questions that depend on neither a day nor a rule.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - actor: The account that asks; without it, nobody in particular.
  ///   - asOf: The instant, such as 2026-03-01T12:00:00Z; without it, now.
  /// - Throws: `ValidationError`, `CommandFailure`, or `JournalError`.
  init(_ book: BookOptions, _ actor: ActorOptions? = nil, asOf: String? = nil) throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    reader = book.reader
    state = try reader.state(asOf: instant ?? .last)
    people = state
    account = try actor?.chosen(in: state) ?? (actor == nil ? nil : state.onlyAccount())
    query = Query(asOf: instant ?? max(BookClock.system.now(), state.at), zones: reader.zones)
  }

  /// Answers a question that requires an account.
  ///
  /// - Throws: `CommandFailure` when the account is unknown, or the refusal of the question.
  func ask<Asked: Question>(_ question: Asked, by actor: ActorOptions) throws -> Asked.Answer {
    try question.answer(from: view, for: actor.viewer(self))
  }
}

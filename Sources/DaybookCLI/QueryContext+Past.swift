import Daybook
import DaybookStore

extension QueryContext {
  /// Sees a book as of an instant, for what is asked of no day and by no rule.
  ///
  /// - Parameters:
  ///   - book: Which.
  ///   - actor: Who asks; nobody in particular without it.
  ///   - asOf: As of when, such as 2026-03-01T12:00:00Z; now without it.
  /// - Throws: `ValidationError`, `Failure`, or `JournalError`.
  init(_ book: BookOptions, _ actor: ActorOptions? = nil, asOf: String? = nil) throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    reader = book.reader
    state = try reader.state(asOf: instant ?? .last)
    people = state
    account = try actor?.chosen(in: state) ?? (actor == nil ? nil : state.onlyAccount())
    query = Query(asOf: instant ?? max(BookClock.system.now(), state.at), zones: reader.zones)
  }

  /// Answers a question that somebody must ask.
  ///
  /// - Throws: `Failure` when it is not known who asks, or what refuses the question.
  func ask<Asked: Question>(_ question: Asked, by actor: ActorOptions) throws -> Asked.Answer {
    try question.answer(from: view, for: actor.viewer(self))
  }
}

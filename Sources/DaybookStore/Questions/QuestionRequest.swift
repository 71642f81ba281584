package import Avro
package import Daybook

/// A question in its JSON form, with the asker and the view of the book.
///
///     {"ask":"heatmap","as":"<account key>","habit":"<key>","year":2026,"as_of":"2026-03-01T12:00:00Z"}
///
/// `as_of` (as of an instant), `on` (about a day) and `rule` (by another streak rule) are accepted
/// where they have a meaning.
package struct QuestionRequest: Sendable {
  package let question: any Question
  /// The account that asks.
  package let asker: Account.ID?
  /// The book with the instant, day and rule of the question.
  package let view: BookView

  /// Parses a question.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - reader: The book.
  ///   - known: The book's current state, for callers that have it; called only when it is needed.
  ///   - caller: Who calls. An account may ask about itself, not about the whole book, and no
  ///     further ahead than a year.
  ///   - now: When it is asked.
  /// - Throws: ``Rejection`` for a field, or ``JournalError``.
  package init(
    _ json: JSON, of reader: BookReader,
    knowing known: @autoclosure () throws -> BookState? = nil, from caller: Caller = .owner,
    at now: Instant = BookClock.system.now()
  ) throws {
    try caller.check(json)
    var fields = try RequestReader(json, BookState())
    fields.noun = "question"
    let name = try fields.text("ask")
    guard let type = Self.types[name] else { throw Rejection.unknownQuestion(name) }
    if case .account = caller, type.form.asker == .nobody { throw Rejection.notForCallers(name) }
    let viewpoint = try Viewpoint(&fields, type.form.axes)
    var found: BookState?
    func presentState() throws -> BookState {
      if let found { return found }
      let state = try known() ?? reader.state()
      found = state
      return state
    }
    let isOwner = if case .owner = caller { true } else { false }
    let present = isOwner ? nil : try max(now, presentState().at)
    if let present, let asOf = viewpoint.asOf {
      try Limit.checkAhead(asOf, of: present, "as_of")
    }
    if let own = try Self.ownPast(json, type.form, viewpoint, reader, caller, presentState) {
      view = own
    } else {
      let past = try viewpoint.asOf.map { asOf in
        try isOwner
          ? reader.state(asOf: asOf)
          : Self.personalPast(type.form, asOf, reader, caller, presentState)
            ?? reader.state(asOf: asOf, knowing: presentState())
      }
      view = try reader.view(
        viewpoint,
        past.map { type.form.isByMembers ? $0.seen(from: try presentState()) : $0 }
          ?? presentState(), at: now)
    }
    fields.state = view.state
    asker = try Self.asker(&fields, of: type.form, caller, in: view.state)
    fields.viewer = caller.viewer
    if case .account(let account) = caller, try presentState().accounts[account]?.isErased ?? true {
      throw Rejection.accountNotFound
    }
    fields.actor = asker
    question = try type.init(&fields)
    try fields.finish()
    if let present { try question.checkAhead(of: present) }
  }

  /// The past of one of the caller's own habits, where the question depends only on that: the
  /// habit's entries are read, and nothing else of the book.
  ///
  /// - Returns: The view; nil where the answer may need more, or the question may be refused. Then
  ///   the whole past is read.
  /// - Throws: ``JournalError``.
  private static func ownPast(
    _ json: JSON, _ form: QuestionForm, _ viewpoint: Viewpoint, _ reader: BookReader,
    _ caller: Caller, _ present: () throws -> BookState
  ) throws -> BookView? {
    guard form.isOfHabit, let asOf = viewpoint.asOf, case .account(let account) = caller,
      (json["hive"] ?? .null) == .null, let key = json["habit"]?.text.flatMap({ Key($0) }),
      let found = try reader.ownEntries(
        ofHabit: key, of: account, until: asOf, knowing: present()),
      found.isOwnersAlone
    else { return nil }
    return BookView(found, reader.query(viewpoint, asOf: asOf), reader)
  }

  /// The past of what the caller has and shares, where the question depends only on that.
  ///
  /// - Returns: The state; nil where the answer may need more, and where the whole past is less work.
  /// - Throws: ``JournalError``.
  private static func personalPast(
    _ form: QuestionForm, _ asOf: Instant, _ reader: BookReader, _ caller: Caller,
    _ present: () throws -> BookState
  ) throws -> BookState? {
    guard form.isOfPerson, case .account(let account) = caller else { return nil }
    return try reader.personalPast(of: account, asOf: asOf, knowing: present())
  }

  /// The account that asks: the one in the question, or else the caller's; nil where that is
  /// allowed.
  private static func asker(
    _ fields: inout RequestReader, of form: QuestionForm, _ caller: Caller, in state: BookState
  ) throws -> Account.ID? {
    guard form.asker != .nobody else { return nil }
    let number: Account.ID?
    if let key = try fields.optionalKey("as") {
      number = state.people.accounts.number(of: key)
      if number == nil { throw Rejection.accountNotFound }
    } else {
      number = try caller.account(in: state.people)
    }
    guard let number else {
      if form.asker == .account { throw Rejection.actorMissing }
      return nil
    }
    // An erased account gets no answer, and a new account gets none about the time before it.
    guard let account = state.viewer(number), !account.isErased else {
      throw Rejection.accountNotFound
    }
    return number
  }

  /// The answer.
  ///
  /// - Throws: ``Rejection``, or ``JournalError``.
  package func answer() throws -> any QuestionAnswer { try question.answer(from: view, for: asker) }

  /// The question as JSON without instant, day and rule; parsing it gives the same question.
  package static func json<Q: Question>(_ question: Q, in state: BookState) -> JSON {
    .object(
      [.init("ask", .string(Q.form.name))]
        + question.members(in: state).filter { $0.value != .null })
  }

  /// The names of all questions, in ascending order.
  package static var names: [String] { types.keys.sorted() }

  /// The description of the question with a name; nil when there is none.
  package static func form(of name: String) -> QuestionForm? { types[name]?.form }

  /// All questions as a JSON Schema (draft 2020-12).
  package static var schema: JSON {
    let all = names.compactMap { types[$0] }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Daybook's questions",
      "oneOf": .array(all.map { ["$ref": .string("#/$defs/\($0.form.name)")] }),
      "$defs": .object(all.map { JSON.Member($0.form.name, $0.schema) }),
    ]
  }

  /// All questions, by name.
  package static let types: [String: any Question.Type] = {
    let all = habitTypes + peopleTypes + householdTypes + taskTypes
    return Dictionary(uniqueKeysWithValues: all.map { ($0.form.name, $0) })
  }()
}

/// The instant, day and rule of a question.
struct Viewpoint: Sendable {
  /// The instant; `nil` means the present.
  var asOf: Instant?
  /// The day; nil for today.
  var on: Day?
  /// The streak rule.
  var rule = StreakRule.daybook

  /// Reads the instant, day and rule of a question that allows some of them.
  fileprivate init(_ fields: inout RequestReader, _ axes: QuestionForm.Axes) throws {
    if axes.contains(.asOf) { asOf = try fields.optionalInstant("as_of") }
    if axes.contains(.on) { on = try fields.optionalDay("on") }
    guard axes.contains(.rule) else { return }
    var choice = RuleChoice(.daybook)
    try fields.column("rule", &choice, [])
    rule = try choice.rule(in: "rule")
  }
}

extension BookReader {
  /// A state as a question views it.
  fileprivate func view(
    _ viewpoint: Viewpoint, _ state: BookState, at now: Instant
  ) -> BookView {
    BookView(state, query(viewpoint, asOf: viewpoint.asOf ?? max(now, state.at)), self)
  }

  fileprivate func query(_ viewpoint: Viewpoint, asOf instant: Instant) -> Query {
    Query(asOf: instant, on: viewpoint.on, rule: viewpoint.rule, zones: zones)
  }
}

extension Question {
  /// Reads the question's columns.
  ///
  /// - Throws: ``Rejection`` for a column, or because a key names nothing.
  init(_ reader: inout RequestReader) throws {
    self = Self.defaults
    try visitColumns(&reader)
  }

  /// The columns of the question.
  package static var columns: [Column] { ColumnList.columns(of: Self.self) }

  /// The question as a JSON Schema (draft 2020-12).
  package static var schema: JSON {
    JSON.objectSchema(
      "ask", form.name, form.summary, columns, form.commonColumns, answer: form.answer)
  }
}

extension QuestionForm {
  /// The columns that the question has in addition to its own.
  package var commonColumns: [Column] {
    var columns: [Column] = []
    if asker != .nobody {
      let isNeeded = asker == .account
      columns.append(
        Column(
          "as", Account.ID?.self,
          isNeeded ? "who asks" : "who asks; without it, the answer is about all accounts"))
    }
    if axes.contains(.asOf) {
      columns.append(Column("as_of", Instant?.self, "as the book knew it then; now unless given"))
    }
    if axes.contains(.on) {
      columns.append(Column("on", Day?.self, "about this day; today unless given"))
    }
    if axes.contains(.rule) {
      columns.append(Column("rule", RuleChoice?.self, "the streak rule"))
    }
    return columns
  }
}

public import Avro
public import Daybook
import Journal

/// A question in its JSON form: what is asked, by whom, and from where in time.
///
///     {"ask":"heatmap","as":"<account key>","habit":"<key>","year":2026,"as_of":"2026-03-01T12:00:00Z"}
///
/// `as_of` (as the book knew it at an instant), `on` (about a day) and `rule` (by another streak rule) are taken where
/// they mean something.
public struct QuestionRequest: Sendable {
  /// What is asked.
  package let question: any Question
  /// Who asks.
  public let asker: Account.ID?
  /// The book from where it is asked.
  public let view: BookView

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - reader: The book.
  ///   - present: The book's state as of now, for who has it.
  ///   - caller: Who calls: an account asks of itself, and nothing about the whole book.
  /// - Throws: ``Rejection``, which names the field, or ``JournalError``.
  public init(
    _ json: JSON, of reader: BookReader, knowing present: BookState? = nil,
    from caller: Caller = .owner
  ) throws {
    try caller.check(json)
    var fields = try RequestReader(json, BookState())
    fields.noun = "question"
    let name = try fields.text("ask")
    guard let type = Self.types[name] else { throw Rejection.unknownQuestion(name) }
    if case .account = caller, type.form.asker == .nobody { throw Rejection.notForCallers(name) }
    let viewpoint = try Viewpoint(&fields, type.form.axes)
    view = try reader.view(viewpoint, for: type.form, knowing: present)
    fields.state = view.state
    if let key = try type.form.asker == .nobody ? nil : fields.optionalKey("as") {
      guard let number = view.state.viewerNumber(of: key) else { throw Rejection.accountNotFound }
      self.asker = number
    } else {
      self.asker = type.form.asker == .nobody ? nil : caller.account(in: view.state.people)
    }
    if type.form.asker == .account, self.asker == nil { throw Rejection.actorMissing }
    fields.actor = self.asker
    question = try type.init(&fields)
    try fields.finish()
  }

  /// The answer.
  ///
  /// - Throws: ``Rejection``, or ``JournalError``.
  public func answer() throws -> any QuestionAnswer { try question.answer(from: view, for: asker) }

  /// The question as JSON: reading it again gives the same question. Its axes are left out.
  package static func json<Q: Question>(_ question: Q, in state: BookState) -> JSON {
    .object(
      [.init("ask", .string(Q.form.name))]
        + question.members(in: state).filter { $0.value != .null })
  }

  /// The names of all questions, ascending.
  public static var names: [String] { types.keys.sorted() }

  /// What is to be known of the question of a name; nothing when there is none.
  package static func form(of name: String) -> QuestionForm? { types[name]?.form }

  /// All questions, as JSON Schema (draft 2020-12) describes them.
  public static var schema: JSON {
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

/// From where in time a question is asked, and by whose rule.
struct Viewpoint: Sendable {
  /// As of when; now without it.
  var asOf: Instant?
  /// About which day; today without it.
  var on: Day?
  /// The streak rule.
  var rule = StreakRule.daybook

  /// Now, about today, by Daybook's rule.
  init() {}

  /// Takes what a question of some axes says off the reader.
  fileprivate init(_ fields: inout RequestReader, _ axes: QuestionForm.Axes) throws {
    if axes.contains(.asOf) { asOf = try fields.optionalInstant("as_of") }
    if axes.contains(.on) { on = try fields.optionalDay("on") }
    guard axes.contains(.rule), let id = try fields.optionalText("rule") else { return }
    rule = try StreakRule.named(id, in: "rule")
  }
}

extension StreakRule {
  /// The rule that a field names.
  ///
  /// - Throws: ``Rejection`` that names the field: there is no such rule.
  static func named(_ id: String, in field: String) throws(Rejection) -> StreakRule {
    guard let rule = named(id) else {
      let names = all.map(\.id).joined(separator: ", ")
      throw .invalidField(field, "\"\(id)\" is none of the rules \(names)")
    }
    return rule
  }
}

extension BookReader {
  /// The book as a question sees it.
  fileprivate func view(
    _ viewpoint: Viewpoint, for form: QuestionForm, knowing present: BookState?
  ) throws(JournalError) -> BookView {
    let seen: BookState
    if let instant = viewpoint.asOf {
      let past = try state(asOf: instant)
      seen = form.isHousehold ? past.seen(from: try now(present)) : past
    } else {
      seen = try now(present)
    }
    let asOf = viewpoint.asOf ?? max(BookClock.system.now(), seen.at)
    return BookView(
      seen, Query(asOf: asOf, on: viewpoint.on, rule: viewpoint.rule, zones: zones), self)
  }
}

extension BookReader {
  private func now(_ present: BookState?) throws(JournalError) -> BookState {
    if let present { return present }
    return try state()
  }
}

extension Question {
  /// Takes the question's columns off the reader.
  ///
  /// - Throws: ``Rejection`` that names the column, or that a key names nothing.
  init(_ reader: inout RequestReader) throws {
    self = Self.defaults
    try visitColumns(&reader)
  }

  /// The columns of the question.
  package static var columns: [Column] { ColumnList.columns(of: Self.self) }

  /// The question as JSON Schema (draft 2020-12) describes it.
  package static var schema: JSON {
    JSON.objectSchema(
      "ask", form.name, form.summary, columns, form.commonColumns, answer: form.answer)
  }
}

extension QuestionForm {
  /// The columns that the question has besides its own.
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
      columns.append(Column("as_of", Instant?.self, "as the book knew it then; now without it"))
    }
    if axes.contains(.on) {
      columns.append(Column("on", Day?.self, "about this day; today without it"))
    }
    if axes.contains(.rule) {
      var rule = Column("rule", String?.self, "the streak rule")
      rule.schema = ["enum": .array(StreakRule.all.map { .string($0.id) } + [.null])]
      columns.append(rule)
    }
    return columns
  }
}

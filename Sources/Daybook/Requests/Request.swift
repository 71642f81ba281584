public import Values
public import Calendar
public import Avro

/// A command in its JSON form: what to do, who acts, when, and under which idempotency key.
///
///     {"do":"log_habit","as":"<account key>","habit":"<key>","value":1,"at":"2026-01-02T12:00:00Z"}
///
/// Field and row names are the column names of the tables; `do` is the name of the command.
public struct Request: Sendable {
  /// The command.
  package var body: any RequestBody
  /// The acting account.
  public var actor: Account.ID?
  /// The book's clock, when given.
  public var at: Instant?
  /// The idempotency key.
  public var id: Key?

  /// Hashes a normalised value into its stored form: sha256(pepper ‖ value).
  public typealias Hashing = @Sendable (_ normalised: String) -> IdentityHash

  /// Looks up the command to which the entry at a position belongs.
  public typealias Past = @Sendable (_ position: Int64) throws -> CommandHistory?

  /// The commands that take a table's row, whose `id` is not the command's idempotency key.
  private static let rowTypes: Set = ["upsert_task", "upsert_label"]

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - state: The state in which keys are looked up.
  ///   - actor: The actor when the object has no `as`.
  ///   - viewer: The account that may only name what it can see; nobody when everything may be named.
  ///   - hashing: Hashes phone numbers and the like that come as plain text; without it they are refused.
  ///   - past: Looks up the command to undo; without it, nothing can be undone.
  /// - Throws: ``Rejection``, which names the field.
  public init(
    _ json: JSON, _ state: borrowing BookState, actor: Account.ID? = nil,
    seenBy viewer: Account.ID? = nil,
    hashing: Hashing? = nil, past: Past? = nil
  ) throws {
    var reader = try RequestReader(json, copy state, hashing: hashing, past: past)
    reader.viewer = viewer
    let name = try reader.text("do")
    at = try reader.optionalInstant("at")
    id = Self.hasOwnID(name, json) ? nil : try reader.optionalKey("id")
    self.actor = actor
    if let key = try reader.optionalKey("as") {
      guard let number = state.accounts.number(of: key) else {
        throw Rejection.accountNotFound
      }
      self.actor = number
    }
    guard let type = Self.types[name] else {
      throw Rejection.unknownCommand(name)
    }
    reader.actor = self.actor
    body = try type.init(&reader)
    // An account creates itself, and the system settles: there is no actor unless the object names one.
    if body is CreateAccount || body is Settle, json["as"] == nil { self.actor = nil }
    try reader.finish()
  }

  /// A request for a command that exists already.
  package init(_ body: any RequestBody) { self.body = body }

  /// Parses a line as a JSON object.
  ///
  /// - Throws: ``Rejection`` when it is not JSON, or longer than ``Limit/command``.
  package static func object(in line: [UInt8]) throws(Rejection) -> JSON {
    guard line.count <= Limit.command.maximum else {
      throw .beyond(.command, nil)
    }
    do throws(JSONError) { return try JSON(parsing: line) } catch { throw .notJSON(error) }
  }

  /// Whether the command takes a row whose `id` is the row's own; such a row may be sent again without an idempotency
  /// key.
  private static func hasOwnID(_ name: String, _ json: JSON) -> Bool {
    rowTypes.contains(name) && json["key"] == nil
  }

  /// The idempotency key of a request, whatever the rest of it; nothing when it has none.
  public static func id(of json: JSON) -> Key? {
    guard let name = json["do"]?.text, !hasOwnID(name, json) else { return nil }
    return json["id"]?.text.flatMap { Key($0) }
  }

  /// Whether a line needs an actor and does not name one: an account creates itself, and the system settles.
  package static func needsCaller(_ json: JSON) -> Bool {
    guard (json["as"] ?? .null) == .null else { return false }
    guard let type = json["do"]?.text.flatMap({ types[$0] }) else { return true }
    return !(type is CreateAccount.Type || type is Settle.Type)
  }

  /// Whether reading a request requires the journal, to find the command that it undoes.
  package static func readsPast(_ json: JSON) -> Bool {
    json["do"]?.text.map { types[$0] is UndoTask.Type || types[$0] is Undo.Type } ?? false
  }

  /// The names of all commands, ascending.
  package static var names: [String] { types.keys.sorted() }

  static let types: [String: any ColumnCommand.Type] = {
    let own: [any ColumnCommand.Type] =
      accountTypes + habitTypes + hiveTypes + personTypes + taskTypes + householdTypes
      + groceryTypes + calendarTypes + [PostActivity.self]
      + EntityKind.allCases.flatMap { $0.type.commands }
    return Dictionary(uniqueKeysWithValues: own.map { ($0.form.name, $0) })
  }()

  private static let accountTypes: [any ColumnCommand.Type] = [
    CreateAccount.self, UpdateProfile.self, UserLocalDate.self, Pause.self, Resume.self, Undo.self,
  ]

  private static let habitTypes: [any ColumnCommand.Type] = [
    CreateHabit.self, UpdateHabit.self, ArchiveHabit.self, RestoreHabit.self, DeleteHabit.self,
    LogHabit.self, ClearLog.self, SkipDay.self, ChooseFocus.self, CreateGoal.self,
    UpdateGoal.self, DeleteGoal.self, AttachHabit.self, DetachHabit.self, MoveHabit.self,
  ]
}

/// A command that has a JSON form, and whose answer is a row.
package protocol RequestBody: Command {
  /// Reads the command's fields.
  ///
  /// - Throws: ``Rejection``, which names the field.
  init(_ reader: inout RequestReader) throws

  /// The row of the answer, in the state after the command.
  func row(of answer: Answer, in state: BookState) -> JSON

  /// Writes the answer's row as text: the text of ``row(of:in:)``, where possible without making that first.
  func write(_ answer: Answer, in state: BookState, to json: inout JSONWriter)

  /// The aggregate that the row is about: when the answer is repeated, it is shown only to those who may still see
  /// that. Nothing when the row shows only what the actor can always see.
  func aggregate(of answer: Answer) -> Aggregate?
}

extension RequestBody {
  /// Writes the row.
  package func write(_ answer: Answer, in state: BookState, to json: inout JSONWriter) {
    json.value(row(of: answer, in: state))
  }
}

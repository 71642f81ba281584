public import Values
public import Calendar
public import Avro

/// A command in its JSON form: what to do, who asks, when, and under which idempotency key.
///
///     {"do":"log_habit","as":"<account key>","habit":"<key>","value":1,"at":"2026-01-02T12:00:00Z"}
///
/// Field and row names are the column names of the tables; `do` is the name of the command.
public struct Request: Sendable {
  /// What is asked.
  package var body: any RequestBody
  /// Who asks.
  public var actor: Account.ID?
  /// The book's clock, when given.
  public var at: Instant?
  /// The idempotency key.
  public var id: Key?

  /// What makes of a normalised value what is kept of it: sha256(pepper ‖ value).
  public typealias Hashing = @Sendable (_ normalised: String) -> IdentityHash

  /// What looks up the command of which an entry at a position is a part, if it is about tasks or labels.
  public typealias Past = @Sendable (_ position: Int64) throws -> CommandPast?

  /// The commands that take a table's row, whose `id` is not the command's.
  private static let rowTypes: Set = ["upsert_task", "upsert_label"]

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - state: The state in which keys are looked up.
  ///   - actor: Who asks when the object has no `as`.
  ///   - viewer: Who may name no more than they see; nobody where all may be named.
  ///   - hashing: Hashes phone numbers and the like that come plain; without it they are refused.
  ///   - past: Looks up what is to be undone; without it, nothing is.
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
    // An account begins itself, and the system settles: nobody acts unless the object says so.
    if body is CreateAccount || body is Settle, json["as"] == nil { self.actor = nil }
    try reader.finish()
  }

  /// A command that is there already.
  package init(_ body: any RequestBody) { self.body = body }

  /// What a line says, as JSON.
  ///
  /// - Throws: ``Rejection`` when it is no JSON, or longer than ``Limit/command``.
  package static func object(in line: [UInt8]) throws(Rejection) -> JSON {
    guard line.count <= Limit.command.maximum else {
      throw .beyond(.command, nil)
    }
    do throws(JSONError) { return try JSON(parsing: line) } catch { throw .notJSON(error) }
  }

  /// A row has its own `id`, and may come again without another.
  private static func hasOwnID(_ name: String, _ json: JSON) -> Bool {
    rowTypes.contains(name) && json["key"] == nil
  }

  /// The idempotency key of a request, whatever else it says; nothing when it has none.
  public static func id(of json: JSON) -> Key? {
    guard let name = json["do"]?.text, !hasOwnID(name, json) else { return nil }
    return json["id"]?.text.flatMap { Key($0) }
  }

  /// Whether a line leaves open who acts, and somebody must: an account begins itself, and the system settles.
  package static func needsCaller(_ json: JSON) -> Bool {
    guard (json["as"] ?? .null) == .null else { return false }
    guard let type = json["do"]?.text.flatMap({ types[$0] }) else { return true }
    return !(type is CreateAccount.Type || type is Settle.Type)
  }

  /// Whether reading a request takes a look at what the journal holds: what it asks to undo.
  package static func readsPast(_ json: JSON) -> Bool {
    json["do"]?.text.map { types[$0] is UndoTask.Type || types[$0] is Undo.Type } ?? false
  }

  /// The names of all commands, ascending.
  package static var names: [String] { types.keys.sorted() }

  static let types: [String: any ColumnCommand.Type] = {
    let own: [any ColumnCommand.Type] =
      accountTypes + habitTypes + hiveTypes + personTypes + taskTypes + householdTypes
      + groceryTypes + calendarTypes + [PostActivity.self]
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
  /// Takes the command's fields off the reader.
  ///
  /// - Throws: ``Rejection``, which names the field.
  init(_ reader: inout RequestReader) throws

  /// What is answered, in the state as the command left it.
  func row(of answer: Answer, in state: BookState) -> JSON

  /// Writes what is answered, for those who want its text: the text of ``row(of:in:)``, unless it can be had at less.
  func write(_ answer: Answer, in state: BookState, to json: inout JSONWriter)

  /// What the row is about: it is shown again to nobody who may not see that any more. Nothing when it tells of
  /// nothing that could be taken from the one who asked.
  func aggregate(of answer: Answer) -> Aggregate?
}

extension RequestBody {
  /// Writes the row.
  package func write(_ answer: Answer, in state: BookState, to json: inout JSONWriter) {
    json.value(row(of: answer, in: state))
  }
}

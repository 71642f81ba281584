import Avro
import Daybook
import DaybookStore

/// The mirror with the waiting commands decided on top of it.
struct LocalState {
  let account: Account.ID
  private let mirror: BookView
  private var batch: Batch
  /// The waiting commands that are refused as things stand. The server decides about them.
  private(set) var doubtful: [Key: Rejection] = [:]

  /// Decides commands, in their order, in the state that the mirror and those before them leave. A command that is
  /// refused leaves the others as they are.
  ///
  /// - Throws: ``Rejection/accountNotFound`` when the mirror does not have the account.
  init(
    _ mirror: BookView, account key: Key, deciding commands: [QueuedCommand]
  ) throws(Rejection) {
    guard let account = mirror.state.accounts.present(key) else { throw .accountNotFound }
    self.account = account
    self.mirror = mirror
    batch = Batch(supposing: mirror)
    for command in commands {
      do {
        try decide(command.json, at: command.at)
      } catch {
        doubtful[command.id] = error as? Rejection ?? .accountNotFound
      }
    }
  }

  /// The view of the state as of an instant.
  func view(at instant: Instant) -> BookView { mirror.with(batch, asOf: instant) }

  var state: BookState { batch.state }

  /// Decides one more command.
  ///
  /// - Returns: What it comes to, in the form in which entries are compared (``EntryForm``).
  /// - Throws: ``Rejection``, or ``JournalError``; then nothing changed.
  @discardableResult
  mutating func decide(_ json: JSON, at instant: Instant) throws -> [JSON] {
    let count = batch.entries?.count ?? 0
    let at = max(instant, batch.state.at)
    let command = SupposedCommand(json.setting("at", .string(at.description)))
    try command.record(into: &batch, by: account, knowing: mirror)
    return try EntryForm.forms(of: Array((batch.entries ?? []).dropFirst(count)), in: batch.state)
  }
}

/// The form in which what a command came to here is compared with what it came to on the server: the event and its
/// fields, with keys for numbers, without instants, which the server sets, and without ranks.
enum EntryForm {
  /// The forms of entries.
  ///
  /// - Throws: ``ExchangeError``.
  static func forms(of entries: [Entry], in state: BookState) throws -> [JSON] {
    var lines = EntryLines(knowing: state)
    return try entries.map { form(of: try lines.json(of: $0)) }
  }

  private static func form(of line: JSON) -> JSON {
    ["event": line["event"] ?? .null, "data": comparable(line["data"] ?? .null)]
  }

  private static func comparable(_ json: JSON) -> JSON {
    switch json {
    case .object(let members):
      // A rank follows from the entities beside it.
      .object(
        members.filter { !isInstant($0.value) && $0.name != "rank" }
          .map { .init($0.name, comparable($0.value)) })
    case .array(let elements): .array(elements.filter { !isInstant($0) }.map(comparable))
    default: json
    }
  }

  private static func isInstant(_ json: JSON) -> Bool {
    guard let text = json.text, text.hasSuffix("Z") else { return false }
    return Instant(text) != nil
  }

  /// Whether a command came to the same on the server as it did here.
  ///
  /// Some events repeat what they do not change: an event with a task's title and description, say, though only one of
  /// them was edited. So a field may differ if the command does not name it and the event only repeats what was there.
  /// Keys that this device drew do not count either: the server draws others.
  ///
  /// - Parameters:
  ///   - held: The forms of what was recorded.
  ///   - meant: The forms of what it came to here.
  ///   - command: The command.
  ///   - history: The forms of the entries before it about the same entities, oldest first.
  ///   - state: The state of the mirror.
  /// - Returns: Whether they are the same.
  static func isSame(
    _ held: [JSON], _ meant: [JSON], of command: JSON, after history: [JSON],
    knowing state: BookState
  ) -> Bool {
    guard held.count == meant.count else { return false }
    var history = history
    for (held, meant) in zip(held, meant) {
      guard held["event"] == meant["event"], let fields = held["data"]?.members,
        let others = meant["data"]?.members, fields.map(\.name) == others.map(\.name)
      else { return false }
      for (field, other) in zip(fields, others)
      where !isSame(field.value, other.value, knowing: state) {
        guard (command[field.name] ?? .null) == .null,
          field.value == former(field.name, of: held, in: history)
        else { return false }
      }
      history.append(held)
    }
    return true
  }

  /// The value that a field had before an entry; nil when none is known.
  private static func former(_ field: String, of form: JSON, in history: [JSON]) -> JSON? {
    history.last { earlier in
      earlier["data"]?[field] != nil && earlier["data"]?["day"] == form["data"]?["day"]
    }?["data"]?[field]
  }

  private static func isSame(_ held: JSON, _ meant: JSON, knowing state: BookState) -> Bool {
    switch (held, meant) {
    case (.object(let held), .object(let meant)):
      held.count == meant.count
        && zip(held, meant).allSatisfy { held, meant in
          held.name == meant.name && isSame(held.value, meant.value, knowing: state)
        }
    case (.array(let held), .array(let meant)):
      held.count == meant.count
        && zip(held, meant).allSatisfy { isSame($0, $1, knowing: state) }
    default: held == meant || isDrawn(meant, held, knowing: state)
    }
  }

  private static func isDrawn(_ meant: JSON, _ held: JSON, knowing state: BookState) -> Bool {
    guard let meant = meant.text.flatMap({ Key($0) }), held.text.flatMap({ Key($0) }) != nil else {
      return false
    }
    return EntityKind.allCases.allSatisfy { state.table(of: $0).entityNumber(of: meant) == nil }
  }

  /// Whether a form replaces what one of the forms before it set: the same event about the same entity, and the same
  /// day where there is one, with a field that both changed, to different values.
  ///
  /// - Parameters:
  ///   - new: The later form.
  ///   - place: The place of the earlier form in the history.
  ///   - history: The forms before the later one about the same entities, oldest first.
  /// - Returns: Whether it does.
  static func replaces(_ new: JSON, _ place: Int, in history: [JSON]) -> Bool {
    let old = history[place]
    guard new["event"] == old["event"], let fields = new["data"]?.members, let data = old["data"],
      new["data"]?["day"] == data["day"]
    else { return false }
    return fields.contains { field in
      // Sets of labels unite.
      guard !["added", "removed"].contains(field.name), field.value != .null,
        let value = data[field.name], value != .null, value != field.value
      else { return false }
      return value != former(field.name, of: old, in: Array(history[..<place]))
        && field.value != former(field.name, of: new, in: history)
    }
  }
}

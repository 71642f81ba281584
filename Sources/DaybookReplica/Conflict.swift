package import Avro
public import Daybook
import DaybookStore
import Journal

/// A command that did not hold as it was meant: what was meant, what held instead, why, and whose it was.
public struct Conflict: Hashable, Sendable, Identifiable {
  /// What became of the command.
  public enum Kind: String, Sendable {
    /// The book refused it.
    case refused
    /// It was recorded, and came to something else than it did here.
    case differs
    /// It was recorded, and replaced what somebody else had recorded meanwhile.
    case replaced
    /// Its time was after the server's, and was set to the server's.
    case restamped
  }

  /// The conflict's key, derived from the command's.
  public let id: Key
  /// The command's idempotency key.
  public let command: Key
  /// What became of the command.
  public let kind: Kind
  /// When that became known, by the server's clock.
  public let at: Instant
  /// The command, as JSON text.
  public let line: String
  /// What it came to here, as JSON text: an array of events.
  public let meant: String
  /// What holds instead or held before, as JSON text: an array of events.
  public let held: String
  /// The accounts whose entries hold, or were replaced.
  public let actors: [Key]
  /// The code of the refusal; nil when it was not refused.
  public let code: String?
  /// One sentence: why.
  public let reason: String

  init(
    _ kind: Kind, of command: QueuedCommand, at: Instant, held: [JSON] = [], actors: [Key] = [],
    code: String? = nil, reason: String
  ) {
    id = Key(derivedFrom: ["conflict", kind.rawValue, command.id.description])
    self.command = command.id
    self.kind = kind
    self.at = at
    line = command.json.encoded
    meant = JSON.array(command.meant).encoded
    self.held = JSON.array(held).encoded
    self.actors = actors
    self.code = code
    self.reason = reason
  }

  /// The conflict as JSON, for files and programs.
  package var json: JSON {
    var members: [JSON.Member] = [
      .init("id", .string(id.description)), .init("kind", .string(kind.rawValue)),
      .init("at", .string(at.description)), .init("command_id", .string(command.description)),
      .init("command", Self.value(line)), .init("meant", Self.value(meant)),
      .init("held", Self.value(held)),
      .init("actors", .array(actors.map { .string($0.description) })),
    ]
    if let code { members.append(.init("code", .string(code))) }
    members.append(.init("reason", .string(reason)))
    return .object(members)
  }

  /// Reads a conflict; nil when it has another form.
  init?(_ json: JSON) {
    guard let id = json["id"]?.text.flatMap({ Key($0) }),
      let command = json["command_id"]?.text.flatMap({ Key($0) }),
      let kind = json["kind"]?.text.flatMap({ Kind(rawValue: $0) }),
      let at = json["at"]?.text.flatMap({ Instant($0) }), let line = json["command"],
      let meant = json["meant"], let held = json["held"], let actors = json["actors"]?.elements,
      let reason = json["reason"]?.text
    else { return nil }
    self.id = id
    self.command = command
    self.kind = kind
    self.at = at
    self.line = line.encoded
    self.meant = meant.encoded
    self.held = held.encoded
    self.actors = actors.compactMap { $0.text.flatMap { Key($0) } }
    code = json["code"]?.text
    self.reason = reason
  }

  private static func value(_ text: String) -> JSON {
    (try? JSON(parsing: Array(text.utf8))) ?? .null
  }
}

/// The conflicts of a replica, oldest first, and the file that keeps them.
///
/// A line of the file is `{"conflict":{…}}` or `{"closed":"id"}`. Nothing is removed from it.
struct ConflictJournal {
  /// All conflicts, oldest first.
  private(set) var all: [Conflict] = []
  private var closed: Set<Key> = []
  private var file: LineFile

  /// The conflicts that nobody has dealt with.
  var open: [Conflict] { all.filter { !closed.contains($0.id) } }

  /// - Throws: ``ReplicaError``.
  init(in directory: String, _ storage: any Storage) throws(ReplicaError) {
    var (all, closed) = ([Conflict](), Set<Key>())
    let path = directory + "/conflicts.jsonl"
    file = try LineFile("conflicts.jsonl", in: directory, storage) {
      (json, _) throws(ReplicaError) in
      if let conflict = json["conflict"].flatMap({ Conflict($0) }) {
        all.append(conflict)
      } else if let id = json["closed"]?.text.flatMap({ Key($0) }) {
        closed.insert(id)
      } else {
        throw .newer(path: path)
      }
    }
    (self.all, self.closed) = (all, closed)
  }

  /// Adds a conflict, once.
  ///
  /// - Throws: ``ReplicaError``.
  mutating func add(_ conflict: Conflict) throws(ReplicaError) {
    guard !all.contains(where: { $0.id == conflict.id }) else { return }
    try file.append(["conflict": conflict.json])
    all.append(conflict)
  }

  /// Notes that somebody dealt with a conflict.
  ///
  /// - Throws: ``ReplicaError``.
  mutating func close(_ id: Key) throws(ReplicaError) {
    guard all.contains(where: { $0.id == id }) else { throw .noConflict }
    guard closed.insert(id).inserted else { return }
    try file.append(["closed": .string(id.description)])
  }
}

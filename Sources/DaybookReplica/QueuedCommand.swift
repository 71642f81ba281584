import Avro
import Daybook
import DaybookStore
import Journal

/// A command that waits to be sent, or to be seen in the mirror after it was sent.
struct QueuedCommand: Sendable {
  /// The idempotency key.
  let id: Key
  /// When it was recorded, by the server's clock as far as the replica knows it.
  let at: Instant
  /// The last entry of the mirror when it was recorded: what the person could know.
  let base: Base
  /// The command, with its id.
  var json: JSON
  /// What it came to when it was recorded: the events, without the instants that the server sets.
  let meant: [JSON]
  /// Whether its `p_at` was set to the server's time, because it was after that.
  var isRestamped = false

  /// A place in a mirror.
  struct Base: Hashable, Sendable {
    /// The mirror; a new one begins when the scope changes.
    var mirror: Int
    var position: Int64
    var at: Instant
  }

  /// The record of the queue's file.
  var record: JSON {
    [
      "queued": [
        "id": .string(id.description), "at": .string(at.description),
        "base": [
          "mirror": .number(base.mirror), "position": .number(base.position),
          "at": .string(base.at.description),
        ],
        "restamped": .bool(isRestamped), "command": json, "meant": .array(meant),
      ]
    ]
  }
}

extension QueuedCommand {
  /// Reads the content of a record; nil when it has another form.
  init?(_ json: JSON) {
    guard let id = json["id"]?.text.flatMap({ Key($0) }),
      let at = json["at"]?.text.flatMap({ Instant($0) }), let base = json["base"],
      let mirror = base["mirror"]?.integer, let position = base["position"]?.integer,
      let baseAt = base["at"]?.text.flatMap({ Instant($0) }), let command = json["command"],
      let meant = json["meant"]?.elements
    else { return nil }
    self.init(
      id: id, at: at, base: Base(mirror: mirror, position: Int64(position), at: baseAt),
      json: command, meant: meant, isRestamped: json["restamped"]?.boolean ?? false)
  }
}

/// The commands that wait, in the order in which they were recorded, and the file that keeps them.
///
/// A line of the file is `{"queued":{…}}`, `{"restamped":{"id":…,"p_at":…}}` or `{"settled":["id",…]}`.
struct CommandQueue {
  private(set) var commands: [QueuedCommand] = []
  /// The commands settled since nothing waited: those that wait may have been recorded with knowledge of them.
  private(set) var settled: Set<Key> = []
  private var file: LineFile

  /// - Throws: ``ReplicaError``.
  init(in directory: String, _ storage: any Storage) throws(ReplicaError) {
    var (commands, former) = ([QueuedCommand](), Set<Key>())
    let path = directory + "/queue.jsonl"
    file = try LineFile("queue.jsonl", in: directory, storage) {
      (json, line) throws(ReplicaError) in
      if let command = json["queued"].flatMap({ QueuedCommand($0) }) {
        commands.append(command)
      } else if let ids = json["settled"]?.elements {
        let settled = Set(ids.compactMap { $0.text.flatMap { Key($0) } })
        commands.removeAll { settled.contains($0.id) }
        former = commands.isEmpty ? [] : former.union(settled)
      } else if let json = json["restamped"], let id = json["id"]?.text.flatMap({ Key($0) }),
        let at = json["p_at"]?.text.flatMap({ Instant($0) })
      {
        Self.restamp(id, at, in: &commands)
      } else {
        throw .newer(path: path)
      }
    }
    (self.commands, settled) = (commands, former)
    try compact()
  }

  /// Adds a command; it is on disk when this returns.
  ///
  /// - Throws: ``ReplicaError``.
  mutating func add(_ command: QueuedCommand) throws(ReplicaError) {
    try file.append(command.record)
    commands.append(command)
  }

  /// Removes commands of which it is known what became of them.
  ///
  /// - Throws: ``ReplicaError``.
  mutating func settle(_ ids: Set<Key>) throws(ReplicaError) {
    guard !ids.isEmpty else { return }
    try file.append(Self.record(settled: ids))
    commands.removeAll { ids.contains($0.id) }
    settled = commands.isEmpty ? [] : settled.union(ids)
    try compact()
  }

  /// Sets the `p_at` of a command to the server's time.
  ///
  /// - Throws: ``ReplicaError``.
  mutating func restamp(_ id: Key, _ at: Instant) throws(ReplicaError) {
    try file.append([
      "restamped": ["id": .string(id.description), "p_at": .string(at.description)]
    ])
    Self.restamp(id, at, in: &commands)
  }

  private static func restamp(_ id: Key, _ at: Instant, in commands: inout [QueuedCommand]) {
    guard let index = commands.firstIndex(where: { $0.id == id }) else { return }
    commands[index].json = commands[index].json.setting("p_at", .string(at.description))
    commands[index].isRestamped = true
  }

  private static func record(settled ids: Set<Key>) -> JSON {
    ["settled": .array(ids.sorted().map { .string($0.description) })]
  }

  /// Writes the file anew when most of it is about settled commands.
  private mutating func compact() throws(ReplicaError) {
    var lines = commands.map(\.record)
    if !settled.isEmpty { lines.append(Self.record(settled: settled)) }
    let needed = lines.reduce(0) { $0 + $1.encoded.utf8.count }
    guard file.byteCount > 1 << 16, file.byteCount > 4 * needed else { return }
    try file.replace(with: lines)
  }
}

extension JSON {
  /// The object with a member set.
  func setting(_ name: String, _ value: JSON) -> JSON {
    var members = (self.members ?? []).filter { $0.name != name }
    members.append(.init(name, value))
    return .object(members)
  }

  /// The object without a member.
  func removing(_ name: String) -> JSON {
    .object((members ?? []).filter { $0.name != name })
  }
}

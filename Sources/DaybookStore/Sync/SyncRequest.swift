package import Avro
package import Daybook

/// What a device sends to a book in one exchange: where it is, and commands that wait.
///
///     {"account":"…","scope":"…","cursor":"17.9f86d0…","commands":[{"do":"log_habit","id":"…",…}],
///      "limit":500}
package struct SyncRequest: Hashable, Sendable {
  /// The most commands in a request.
  package static let commandCount = 500
  /// The most lines in an answer, but for a command whose lines stay together.
  package static let lineCount = 2_000

  /// The account whose commands these are; nil when the device does not know yet, and has none.
  package var account: Key?
  /// The scope of the lines that the device has; nil when it has none.
  package var scope: String?
  /// The lines that the device has.
  package var cursor: ChainDigest
  /// The id of the last command of the account's own that the device has seen recorded. A book of
  /// another scope that does not know it is another book, or an older state.
  package var last: Key?
  /// The commands, each with an id, in the order in which they are to be carried out.
  package var commands: [JSON]
  /// The most lines that the device takes.
  package var limit: Int

  package init(
    account: Key? = nil, scope: String?, cursor: ChainDigest, last: Key? = nil,
    commands: [JSON] = [], limit: Int = Self.lineCount
  ) {
    self.account = account
    self.scope = scope
    self.cursor = cursor
    self.last = last
    self.commands = commands
    self.limit = limit
  }

  /// Reads a request.
  ///
  /// - Throws: ``Rejection``, which names the field.
  package init(json: JSON) throws(Rejection) {
    guard let members = json.members else { throw .invalidField("body", "it is not an object") }
    let names = ["account", "scope", "cursor", "last", "commands", "limit"]
    if let strange = members.first(where: { !names.contains($0.name) }) {
      throw .invalidField(strange.name, "a sync has no such field")
    }
    account = try Self.optional(json, "account", "a UUID") { $0.text.flatMap { Key($0) } }
    scope = try Self.optional(json, "scope", "a text") { $0.text }
    cursor =
      try Self.optional(json, "cursor", "a cursor of an earlier answer") {
        $0.text.flatMap { ChainDigest($0) }
      } ?? ChainDigest()
    last = try Self.optional(json, "last", "a UUID") { $0.text.flatMap { Key($0) } }
    commands = try Self.optional(json, "commands", "an array of commands") { $0.elements } ?? []
    limit =
      try Self.optional(json, "limit", "a number from 1 to \(Self.lineCount)") {
        $0.integer.flatMap { (1...Self.lineCount).contains($0) ? $0 : nil }
      } ?? Self.lineCount
    guard commands.count <= Self.commandCount else {
      throw .invalidField("commands", "more than \(Self.commandCount); send the rest afterwards")
    }
    guard account != nil || commands.isEmpty else {
      throw .invalidField("account", "commands need it, so that they are carried out for no other")
    }
    for command in commands where Request.id(of: command) == nil {
      throw .invalidField("commands", "each needs an id, so that it is carried out once")
    }
  }

  private static func optional<Value>(
    _ json: JSON, _ name: String, _ words: String, _ read: (JSON) -> Value?
  ) throws(Rejection) -> Value? {
    guard let given = json[name], given != .null else { return nil }
    guard let value = read(given) else { throw .invalidField(name, "it is not \(words)") }
    return value
  }

  /// The request as JSON.
  package var json: JSON {
    var members: [JSON.Member] = []
    if let account { members.append(.init("account", .string(account.description))) }
    if let scope { members.append(.init("scope", .string(scope))) }
    members.append(.init("cursor", .string(cursor.description)))
    if let last { members.append(.init("last", .string(last.description))) }
    members.append(.init("commands", .array(commands)))
    members.append(.init("limit", .number(limit)))
    return .object(members)
  }
}

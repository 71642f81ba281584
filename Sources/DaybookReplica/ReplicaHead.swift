import Avro
import Daybook
import DaybookStore
import Journal

/// The head file of a replica: whose it is, and which mirror is in use.
///
///     {"format":1,"server":"…","account":"…","clock":0,"current":{"slot":"mirror-a","number":1,"scope":"…",
///     "cursor":"…","last":"…"},"next":null}
///
/// It is replaced as a whole. So a new mirror is in use from one moment on, and before that the old one is.
struct ReplicaHead: Hashable, Sendable {
  static let name = "replica.json"

  /// The server's address, for whoever asks; nil when it was not given.
  var server: String?
  /// The account; nil before the first answer.
  var account: Key?
  /// How far the server's clock is ahead of this machine's, in milliseconds.
  var clockOffset: Int64 = 0
  /// The mirror in use; nil before the first one is complete.
  var current: Mirror.Record?
  /// A mirror that is being filled.
  var next: Mirror.Record?

  /// Reads the head file; nil when there is none.
  ///
  /// - Throws: ``ReplicaError``.
  static func read(
    in directory: String, _ storage: any Storage
  ) throws(ReplicaError) -> ReplicaHead? {
    let path = directory + "/" + name
    var bytes: [UInt8] = []
    do throws(StorageError) {
      guard try storage.names(in: directory)?.contains(name) == true else { return nil }
      let file = try storage.open(path, .read)
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    } catch { throw .storage(error) }
    guard let json = try? JSON(parsing: bytes) else {
      throw .damaged(path: path, line: 1, reason: "it is not JSON")
    }
    guard json["format"]?.integer == 1 else { throw .newer(path: path) }
    var head = ReplicaHead()
    head.account = json["account"]?.text.flatMap { Key($0) }
    head.server = json["server"]?.text
    head.clockOffset = Int64(json["clock"]?.integer ?? 0)
    head.current = json["current"].flatMap { Mirror.Record($0) }
    head.next = json["next"].flatMap { Mirror.Record($0) }
    return head
  }

  /// Writes the head file.
  ///
  /// - Throws: ``ReplicaError``.
  func write(in directory: String, _ storage: any Storage) throws(ReplicaError) {
    let json: JSON = [
      "format": 1, "server": server.map { JSON.string($0) } ?? .null,
      "account": account.map { JSON.string($0.description) } ?? .null,
      "clock": .number(clockOffset), "current": current?.json ?? .null, "next": next?.json ?? .null,
    ]
    do throws(StorageError) {
      try storage.replace(directory + "/" + Self.name, with: Array((json.encoded + "\n").utf8))
      try storage.synchronizeDirectory(directory)
    } catch { throw .storage(error) }
  }
}

extension Mirror.Record {
  fileprivate init?(_ json: JSON) {
    guard let slot = json["slot"]?.text, let number = json["number"]?.integer,
      let cursor = json["cursor"]?.text.flatMap({ ChainDigest($0) })
    else { return nil }
    self.init(
      slot: slot, number: number, scope: json["scope"]?.text, cursor: cursor,
      last: json["last"]?.text.flatMap { Key($0) })
  }

  fileprivate var json: JSON {
    [
      "slot": .string(slot), "number": .number(number),
      "scope": scope.map { JSON.string($0) } ?? .null, "cursor": .string(cursor.description),
      "last": last.map { JSON.string($0.description) } ?? .null,
    ]
  }
}

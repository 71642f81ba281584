import Avro
import Journal

/// A file of JSON Lines to which lines are only ever appended.
///
/// The last member of each line is `check`: the first sixteen digits of the SHA-256 of the line's text without that
/// member. A line is valid if it ends with a line feed, is an object, and its check fits. One append is one line, on
/// disk when the append returns. So a crash leaves at most one line that is not valid, the last one, which was never
/// acknowledged; opening the file cuts it off. Any other line that is not valid is damage.
struct LineFile {
  let path: String
  private let storage: any Storage
  private var file: any StorageFile
  private(set) var byteCount: Int
  private var isUnsettled = false

  /// Opens the file, or creates it, and reads its lines.
  ///
  /// - Throws: ``ReplicaError``.
  init(
    _ name: String, in directory: String, _ storage: any Storage,
    reading body: (JSON, _ line: Int) throws(ReplicaError) -> Void
  ) throws(ReplicaError) {
    path = directory + "/" + name
    self.storage = storage
    var bytes: [UInt8] = []
    do throws(StorageError) {
      let names = try storage.names(in: directory) ?? []
      file = try storage.open(path, names.contains(name) ? .readWrite : .create)
      if !names.contains(name) {
        try file.synchronize()
        try storage.synchronizeDirectory(directory)
      }
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    } catch { throw .storage(error) }
    byteCount = 0
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if index == lines.count - 1, line.isEmpty { break }
      guard index < lines.count - 1, let json = Self.object(in: Array(line)) else {
        // What a crash left of one line: its beginning, or all of it with zeros for parts that did not reach the disk.
        let rest = bytes[byteCount...]
        guard rest.last != UInt8(ascii: "\n") || rest.contains(0),
          lines[(index + 1)...].allSatisfy({ Self.object(in: Array($0)) == nil })
        else { throw .damaged(path: path, line: index + 1, reason: "it is not as it was written") }
        break
      }
      try body(json, index + 1)
      byteCount += line.count + 1
    }
    guard byteCount < bytes.count else { return }
    do throws(StorageError) {
      try file.truncate(to: byteCount)
      try file.synchronize()
    } catch { throw .storage(error) }
  }

  /// Appends a line; it is on disk when this returns.
  ///
  /// - Throws: ``ReplicaError``; then the line is not in the file.
  mutating func append(_ json: JSON) throws(ReplicaError) {
    guard !isUnsettled else { throw .unsettled(path: path) }
    let line = Self.line(of: json)
    do throws(StorageError) {
      try file.write(line, at: byteCount)
      try file.synchronize()
      byteCount += line.count
    } catch {
      // The disk may be full: without the half line, a later append is possible.
      do throws(StorageError) {
        try file.truncate(to: byteCount)
        try file.synchronize()
      } catch { isUnsettled = true }
      throw .storage(error)
    }
  }

  /// Replaces all lines.
  ///
  /// - Throws: ``ReplicaError``; then the lines are as they were.
  mutating func replace(with lines: [JSON]) throws(ReplicaError) {
    guard !isUnsettled else { throw .unsettled(path: path) }
    let bytes = lines.flatMap(Self.line)
    do throws(StorageError) {
      try storage.replace(path, with: bytes)
      isUnsettled = true
      try storage.synchronizeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
      file = try storage.open(path, .readWrite)
      byteCount = bytes.count
      isUnsettled = false
    } catch { throw .storage(error) }
  }

  private static func line(of json: JSON) -> [UInt8] {
    let members = json.members ?? []
    let check = JSON.Member("check", .string(check(of: json)))
    return Array(JSON.object(members + [check]).encoded.utf8) + [UInt8(ascii: "\n")]
  }

  private static func check(of json: JSON) -> String {
    String(Digest(of: json.encoded.utf8).description.prefix(16))
  }

  private static func object(in line: [UInt8]) -> JSON? {
    guard let json = try? JSON(parsing: line), var members = json.members,
      let last = members.popLast(), last.name == "check",
      last.value.text == check(of: .object(members))
    else { return nil }
    return .object(members)
  }
}

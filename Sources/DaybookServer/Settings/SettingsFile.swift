import Avro
import Configuration
import Foundation
import Synchronization
import Yams

/// The names in a settings file, and those that were read. A mistyped name would otherwise be silently ignored.
final class SettingsFile: AccessReporter {
  private let names: Set<String>
  private let read = Mutex<Set<String>>([])

  /// Finds the names in a file; nested names are joined with dots: `mail.host`.
  ///
  /// - Parameter path: A file whose name ends in `.json`, or in `.yaml` or `.yml`.
  init(_ path: String) {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    var names: Set<String> = []
    if path.hasSuffix(".json") {
      let members = { (json: JSON) in json.members?.map { ($0.name, $0.value) } }
      if let json = try? JSON(parsing: text) { Self.note(json, [], members, &names) }
    } else if let node = try? Yams.compose(yaml: text) {
      let members = { (node: Node) in node.mapping?.map { ($0.key.string ?? "", $0.value) } }
      Self.note(node, [], members, &names)
    }
    self.names = names
  }

  /// The names that nothing has read so far, in order.
  var unread: [String] {
    let read = read.withLock { $0 }
    return names.subtracting(read).sorted()
  }

  func report(_ event: AccessEvent) {
    let name = event.metadata.key.description
    read.withLock { _ = $0.insert(name) }
  }

  private static func note<Value>(
    _ value: Value, _ path: [String], _ members: (Value) -> [(String, Value)]?,
    _ names: inout Set<String>
  ) {
    guard let found = members(value) else {
      names.insert(path.joined(separator: "."))
      return
    }
    for (name, value) in found { note(value, path + [name], members, &names) }
  }
}

import Avro
import Configuration
import Foundation
import Synchronization
import Yams

/// Which names a file of settings has, and which of them anybody reads: one that was mistyped would be passed over without
/// a word.
final class SettingsFile: AccessReporter {
  private let names: Set<String>
  private let read = Mutex<Set<String>>([])

  /// Finds the names of a file, those within others after a dot: `mail.host`.
  ///
  /// - Parameter path: A file whose name ends in `.json`, or in `.yaml` or `.yml`.
  init(_ path: String) {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    var names: Set<String> = []
    if path.hasSuffix(".json") {
      if let json = try? JSON(parsing: text) { Self.note(json, [], &names) }
    } else if let node = try? Yams.compose(yaml: text) {
      Self.note(node, [], &names)
    }
    self.names = names
  }

  /// The names that nobody has read so far, in order.
  var unread: [String] {
    let read = read.withLock { $0 }
    return names.subtracting(read).sorted()
  }

  func report(_ event: AccessEvent) {
    let name = event.metadata.key.description
    read.withLock { _ = $0.insert(name) }
  }

  private static func note(_ json: JSON, _ path: [String], _ names: inout Set<String>) {
    guard let members = json.members else {
      names.insert(path.joined(separator: "."))
      return
    }
    for member in members { note(member.value, path + [member.name], &names) }
  }

  private static func note(_ node: Node, _ path: [String], _ names: inout Set<String>) {
    guard let mapping = node.mapping else {
      names.insert(path.joined(separator: "."))
      return
    }
    for (key, value) in mapping { note(value, path + [key.string ?? ""], &names) }
  }
}

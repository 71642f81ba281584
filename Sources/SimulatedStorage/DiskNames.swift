/// The names on a disk, each a whole path without outer slashes; the root has no entry and always exists.
struct DiskNames: Hashable, Sendable {
  enum Node: Hashable, Sendable {
    case directory
    case file(Int)

    var file: Int? {
      if case .file(let number) = self { number } else { nil }
    }
  }

  struct Entry: Hashable, Sendable {
    let path: String
    let parent: String
    var node: Node
  }

  /// The entries, ascending by path.
  private(set) var entries: [Entry] = []

  subscript(path: String) -> Node? {
    if path.isEmpty { return .directory }
    return entries.first { $0.path == path }?.node
  }

  /// The last parts of the paths in a directory, ascending; `nil` when the directory does not exist.
  func names(in directory: String) -> [String]? {
    guard self[directory] == .directory else { return nil }
    let prefix = directory.isEmpty ? 0 : directory.utf8.count + 1
    return entries.filter { $0.parent == directory }
      .map { Self.dropping(prefix, from: $0.path) }
  }

  private static func dropping(_ count: Int, from path: String) -> String {
    String(path[path.utf8.index(path.startIndex, offsetBy: count)...])
  }

  mutating func apply(_ change: SimulatedDisk.NameChange) {
    switch change {
    case .put(let path, let node): put(path, node)
    case .remove(let path): entries.removeAll { $0.path == path }
    case .move(let path, let newPath, let node):
      entries.removeAll { $0.path == path }
      put(newPath, node)
    }
  }

  private mutating func put(_ path: String, _ node: Node) {
    guard let index = entries.firstIndex(where: { $0.path >= path }) else {
      return entries.append(Entry(path: path, parent: DiskPath.parent(path), node: node))
    }
    if entries[index].path == path {
      entries[index].node = node
    } else {
      entries.insert(Entry(path: path, parent: DiskPath.parent(path), node: node), at: index)
    }
  }

  /// Removes entries in directories that do not exist.
  mutating func removeOrphans() {
    while let orphan = entries.first(where: { self[$0.parent] != .directory }) {
      entries.removeAll { $0.parent == orphan.parent }
    }
  }
}

/// Paths as text.
enum DiskPath {
  /// The path without outer slashes, doubled slashes and dots.
  static func normal(_ path: String) -> String {
    if isNormal(path) { return path }
    return path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  private static func isNormal(_ path: String) -> Bool {
    var before = UInt8(ascii: "/")
    for byte in path.utf8 {
      // A dot at the start of a part may stand for the directory itself.
      if before == UInt8(ascii: "/"), byte == before || byte == UInt8(ascii: ".") { return false }
      before = byte
    }
    return before != UInt8(ascii: "/")
  }

  static func parent(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }
}

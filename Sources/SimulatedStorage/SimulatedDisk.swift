/// A disk as a value: what is certainly on disk, what is only in the system's memory, and the combination
/// that programs see.
///
/// **Bytes.** A write, a length or a mode is on disk once its file was synchronised. Until then each may
/// independently be lost or kept: a later one may be present where an earlier one is not. A write may also be
/// torn at any byte, with or without the length that it gives the file; bytes within that length that were
/// not written are zeros, or what was there before. Losing a write does not affect bytes that it did not
/// change: sectors overwritten with the same bytes keep them.
///
/// **Names.** A name that was made, moved, linked or removed is so on disk once its directory was
/// synchronised; synchronising the file does not achieve this. Until then each change may independently be
/// lost or kept, except that changes of one name keep their order. A rename is one change: either the old
/// name or the new one leads to the file, never both and never none, and until then the new name leads to
/// whatever it did before. A rename between directories is on disk when either was synchronised. A lost
/// directory takes its contents with it.
///
/// **Syncs** are honest (`fdatasync` as Linux documents it, `F_FULLFSYNC`) as long as they succeed. After a
/// failed sync there is a choice: either its changes are still to be synchronised, or its bytes are
/// forgotten. In the latter case the system considers their pages clean, and no later sync writes them unless
/// they are written again.
///
/// A file keeps its bytes while a name or an open handle leads to it. ``crashStates(_:)`` enumerates what
/// survives, and ``crashState(using:)`` draws from it.
public struct SimulatedDisk: Sendable {
  /// The files by number. A number is never reused, so it can stand for an open handle.
  var files: [File] = []
  /// The names that are on disk.
  var names = DiskNames()
  /// The changes of names since then, in order.
  var nameChanges: [NameChange] = []
  /// The names as programs see them.
  private(set) var seenNames = DiskNames()

  public init() {}

  struct File: Sendable {
    /// The contents on disk.
    var onDisk = Contents()
    /// The changes since then, in order.
    var changes: [Change] = []
    /// The contents as programs see them.
    var seen = Contents()
  }

  struct Contents: Hashable, Sendable {
    var bytes: [UInt8] = []
    var isReadOnly = false
  }

  /// A change of a file.
  struct Change: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
      case write([UInt8], at: Int)
      case length(Int)
      case readOnly
    }

    /// The effect of a sync on the change.
    enum Fate: Hashable, Sendable {
      /// The sync writes the change to disk.
      case pending
      /// None: a sync failed, and the system has considered the change clean since then.
      case forgotten
      /// None: the change is on disk already, on top of changes that were forgotten.
      case certain
    }

    var effect: Effect
    var fate = Fate.pending
  }

  /// A change of names.
  enum NameChange: Hashable, Sendable {
    case put(String, DiskNames.Node)
    case remove(String)
    case move(String, to: String, DiskNames.Node)

    var paths: [String] {
      switch self {
      case .put(let path, _), .remove(let path): [path]
      case .move(let path, let newPath, _): [path, newPath]
      }
    }
  }

  // MARK: Names

  mutating func change(_ change: NameChange) {
    nameChanges.append(change)
    seenNames.apply(change)
  }

  /// Writes to disk the changes of a directory's names, and the changes that they depend on.
  mutating func synchronizeNames(in directory: String) {
    guard !nameChanges.isEmpty else { return }
    var due = nameChanges.map { change in
      change.paths.contains { DiskPath.parent($0) == directory }
    }
    for (index, change) in nameChanges.enumerated().reversed() where due[index] {
      for earlier in 0..<index where nameChanges[earlier].sharesName(with: change) {
        due[earlier] = true
      }
    }
    for (index, change) in nameChanges.enumerated() where due[index] { names.apply(change) }
    nameChanges = zip(nameChanges, due).filter { !$1 }.map { $0.0 }
  }

  // MARK: Files

  /// Adds a file without a name, and returns its number.
  mutating func addFile() -> Int {
    files.append(File())
    return files.count - 1
  }

  mutating func change(_ number: Int, _ effect: Change.Effect) {
    files[number].changes.append(Change(effect: effect))
    files[number].seen.apply(effect)
  }

  mutating func synchronize(_ number: Int) {
    if files[number].changes.contains(where: { $0.fate == .forgotten }) {
      for (index, change) in files[number].changes.enumerated() where change.fate == .pending {
        files[number].changes[index].fate = .certain
      }
    } else if !files[number].changes.isEmpty {
      files[number].onDisk = files[number].seen
      files[number].changes = []
    }
  }

  /// Applies a failed sync after which later ones ignore its bytes.
  mutating func forget(_ number: Int) {
    for (index, change) in files[number].changes.enumerated() where change.fate == .pending {
      if case .write = change.effect { files[number].changes[index].fate = .forgotten }
    }
  }

  /// The number of bytes that files take, as programs see them; a file without a name takes none.
  var usedByteCount: Int {
    Set(seenNames.entries.compactMap(\.node.file)).reduce(0) { $0 + files[$1].seen.bytes.count }
  }

  // MARK: After a crash

  /// Makes the disk found after a crash, on which everything is synchronised.
  init(names: DiskNames, contents: [Contents]) {
    self.names = names
    seenNames = names
    files = contents.map { File(onDisk: $0, seen: $0) }
  }

  /// The disk after synchronising everything.
  public var settled: SimulatedDisk {
    SimulatedDisk(names: seenNames, contents: files.map(\.seen))
  }

  /// The disk without unsynchronised changes.
  public var withoutMemory: SimulatedDisk {
    var names = names
    names.removeOrphans()
    return SimulatedDisk(names: names, contents: files.map(\.certain))
  }

  /// A hash of what programs see on the disk: names, bytes, modes, and which names share a file.
  public var fingerprint: UInt64 {
    var hash = Fingerprint()
    for (index, entry) in seenNames.entries.enumerated() {
      hash.combine(entry.path.utf8)
      guard let number = entry.node.file else { continue }
      let first = seenNames.entries.firstIndex { $0.node.file == number }
      if let first, first < index {
        hash.combine(UInt64(first))
      } else {
        hash.combine(files[number].seen.isReadOnly ? 2 : 1)
        hash.combine(files[number].seen.bytes)
      }
    }
    return hash.value
  }

  /// The paths of all files, ascending, with their bytes as programs see them.
  public var contents: [(path: String, bytes: [UInt8])] {
    seenNames.entries.compactMap { entry in
      entry.node.file.map { (entry.path, files[$0].seen.bytes) }
    }
  }
}

extension SimulatedDisk.NameChange {
  func sharesName(with other: Self) -> Bool { paths.contains { other.paths.contains($0) } }
}

extension SimulatedDisk.Contents {
  mutating func apply(_ effect: SimulatedDisk.Change.Effect) {
    switch effect {
    case .write(let more, let offset):
      grow(to: offset + more.count)
      bytes.replaceSubrange(offset..<offset + more.count, with: more)
    case .length(let count):
      if bytes.count > count { bytes.removeLast(bytes.count - count) } else { grow(to: count) }
    case .readOnly:
      isReadOnly = true
    }
  }

  /// Extends the file with zeros to at least a length.
  mutating func grow(to count: Int) {
    if bytes.count < count {
      bytes.append(contentsOf: [UInt8](repeating: 0, count: count - bytes.count))
    }
  }
}

extension SimulatedDisk {
  /// The disk with one byte of a file damaged, or the file cut off there.
  public func damaging(_ path: String, at offset: Int, isCut: Bool) -> SimulatedDisk {
    var disk = self
    guard let number = disk.seenNames[DiskPath.normal(path)]?.file else { return disk }
    if isCut {
      disk.change(number, .length(offset))
    } else {
      disk.change(number, .write([disk.files[number].seen.bytes[offset] ^ 0xFF], at: offset))
    }
    return disk.settled
  }
}

extension SimulatedDisk: CustomStringConvertible {
  /// The files and their lengths.
  public var description: String {
    contents.map { "\($0.path) (\($0.bytes.count))" }.joined(separator: ", ")
  }
}

/// A disk as a value: what is on it for certain, what only the system's memory holds yet, and what programs
/// see, which is both.
///
/// **Bytes.** A write, a length or a mode is on disk once its file was synchronised. Until then each may be
/// lost or kept, each for itself: a later one may be there where an earlier one is not. A write may also be
/// torn at any byte, with or without the length that it gives the file; bytes of that length that were not
/// written are zeros, or what was there before. What a write does not change is not changed by its loss:
/// sectors that are written over with the same bytes keep them.
///
/// **Names.** A name that was made, moved, linked or removed is so on disk once its directory was
/// synchronised; a file's own sync does not see to it. Until then each change may be lost or kept, each for
/// itself, but changes of one name in their order. A rename is one change: the old name or the new one leads
/// to the file, never both and never none, and what had the new name before has it until then. One from
/// directory to directory is on disk when either was synchronised. A directory that is lost takes with it
/// what is in it.
///
/// **Syncs** are honest (`fdatasync` as Linux documents it, `F_FULLFSYNC`) while they succeed. What one that
/// failed should have put on disk is, by choice, still to be synchronised, or its bytes are forgotten: the
/// system takes their pages for clean, and no later sync puts them there unless they are written again.
///
/// A file keeps its bytes while a name or an open handle leads to it. What survives is enumerated and drawn
/// in ``crashStates(_:)`` and ``crashState(using:)``.
public struct SimulatedDisk: Sendable {
  /// Files by number. A number is never used again, so that it can stand for an open handle.
  var files: [File] = []
  /// The names that are on disk.
  var names = DiskNames()
  /// What was done to names since, in order.
  var nameChanges: [NameChange] = []
  /// The names as programs see them.
  private(set) var seenNames = DiskNames()

  public init() {}

  struct File: Sendable {
    /// What is on disk.
    var onDisk = Contents()
    /// What was done since, in order.
    var changes: [Change] = []
    /// What programs see.
    var seen = Contents()
  }

  struct Contents: Hashable, Sendable {
    var bytes: [UInt8] = []
    var isReadOnly = false
  }

  /// Something that was done to a file.
  struct Change: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
      case write([UInt8], at: Int)
      case length(Int)
      case readOnly
    }

    /// What a sync would do about it.
    enum Fate: Hashable, Sendable {
      /// Put it on disk.
      case pending
      /// Nothing: a sync failed, and the system has taken it for clean since.
      case forgotten
      /// Nothing: it is there, on top of changes that were forgotten.
      case certain
    }

    var effect: Effect
    var fate = Fate.pending
  }

  /// Something that was done to names.
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

  /// Puts on disk what was done to a directory's names, and what that rests on.
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

  /// Adds a file that has no name yet, and returns its number.
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

  /// A sync failed, and later ones do nothing about the bytes that it was to put on disk.
  mutating func forget(_ number: Int) {
    for (index, change) in files[number].changes.enumerated() where change.fate == .pending {
      if case .write = change.effect { files[number].changes[index].fate = .forgotten }
    }
  }

  /// The bytes that files take, as programs see them; a file without a name takes none.
  var usedByteCount: Int {
    Set(seenNames.entries.compactMap(\.node.file)).reduce(0) { $0 + files[$1].seen.bytes.count }
  }

  // MARK: Settled

  /// Makes the disk that is found after a crash: all of it is on disk.
  init(names: DiskNames, contents: [Contents]) {
    self.names = names
    seenNames = names
    files = contents.map { File(onDisk: $0, seen: $0) }
  }

  /// The disk after everything on it was synchronised.
  public var settled: SimulatedDisk {
    SimulatedDisk(names: seenNames, contents: files.map(\.seen))
  }

  /// The disk without anything that was not synchronised.
  public var withoutMemory: SimulatedDisk {
    var names = names
    names.removeOrphans()
    return SimulatedDisk(names: names, contents: files.map(\.certain))
  }

  /// Tells disks apart by what programs see on them: names, bytes, modes, and which names share a file.
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

  /// The paths of all files, ascending, with their bytes, as programs see them.
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

  /// Sees to it that the file has at least that length, with zeros.
  mutating func grow(to count: Int) {
    if bytes.count < count {
      bytes.append(contentsOf: [UInt8](repeating: 0, count: count - bytes.count))
    }
  }
}

extension SimulatedDisk {
  /// The disk with a file's end or one of its bytes lost.
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
  /// The files, and how long they are.
  public var description: String {
    contents.map { "\($0.path) (\($0.bytes.count))" }.joined(separator: ", ")
  }
}

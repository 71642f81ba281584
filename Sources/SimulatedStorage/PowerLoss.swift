/// A possible state of the disk after a power loss.
public struct CrashState: Sendable {
  /// The disk.
  public let disk: SimulatedDisk
  /// Whether a bit of an unsynchronised write differs from what was written. If no checksum covers that byte,
  /// such a write may look complete.
  public let isCorrupted: Bool

  /// Makes one.
  public init(disk: SimulatedDisk, isCorrupted: Bool) {
    self.disk = disk
    self.isCorrupted = isCorrupted
  }
}

extension SimulatedDisk {
  /// How finely writes are torn in the enumerated disks.
  public enum Tearing: Sendable {
    /// Writes are torn in the middle.
    case coarse
    /// In addition, each write is torn at every byte, with the other files at their newest and at their
    /// oldest state.
    case everyByte
  }

  /// Every state of the disk that a power loss at this moment may leave, without duplicates.
  ///
  /// These are all subsets of the unsynchronised changes, with tears. If there would be thousands, they are
  /// the prefixes, each change alone, and all changes but one.
  public func crashStates(_ tearing: Tearing) -> [CrashState] {
    var found = CrashStateSet()
    let settled = files.map(\.certain)
    for names in nameOutcomes {
      let changed = Set(names.entries.compactMap(\.node.file)).sorted()
        .filter { !files[$0].changes.isEmpty }
      // Changes of mode alone are independent of each other, so they are all kept or all lost.
      let unsettled = changed.filter { number in
        files[number].changes.contains { $0.effect != .readOnly }
      }
      var worlds = [DiskContents(contents: settled)]
      if unsettled.count < changed.count {
        worlds.append(
          changed.filter { !unsettled.contains($0) }
            .reduce(worlds[0]) { $0.with(files[$1].seen, at: $1) })
      }
      for number in unsettled {
        var outcomes = files[number].outcomes
        if worlds.count * outcomes.count > 2000 { outcomes = files[number].extremes }
        worlds = worlds.flatMap { world in outcomes.map { world.with($0, at: number) } }
      }
      for world in worlds { found.insert(world, names) }
      guard tearing == .everyByte else { continue }
      for number in unsettled {
        for torn in files[number].tornOutcomes(Tear.fine) {
          var new = files.map(\.seen)
          new[number] = torn.contents
          var old = settled
          old[number] = torn.contents
          found.insert(DiskContents(contents: new, isCorrupted: torn.isCorrupted), names)
          found.insert(DiskContents(contents: old, isCorrupted: torn.isCorrupted), names)
        }
      }
    }
    return found.all
  }

  /// A random state of the disk that a power loss at this moment may leave.
  public func crashState(using random: inout some RandomNumberGenerator) -> CrashState {
    let share = UInt8.random(in: 0...4, using: &random)
    var kept = nameChanges.map { _ in UInt8.random(in: 0..<4, using: &random) < share }
    for (index, change) in nameChanges.enumerated() where kept[index] {
      kept[index] = !(0..<index).contains { !kept[$0] && nameChanges[$0].sharesName(with: change) }
    }
    var world = DiskContents(contents: [])
    for file in files {
      var contents = file.onDisk
      for change in file.changes {
        if case .write(let bytes, let offset) = change.effect, change.fate != .certain {
          let tear = Tear.random(bytes.count, using: &random)
          contents.apply(bytes, at: offset, tear)
          world.isCorrupted = world.isCorrupted || tear.isCorruption
        } else if change.fate == .certain || Bool.random(using: &random) {
          contents.apply(change.effect)
        }
      }
      world.contents.append(contents)
    }
    var found = CrashStateSet()
    found.insert(world, namesKeeping { kept[$0] })
    return found.all[0]
  }

  /// The disk as other programs see it during the write after `previous`. They see the first bytes only, with the old
  /// length or with the full one. Empty when the change was not a write.
  public func midway(from previous: SimulatedDisk) -> [SimulatedDisk] {
    for (number, file) in files.enumerated() where number < previous.files.count {
      guard file.changes.count == previous.files[number].changes.count + 1,
        case .write(let bytes, let offset) = file.changes.last?.effect
      else { continue }
      return [1, bytes.count / 2, bytes.count - 1].flatMap { count in
        var short = previous
        short.change(number, .write(Array(bytes.prefix(count)), at: offset))
        var long = previous
        let length = max(offset + bytes.count, previous.files[number].seen.bytes.count)
        long.change(number, .length(length))
        long.change(number, .write(Array(bytes.prefix(count)), at: offset))
        return [short, long]
      }
    }
    return []
  }

  // MARK: Names

  /// The possible states of the names: every subset of the changes in which no change is kept without the
  /// earlier ones of the same name.
  private var nameOutcomes: [DiskNames] {
    let count = nameChanges.count
    var masks: [Int] = []
    if count <= 8 {
      masks = Array(0..<1 << count)
    } else {
      precondition(count < 63, "so many names are never left without a sync")
      for index in 0...count { masks.append((1 << index) - 1) }
      for index in 0..<count { masks += [1 << index, (1 << count) - 1 - (1 << index)] }
    }
    return masks.filter { mask in
      nameChanges.indices.allSatisfy { later in
        mask >> later & 1 == 0
          || (0..<later).allSatisfy { earlier in
            mask >> earlier & 1 == 1
              || !nameChanges[earlier].sharesName(with: nameChanges[later])
          }
      }
    }.map { mask in namesKeeping { mask >> $0 & 1 == 1 } }
  }

  private func namesKeeping(_ isKept: (Int) -> Bool) -> DiskNames {
    var names = names
    for (index, change) in nameChanges.enumerated() where isKept(index) { names.apply(change) }
    if !nameChanges.isEmpty { names.removeOrphans() }
    return names
  }
}

/// The contents of all files, while an outcome is assembled.
private struct DiskContents {
  var contents: [SimulatedDisk.Contents]
  var isCorrupted = false

  func with(_ contents: SimulatedDisk.Contents, at number: Int) -> DiskContents {
    var world = self
    world.contents[number] = contents
    return world
  }
}

/// A set of disks without duplicates.
private struct CrashStateSet {
  private(set) var all: [CrashState] = []
  private var seen: Set<UInt64> = []

  mutating func insert(_ world: DiskContents, _ names: DiskNames) {
    var contents = world.contents
    // A file without a name is gone.
    let named = names.entries.compactMap(\.node.file)
    for number in contents.indices where !named.contains(number) { contents[number] = .init() }
    let disk = SimulatedDisk(names: names, contents: contents)
    guard seen.insert(disk.fingerprint).inserted else { return }
    all.append(CrashState(disk: disk, isCorrupted: world.isCorrupted))
  }
}

extension SimulatedDisk.File {
  /// The contents that are on disk in every case.
  var certain: SimulatedDisk.Contents { changes.isEmpty ? onDisk : keeping { _ in false } }

  /// The possible contents of the file: any of its changes may be lost. If there are few changes, each may
  /// also be torn in several ways; if there are many, one at a time.
  fileprivate var outcomes: [SimulatedDisk.Contents] {
    if changes.count > 6 { return extremes + torn(Tear.coarse) }
    var outcomes = [onDisk]
    for change in changes {
      var tears: [Tear] = [.lost, .whole]
      if change.fate == .certain {
        tears = [.whole]
      } else if changes.count <= 2, case .write(let bytes, _) = change.effect {
        tears = Tear.coarse(bytes.count)
      }
      outcomes = tears.flatMap { tear in outcomes.map { $0.applying(change.effect, tear) } }.once
    }
    return changes.count <= 2 ? outcomes : (outcomes + torn(Tear.coarse)).once
  }

  /// Prefixes of the changes, each change alone, and all changes but one.
  fileprivate var extremes: [SimulatedDisk.Contents] {
    (0...changes.count).flatMap { index in
      [keeping { $0 < index }, keeping { $0 == index }, keeping { $0 != index }]
    }.once
  }

  private func torn(_ tears: (Int) -> [Tear]) -> [SimulatedDisk.Contents] {
    tornOutcomes(tears).map(\.contents)
  }

  /// The possible contents when one write is torn in every way, with the earlier writes kept, and the later
  /// ones kept or lost.
  fileprivate func tornOutcomes(
    _ tears: (Int) -> [Tear]
  ) -> [(contents: SimulatedDisk.Contents, isCorrupted: Bool)] {
    changes.indices.flatMap { index -> [(contents: SimulatedDisk.Contents, isCorrupted: Bool)] in
      guard case .write(let bytes, _) = changes[index].effect, changes[index].fate != .certain
      else { return [] }
      return tears(bytes.count).flatMap { tear in
        let lost = keeping(tearing: index, tear) { $0 < index }
        let kept = keeping(tearing: index, tear) { _ in true }
        return [(lost, tear.isCorruption), (kept, tear.isCorruption)]
      }
    }
  }

  private func keeping(
    tearing torn: Int? = nil, _ tear: Tear = .whole, _ isKept: (Int) -> Bool
  ) -> SimulatedDisk.Contents {
    var contents = onDisk
    for (index, change) in changes.enumerated() {
      if index == torn {
        contents = contents.applying(change.effect, tear)
      } else if isKept(index) || change.fate == .certain {
        contents = contents.applying(change.effect, .whole)
      }
    }
    return contents
  }
}

extension SimulatedDisk.Contents {
  fileprivate func applying(_ effect: SimulatedDisk.Change.Effect, _ tear: Tear) -> Self {
    var contents = self
    if case .write(let bytes, let offset) = effect {
      contents.apply(bytes, at: offset, tear)
    } else if tear != .lost {
      contents.apply(effect)
    }
    return contents
  }
}

extension [SimulatedDisk.Contents] {
  /// The elements without duplicates, in the order of their first occurrence.
  fileprivate var once: Self {
    var seen: Set<SimulatedDisk.Contents> = []
    return filter { seen.insert($0).inserted }
  }
}

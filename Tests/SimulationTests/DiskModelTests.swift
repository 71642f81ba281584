import Journal
import SimulatedStorage
import Testing

/// The data that the simulated disk may lose, and the data it must keep.
@Suite(.tags(.damage)) struct DiskModelTests {
  /// The disk after `body` has worked in the directory `d`, whose creation is synchronised.
  private func disk(
    _ behaviour: SimulatedStorage.Behaviour = .init(),
    _ body: (SimulatedStorage) throws -> Void
  ) throws -> SimulatedDisk {
    let storage = SimulatedStorage(SimulatedDisk(), behaviour)
    try storage.createDirectory("d")
    try body(storage)
    return storage.disk
  }

  /// The possible contents of the directory's files after a power failure, one line each.
  private func found(
    _ disk: SimulatedDisk, _ tearing: SimulatedDisk.Tearing = .coarse
  ) -> Set<String> {
    Set(
      disk.crashStates(tearing).map { crashState in
        crashState.disk.contents.map { path, bytes in
          "\(path.dropFirst(2)) " + bytes.map { String($0) }.joined(separator: " ")
        }.joined(separator: ", ")
      })
  }

  @Test func `synchronised bytes survive, under synchronised names`() throws {
    let disk = try disk { storage in
      let file = try storage.open("d/f", .create)
      try file.write([1, 2], at: 0)
      try file.synchronize()
      try storage.synchronizeDirectory("d")
    }
    #expect(found(disk, .everyByte) == ["f 1 2"])
  }

  @Test func `a file's sync does not keep its name, and a directory's not the bytes`() throws {
    let nameless = try disk { storage in
      let file = try storage.open("d/f", .create)
      try file.write([1], at: 0)
      try file.synchronize()
    }
    #expect(found(nameless) == ["", "f 1"])
    let empty = try disk { storage in
      try storage.open("d/f", .create).write([1], at: 0)
      try storage.synchronizeDirectory("d")
    }
    // The write may be whole, lost, or only a longer file, with zeros or with what the disk held before.
    #expect(found(empty) == ["f 1", "f ", "f 0", "f 165"])
  }

  @Test func `a write may be torn at every byte, with and without its length`() throws {
    let disk = try disk { storage in
      let file = try storage.open("d/f", .create)
      try file.write([9], at: 0)
      try file.synchronize()
      try storage.synchronizeDirectory("d")
      try file.write([1, 2, 3], at: 1)
    }
    let torn = found(disk, .everyByte)
    #expect(
      torn.isSuperset(of: [
        "f 9", "f 9 1", "f 9 1 2", "f 9 1 2 3", "f 9 0 0 0", "f 9 1 0 0", "f 9 1 2 0", "f 9 0 2 3",
        "f 9 0 0 3",
      ]))
    #expect(torn.allSatisfy { $0.hasPrefix("f 9") })
    // Flipping the last bit of the first byte gives bytes that a tear already gave, so that case is not listed.
    let flipped = disk.crashStates(.everyByte).filter(\.isCorrupted)
    #expect(flipped.map { $0.disk.contents[0].bytes } == [[9, 1, 0, 3], [9, 1, 2, 7]])
  }

  @Test func `a later write may survive without an earlier one`() throws {
    let disk = try disk { storage in
      let file = try storage.open("d/f", .create)
      try storage.synchronizeDirectory("d")
      try file.write([1], at: 0)
      try file.write([2], at: 1)
      try file.truncate(to: 1)
    }
    #expect(found(disk).isSuperset(of: ["f 0 2", "f 1", "f ", "f 1 2", "f 0"]))
  }

  @Test func `overwriting with the same bytes keeps them`() throws {
    let disk = try disk { storage in
      let file = try storage.open("d/f", .create)
      try file.write([1, 2, 3], at: 0)
      try file.synchronize()
      try storage.synchronizeDirectory("d")
      try file.write([2, 3], at: 1)
    }
    #expect(found(disk, .everyByte) == ["f 1 2 3"])
  }

  @Test
  func `a rename shows the old name or the new one, and its target survives until then`()
    throws
  {
    let disk = try disk { storage in
      for (name, byte) in [("a", 1), ("b", 2)] as [(String, UInt8)] {
        let file = try storage.open("d/\(name)", .create)
        try file.write([byte], at: 0)
        try file.synchronize()
      }
      try storage.synchronizeDirectory("d")
      try storage.rename("d/a", to: "d/b")
    }
    #expect(found(disk) == ["a 1, b 2", "b 1"])
    #expect(found(disk.settled) == ["b 1"])
  }

  @Test func `changes of one name keep their order, and those of others do not`() throws {
    let disk = try disk { storage in
      _ = try storage.open("d/a.new", .create)
      try storage.rename("d/a.new", to: "d/a")
      _ = try storage.open("d/b", .create)
      try storage.remove("d/b")
    }
    #expect(found(disk) == ["", "a.new ", "a ", "b ", "a.new , b ", "a , b "])
  }

  @Test func `a hard link leads to the same bytes, whichever name is lost`() throws {
    let disk = try disk { storage in
      let file = try storage.open("d/a", .create)
      try storage.synchronizeDirectory("d")
      try storage.link("d/a", to: "d/b")
      try storage.remove("d/a")
      try file.write([1], at: 0)
      try file.synchronize()
    }
    #expect(found(disk) == ["a 1", "a 1, b 1", "b 1", ""])
  }

  @Test func `a lost directory takes its contents with it`() throws {
    let storage = SimulatedStorage(SimulatedDisk(), .init(faults: [1: .inputOutput]))
    #expect(throws: StorageError.self) { try storage.createDirectory("d") }
    try storage.createDirectory("d/e")
    _ = try storage.open("d/e/f", .create)
    try storage.synchronizeDirectory("d/e")
    // The directory that holds `d` was never synchronised: the first attempt failed.
    #expect(found(storage.disk) == ["", "e/f "])
    try storage.synchronizeDirectory("")
    #expect(found(storage.disk) == ["e/f "])
  }

  @Test(arguments: [true, false])
  func `after a failed sync a later one keeps the bytes only if the disk remembers them`(
    forgets: Bool
  ) throws {
    var behaviour = SimulatedStorage.Behaviour(faults: [4: .inputOutput])
    behaviour.failedSyncForgets = forgets
    let disk = try disk(behaviour) { storage in
      let file = try storage.open("d/f", .create)
      try file.write([1], at: 0)
      #expect(throws: StorageError.self) { try file.synchronize() }
      try storage.synchronizeDirectory("d")
      try file.write([2], at: 1)
      try file.synchronize()
      var bytes: [UInt8] = []
      try file.read(9, at: 0, appendingTo: &bytes)
      #expect(bytes == [1, 2])
    }
    #expect(found(disk) == (forgets ? ["f 1 2", "f 0 2", "f 165 2"] : ["f 1 2"]))
    #expect(disk.withoutMemory.contents[0].bytes == (forgets ? [0, 2] : [1, 2]))
  }

  @Test func `a full disk takes what fits, and more after a removal`() throws {
    let storage = SimulatedStorage()
    let file = try storage.open("f", .create)
    try storage.open("g", .create).write([1, 2, 3], at: 0)
    storage.limitRoom(to: 2)
    let error = #expect(throws: StorageError.self) { try file.write([1, 2, 3], at: 0) }
    #expect(error?.reason == .full)
    #expect(try file.byteCount() == 2)
    #expect(throws: StorageError.self) { _ = try storage.open("h", .create) }
    // Existing bytes can be overwritten.
    try file.write([7], at: 0)
    try storage.remove("g")
    try file.write([1, 2, 3], at: 0)
    #expect(try file.byteCount() == 3)
  }

  @Test func `disks are compared by names, bytes and links, not by their history`()
    throws
  {
    func make(_ body: (SimulatedStorage) throws -> Void) throws -> UInt64 {
      try disk(.init(), body).fingerprint
    }
    let one = try make { try $0.open("d/a", .create).write([1], at: 0) }
    let same = try make { storage in
      _ = try storage.open("d/x", .create)
      try storage.remove("d/x")
      let file = try storage.open("d/b", .create)
      try file.write([1, 2], at: 0)
      try file.truncate(to: 1)
      try storage.rename("d/b", to: "d/a")
    }
    let linked = try make { storage in
      try storage.open("d/a", .create).write([1], at: 0)
      try storage.link("d/a", to: "d/b")
    }
    let copied = try make { storage in
      try storage.open("d/a", .create).write([1], at: 0)
      try storage.open("d/b", .create).write([1], at: 0)
    }
    let locked = try make { storage in
      try storage.open("d/a", .create).write([1], at: 0)
      try storage.makeReadOnly("d/a")
    }
    #expect(one == same)
    #expect(Set([one, linked, copied, locked]).count == 4)
  }
}

import Archives
import PropertyTesting
import Testing

/// ZIP and gzip files: the supported ones are read, the others refused, and none traps.
@Suite(.tags(.unit)) struct ArchiveTests {
  @Test func `stored and compressed files are read, and the one file of a gzip file`() throws {
    let archive = try ZipArchive(Samples.zip)
    #expect(archive.names == ["a/one.txt", "two.txt", "empty"])
    let files = try archive.files { $0 != "empty" }
    #expect(files.map { String(decoding: $0.bytes, as: UTF8.self) } == [Samples.text, "stored"])
    #expect(try archive.files { $0 == "empty" }.map(\.bytes) == [[]])
    let text = try GzipFile.content(of: Samples.gzip, atMost: 10_000)
    #expect(String(decoding: text, as: UTF8.self) == Samples.text)
  }

  @Test func `an archive is refused when its content is larger than the limits`() throws {
    let count = Samples.text.utf8.count
    #expect(throws: Never.self) { try GzipFile.content(of: Samples.gzip, atMost: count) }
    #expect(throws: ArchiveError.tooLarge(maximum: count - 1)) {
      try GzipFile.content(of: Samples.gzip, atMost: count - 1)
    }
    func files(_ limits: ArchiveLimits) throws -> Int {
      try ZipArchive(Samples.zip, limits: limits).files { _ in true }.count
    }
    let exact = ArchiveLimits(fileCount: 4, fileByteCount: count, byteCount: count + 6)
    #expect(try files(exact) == 3)
    var less = exact
    less.fileCount = 3
    #expect(throws: ArchiveError.tooManyFiles(maximum: 3)) { try files(less) }
    less = exact
    less.fileByteCount = count - 1
    #expect(throws: ArchiveError.tooLarge(maximum: count - 1)) { try files(less) }
    less = exact
    less.byteCount = count + 5
    #expect(throws: ArchiveError.tooLarge(maximum: 5)) { try files(less) }
  }

  @Test func `an archive cut anywhere is refused`() throws {
    for count in Samples.zip.indices {
      #expect(throws: ArchiveError.self, "\(count)") {
        _ = try ZipArchive(Array(Samples.zip[..<count])).files { _ in true }
      }
    }
    for count in Samples.gzip.indices {
      #expect(throws: ArchiveError.self, "\(count)") {
        try GzipFile.content(of: Array(Samples.gzip[..<count]), atMost: 10_000)
      }
    }
  }

  @Test func `an archive changed anywhere is refused, or yields a subset of its files`() throws {
    let texts = Set(try ZipArchive(Samples.zip).files { _ in true }.map(\.bytes))
    for place in Samples.zip.indices {
      for bit in 0..<8 {
        var bytes = Samples.zip
        bytes[place] ^= 1 << bit
        guard let files = try? ZipArchive(bytes).files(where: { _ in true }) else { continue }
        #expect(texts.isSuperset(of: files.map(\.bytes)), "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test func `fake compressed bytes never trap`() throws {
    let limits = ArchiveLimits(fileCount: 10, fileByteCount: 4096, byteCount: 4096)
    var random = SeededRandom(state: 15)
    for _ in 0..<20_000 {
      let tail = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      _ = try? GzipFile.content(
        of: [0x1F, 0x8B, 8, UInt8.random(in: 0...31, using: &random), 0, 0, 0, 0, 0, 3] + tail,
        atMost: 4096)
      var bytes = Samples.zip
      for byte in tail.prefix(4) {
        bytes[Int.random(in: bytes.indices, using: &random)] = byte
      }
      _ = try? ZipArchive(bytes, limits: limits).files { _ in true }
    }
  }

  @Test func `duplicate names, encrypted files and other formats are refused`() {
    var twice = Samples.zip
    twice.replace(Array("two.txt".utf8), with: Array("a/o.txt".utf8))
    #expect(throws: Never.self) { try ZipArchive(twice) }
    twice.replace(Array("empty".utf8), with: Array("emp/y".utf8))
    #expect(throws: ArchiveError.self) { try ZipArchive(Array("PK, or so".utf8)) }
    #expect(throws: ArchiveError.self) { try ZipArchive([]) }
    #expect(throws: ArchiveError.self) { try GzipFile.content(of: [], atMost: 10) }
  }
}

extension [UInt8] {
  /// Replaces each of some byte sequences by another of the same length.
  fileprivate mutating func replace(_ old: [UInt8], with new: [UInt8]) {
    for place in 0..<(count - old.count + 1)
    where Array(self[place..<place + old.count]) == old {
      replaceSubrange(place..<place + old.count, with: new)
    }
  }
}

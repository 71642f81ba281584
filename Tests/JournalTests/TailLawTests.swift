import PropertyTesting
import Testing

@testable import Journal

/// Any history of a journal, followed from several places at irregular times.
@Suite(.tags(.law), .temporaryDirectory, .timeLimit(.minutes(60))) struct TailLawTests {
  enum Step {
    case append(Commit)
    /// Several commits that are published at once.
    case publish([Commit])
    /// Bytes of a commit that is being written, or that a crash leaves.
    case torn(Int)
    case seal
    /// A new segment starts, without entries yet.
    case closeSegment
    case close
    case reopen(isOther: Bool)
    /// Another tail starts here.
    case follow(from: Int64)
    /// A tail reads on, for this many blocks at most.
    case read(tail: Int, blocks: Int)
  }

  static let histories = Generator { source in
    let commit = Generator<String>.unicode(count: 0...8).map { Note($0) }.array(count: 1...5)
    return try source.draw(
      Generator<Step>.frequency(
        (12, commit.map { .append($0) }),
        (2, commit.array(count: 1...4).map { .publish($0) }),
        (2, Generator<Int>.integer(in: 1...20).map { .torn($0) }),
        (2, .constant(.seal)), (2, .constant(.closeSegment)), (1, .constant(.close)),
        (2, Generator<Bool>.bool(probability: 0.3).map { .reopen(isOther: $0) }),
        (3, Generator<Int64>.integer(in: 0...50).map { .follow(from: $0) }),
        (
          8,
          Generator.zip(Generator<Int>.integer(in: 0...5), Generator<Int>.integer(in: 1...9)).map {
            .read(tail: $0, blocks: $1)
          }
        )
      ).array(count: 0...50))
  }

  @Test(arguments: Disk.allCases)
  func `a tail gives every entry from its start once, in order`(disk: Disk) {
    var number = 0
    let runs = Generator.zip(Self.histories, Generator<Int>.element(of: [1, 170, 400, 1 << 20]))
    let report = check(
      "tails", runs, cases: disk == .file ? 4 : 50, shrinkLimit: 400
    ) { (run: ([Step], Int), statistics) in
      let (history, segmentByteCount) = run
      let (storage, directory) = disk.make()
      number += 1
      var world = try World(
        Journal(directory: "\(directory)-\(number)", storage: storage), segmentByteCount)
      for step in history { try world.play(step) }
      try world.finish()
      statistics.cover("rolled over under a tail", atLeast: 30, world.hasCrossed)
      statistics.cover("a torn tail was met", atLeast: 15, world.hasMetTorn)
    }
    #expect(report.passed, "\(report)")
  }

  /// A journal with its tails, and the notes that each must have given.
  private struct World {
    let journal: Journal
    let segmentByteCount: Int
    private var schemaText = Note.schemaText
    private var writer: JournalWriter?
    private var model: [Note] = []
    private var followers: [Follower] = []
    private(set) var hasCrossed = false
    private(set) var hasMetTorn = false
    private var isTorn = false

    /// A tail with a start, and the notes that it gave.
    private final class Follower {
      let start: Int64
      var tail: JournalTail
      var notes: [Note] = []
      var segments: Set<SegmentName> = []

      /// Everything available now.
      func all() throws -> [Note] {
        while try step() {}
        return notes
      }

      init(_ journal: Journal, from start: Int64) throws {
        self.start = start
        tail = try JournalTail(journal, from: Position(start))
      }

      /// Returns whether there was a block.
      func step(until end: Position? = nil) throws -> Bool {
        guard try tail.step(until: end) else { return false }
        try tail.withBlock { header, block throws(JournalError) in
          var position = block.first.number
          segments.insert(SegmentName(first: header.first))
          for note in try Note.notes(in: block) {
            if position >= start { notes.append(note) }
            position += 1
          }
        }
        return true
      }
    }

    init(_ journal: Journal, _ segmentByteCount: Int) throws {
      self.journal = journal
      self.segmentByteCount = segmentByteCount
      try journal.create()
      try open()
      followers = [try Follower(journal, from: 0)]
    }

    private mutating func open() throws {
      isTorn = false
      writer = nil
      writer = try journal.open(schemaText: schemaText, segmentByteCount: segmentByteCount).writer
    }

    mutating func play(_ step: Step) throws {
      switch step {
      case .append(let commit):
        if isTorn { try open() }
        guard let writer else { return }
        try writer.append(commit)
        model += commit
      case .publish(let commits):
        if isTorn { try open() }
        guard let writer else { return }
        for commit in commits {
          try writer.write(commit)
          model += commit
        }
        // Unpublished commits are invisible; a full segment is published when the next one starts.
        let seen = try Follower(journal, from: 0).all()
        try expectEqual(seen, Array(model.prefix(Int(writer.head.number))))
        try writer.publish()
      case .torn(let count): try tear(count)
      case .seal:
        guard let writer else { return }
        var sealer = SegmentSealer(journal, lock: writer.lock, blockByteCount: 60, level: 1)
        while try sealer.sealNext(before: writer.segment) != nil {}
      case .closeSegment:
        if isTorn { try open() }
        try writer?.closeSegment()
      case .close:
        writer = nil
      case .reopen(let isOther):
        if isOther { schemaText = Note.schemaText.replacing("Note", with: "Line") }
        try open()
      case .follow(let start):
        if followers.count < 6 { followers.append(try Follower(journal, from: start)) }
      case .read(let index, let blocks):
        let follower = followers[index % followers.count]
        var count = 0
        while count < blocks, try follower.step() { count += 1 }
        if isTorn, count < blocks { hasMetTorn = true }
        try check()
      }
    }

    /// Bytes that are not a block appear at the journal's end, and stay until a writer opens it.
    private mutating func tear(_ count: Int) throws {
      guard let last = try journal.segments().last, try journal.header(of: last).seal == nil else {
        return
      }
      writer = nil
      let file = try journal.storage.open(journal.path(of: last), .readWrite)
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 2) }
      try file.write(bytes, at: try file.byteCount())
      isTorn = true
    }

    /// Checks that every tail has given a prefix of the entries from its start.
    private func check() throws {
      for follower in followers {
        let expected = model.dropFirst(Int(max(0, follower.start - 1)))
        try expectEqual(follower.notes, Array(expected.prefix(follower.notes.count)))
      }
    }

    mutating func finish() throws {
      if isTorn { try open() }
      for follower in followers {
        _ = try follower.all()
        let expected = Array(model.dropFirst(Int(max(0, follower.start - 1))))
        try expectEqual(follower.notes, expected)
        if follower.segments.count > 1 { hasCrossed = true }
      }
    }
  }
}

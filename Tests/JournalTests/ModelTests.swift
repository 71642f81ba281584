import Journal
import PropertyTesting
import Testing

/// The journal against an array of commits.
@Suite(.tags(.law), .temporaryDirectory) struct ModelTests {
  enum Step {
    case append(Commit)
    case reopen
    case read(from: Int64)
  }

  static let commits = Generator<String>.unicode(count: 0...10).map { Note($0) }
    .array(count: 1...6)

  static let histories = Generator { source in
    let commit = commits
    return try source.draw(
      Generator<Step>.frequency(
        (6, commit.map { .append($0) }), (1, .constant(.reopen)),
        (2, Generator<Int64>.integer(in: 0...60).map { .read(from: $0) })
      ).array(count: 0...25))
  }

  @Test(arguments: Disk.allCases)
  func `a journal behaves like an array of commits (ES-1)`(disk: Disk) {
    var number = 0
    let runs = Generator.zip(
      Self.histories, Generator<Int>.element(of: [1, 300, 400, 600, 1 << 20]))
    let report = check(
      "a journal is an array", runs, cases: disk == .file ? 2 : 20, shrinkLimit: 300
    ) { history, segmentByteCount in
      let (storage, directory) = disk.make()
      number += 1
      let journal = Journal(directory: "\(directory)-\(number)", storage: storage)
      try Self.run(history, segmentByteCount, on: journal)
    }
    #expect(report.passed, "\(report)")
  }

  private static func run(
    _ history: [Step], _ segmentByteCount: Int, on journal: Journal
  ) throws {
    try journal.create()
    var writer: JournalWriter? = try journal.open(segmentByteCount: segmentByteCount).writer
    var model: [Commit] = []
    for step in history {
      switch step {
      case .append(let commit):
        let first = try writer?.append(commit)
        try expectEqual(first?.number, Int64(model.joined().count + 1))
        model.append(commit)
      case .reopen:
        writer = nil
        let opened = try journal.open(segmentByteCount: segmentByteCount)
        try expectEqual(opened.commits, model)
        writer = opened.writer
      case .read(let start):
        var last: Int64 = 0
        let expected = model.filter { commit in
          last += Int64(commit.count)
          return last >= start
        }
        try expectEqual(try journal.commits(from: Position(start)), expected)
      }
      try expectEqual(writer?.head.number, Int64(model.joined().count))
    }
    try expectEqual(try journal.commits(), model)
    for segment in try journal.segments() {
      let starts = model.indices.map { model[..<$0].joined().count + 1 }
      try expect(starts.contains(Int(segment.first.number)) || model.isEmpty)
    }
  }
}

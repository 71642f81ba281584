import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every byte of the book, and that it still contains a head noted earlier.",
    discussion: """
      A head, POSITION:DIGEST, is a digest of everything recorded up to a position. Keep the one \
      that verify prints somewhere else: with --head it proves later that nothing before it was \
      changed or cut off, except for erasures, which verify lists. Exit codes: 0 whole, 3 \
      damaged, 1 a head is not contained.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions

  @Option(help: "A head that was noted earlier, POSITION:DIGEST.")
  var head: String?

  @Option(help: "A file of heads that were noted earlier, one on a line; # begins a comment.")
  var heads: String?

  @Flag(
    help: "Also replay the entries, and compare them with everything that is derived from them.")
  var deep = false

  func run() throws {
    let expected = try head.map { text in
      guard let head = Head(text) else {
        throw ValidationError(
          "--head: \"\(text)\" is not a head such as verify prints, POSITION:DIGEST")
      }
      return head
    }
    let listed = try heads.map { try HeadList.read($0) }
    let wanted = (expected.map { [$0] } ?? []) + (listed ?? [])
    let reader = options.reader
    let book = try ProgressBar.during("Verifying") {
      try reader.verify(expecting: wanted, progress: $0)
    }
    let found = book.journal
    // Damaged entries cannot be replayed, and are already reported.
    let complaints = deep && found.isWhole ? try options.reader.verifyDeeply() : []
    if options.json {
      Output.line(book.json(expected, listed, complaints).encoded)
    } else {
      print(book, wanted, complaints)
    }
    guard found.isWhole, complaints.isEmpty else { throw ExitCode(3) }
    guard found.proofs.values.allSatisfy({ $0 == .contained }) else { throw ExitCode(1) }
  }

  private func print(_ book: BookVerification, _ expected: [Head], _ complaints: [String]) {
    let found = book.journal
    for damage in found.damages { Output.line(damage.description) }
    for complaint in complaints { Output.line(complaint) }
    let segments = found.segmentCount.counted("segment")
    let contents =
      "\(Int(found.entryCount).counted("entry", "entries")) in \(segments) (\(found.sealedCount) sealed),"
      + " \(found.byteCount.counted("byte"))"
    if !found.isWhole {
      Output.line("The book is damaged; these parts are whole: \(contents).")
    } else if complaints.isEmpty {
      Output.line("The book is whole: \(contents).")
    } else {
      Output.line("The journal is whole (\(contents)), but what is derived from it is wrong.")
    }
    if let torn = found.torn { Output.line("\(torn) The next entry cuts them off.") }
    if let head = found.head {
      let what = found.isWhole ? "Head" : "Head before the damage"
      Output.line("\(what): \(head)")
    }
    for head in expected {
      if let proof = found.proofs[head] { Output.line(proof.description(of: head)) }
    }
    for erasure in book.erasures { Output.line(erasure.description) }
    if !found.oldSegments.isEmpty {
      let names = found.oldSegments.map(\.fileName).joined(separator: ", ")
      Output.line(
        "Of format 1, and proven by the rule of that format, which trusts lists of erased "
          + "entries: \(names)."
      )
    }
    if !found.isWhole {
      Output.line(
        "Next: restore the damaged or missing files from a backup and verify again; or `daybook "
          + "salvage DIR --book \(options.path)` makes a new book from everything that is whole, "
          + "which may be more than this."
      )
    } else if !complaints.isEmpty {
      Output.line("Next: remove what is derived (the entries are whole), and verify again.")
    }
  }
}

extension BookVerification {
  /// The report as JSON.
  fileprivate func json(_ expected: Head?, _ listed: [Head]?, _ complaints: [String]) -> JSON {
    let found = journal
    var members: [JSON.Member] = [
      .init("whole", .bool(found.isWhole && complaints.isEmpty)),
      .init("book", found.book.map { .string($0) } ?? .null),
      .init("segments", .number(Int64(found.segmentCount))),
      .init("sealed", .number(Int64(found.sealedCount))),
      .init("entries", .number(found.entryCount)), .init("bytes", .number(Int64(found.byteCount))),
      .init("head", found.head.map { .string($0.description) } ?? .null),
      .init("torn", found.torn?.json ?? .null), .init("damages", .array(found.damages.map(\.json))),
      .init("erased", .array(found.erased.map { .number($0.number) })),
      .init("erasures", .array(erasures.map(\.json))),
      .init("format_1", .array(found.oldSegments.map { .string($0.fileName) })),
    ]
    if let expected { members.append(.init("expected", proof(of: expected))) }
    if let listed { members.append(.init("heads", .array(listed.map(proof)))) }
    if !complaints.isEmpty {
      members.append(.init("derived", .array(complaints.map { .string($0) })))
    }
    return .object(members)
  }

  private func proof(of head: Head) -> JSON {
    let proof = journal.proofs[head]
    return .object([
      .init("head", .string(head.description)), .init("contained", proof?.isContained ?? .null),
      .init("message", proof.map { .string($0.description(of: head)) } ?? .null),
    ])
  }
}

extension FoundErasure {
  /// The report in a sentence or two.
  fileprivate var description: String {
    let gone =
      blank.isEmpty
      ? "nothing was blanked in segments that are chained by public forms"
      : "the personal fields of \(Self.text(blank)) are gone"
    let rest =
      unfinished.isEmpty
      ? "" : " It is not finished: \(Self.text(unfinished)) should be blank, too; erase it again."
    return "The account \(key) was erased with entry \(entry): \(gone).\(rest)"
  }

  fileprivate var json: JSON {
    .object([
      .init("account", .string(key.description)), .init("entry", .number(entry.number)),
      .init("blank", .array(blank.map { .number($0.number) })),
      .init("unfinished", .array(unfinished.map { .number($0.number) })),
    ])
  }

  /// "entry 5", "entries 5, 8 to 12".
  private static func text(_ positions: [Position]) -> String {
    var runs: [(first: Position, last: Position)] = []
    for position in positions {
      if let run = runs.last, run.last.next == position {
        runs[runs.count - 1].last = position
      } else {
        runs.append((position, position))
      }
    }
    let texts = runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)" }
    return (positions.count == 1 ? "entry " : "entries ") + texts.joined(separator: ", ")
  }
}

extension HeadProof {
  /// Null when it cannot be determined.
  fileprivate var isContained: JSON {
    switch self {
    case .contained: .bool(true)
    case .endsBefore, .differs: .bool(false)
    case .unknown: .null
    }
  }
}

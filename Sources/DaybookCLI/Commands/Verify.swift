import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check every byte of the book, and that it still contains a head noted earlier.",
    discussion: """
      A head, POSITION:DIGEST, stands for all that was recorded up to a position. Keep the one that verify \
      prints somewhere else: with --head it proves later that nothing before it was changed or cut off. \
      Exit codes: 0 whole, 3 damaged, 1 the head is not contained.
      """)

  @OptionGroup var options: BookOptions

  @Option(help: "A head that was noted earlier, POSITION:DIGEST.")
  var head: String?

  @Flag(help: "Replay the entries, too, and hold against them what else answers for them.")
  var deep = false

  mutating func run() throws {
    let expected = try head.map { text in
      guard let head = Head(text) else {
        throw ValidationError(
          "--head: \"\(text)\" is no head such as verify prints, POSITION:DIGEST")
      }
      return head
    }
    var bar = ProgressBar("Reading")
    let found = try options.reader.verify(expecting: expected) { bar.show($0, of: $1) }
    bar.clear()
    // Entries that are damaged cannot be replayed; what is wrong with them is said already.
    let complaints = deep && found.isWhole ? try options.reader.verifyDeeply() : []
    if options.json {
      Output.line(found.json(expected, complaints).encoded)
    } else {
      write(found, expected, complaints)
    }
    guard found.isWhole, complaints.isEmpty else { throw ExitCode(3) }
    if let proof = found.proof, proof != .contained { throw ExitCode(1) }
  }

  private func write(_ found: Verification, _ expected: Head?, _ complaints: [String]) {
    for damage in found.damages { Output.line(damage.description) }
    for complaint in complaints { Output.line(complaint) }
    let segments = found.segmentCount.counted("segment")
    let contents =
      "\(Int(found.entryCount).counted("entry", "entries")) in \(segments) (\(found.sealedCount) sealed),"
      + " \(found.byteCount.counted("byte"))"
    if !found.isWhole {
      Output.line("The book is damaged; what is whole of it: \(contents).")
    } else if complaints.isEmpty {
      Output.line("The book is whole: \(contents).")
    } else {
      Output.line("The journal is whole (\(contents)), but what is derived from it is not right.")
    }
    if let torn = found.torn { Output.line("\(torn) The next entry cuts them off.") }
    if let head = found.head {
      let what = found.isWhole ? "Head" : "Head before the damage"
      Output.line("\(what): \(head)")
    }
    if let expected, let proof = found.proof { Output.line(proof.description(of: expected)) }
    if !found.isWhole {
      Output.line(
        "Next: put what is damaged or missing back from a backup and verify again; or `daybook salvage DIR"
          + " --book \(options.path)` makes a new book of all that is whole, which may be more than this."
      )
    } else if !complaints.isEmpty {
      Output.line("Next: remove what is derived (the entries are whole), and verify again.")
    }
  }
}

extension Verification {
  /// The report for machines.
  fileprivate func json(_ expected: Head?, _ complaints: [String]) -> JSON {
    var members: [JSON.Member] = [
      .init("whole", .bool(isWhole && complaints.isEmpty)),
      .init("book", book.map { .string($0) } ?? .null),
      .init("segments", .number(Int64(segmentCount))),
      .init("sealed", .number(Int64(sealedCount))), .init("entries", .number(entryCount)),
      .init("bytes", .number(Int64(byteCount))),
      .init("head", head.map { .string($0.description) } ?? .null),
      .init("torn", torn?.json ?? .null), .init("damages", .array(damages.map(\.json))),
    ]
    if let expected, let proof {
      members.append(
        .init(
          "expected",
          .object([
            .init("head", .string(expected.description)),
            .init("contained", proof.isContained),
            .init("message", .string(proof.description(of: expected))),
          ])))
    }
    if !complaints.isEmpty {
      members.append(.init("derived", .array(complaints.map { .string($0) })))
    }
    return .object(members)
  }
}

extension HeadProof {
  /// Null when nobody can tell.
  fileprivate var isContained: JSON {
    switch self {
    case .contained: .bool(true)
    case .endsBefore, .differs: .bool(false)
    case .unknown: .null
    }
  }
}

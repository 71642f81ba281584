import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Prove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract:
      "Write a proof of a habit's or hive's streak, for somebody who has only a head of the book.",
    discussion: """
      daybook prove Read --output read.proof
      daybook check-proof read.proof --head POSITION:DIGEST

      The file shows when and how the habit and its owner's account were changed, without names \
      and notes; that no other entry is about them; and the rule. For a hive it shows the same \
      about the hive and its members' accounts, with what each did on which day. Everything else \
      appears only as digests, which reveal nothing. Only members can prove a hive's streak. A \
      proof leads to the book's current head: it takes --on, but not --as-of.
      """)

  @OptionGroup var read: ReadOptions

  @Argument(
    help: "The habit or hive: a prefix of its name, or its key.",
    completion: Completions.habits)
  var name: String

  @Option(name: .shortAndLong, help: "Where to write the proof.", completion: .file())
  var output: String

  func run() throws {
    guard read.time.asOf == nil else {
      throw ValidationError("--as-of: a proof leads to the book's head as it is now; ask with --on")
    }
    let context = try read.context()
    switch try AuditChoice.find(name, in: context.state, for: context.account, to: "prove") {
    case .habit(let number, let habit):
      let (file, shown, misread) = try context.reader.proof(of: number, context.query)
      if !misread.isEmpty { Output.note(remade(misread, in: context.reader)) }
      try write(file, of: habit.displayName, shown.sentence, shown.head, shown.json)
    case .hive(let number):
      guard read.time.rule == StreakRule.daybook.id else {
        throw ValidationError("--rule: a hive has a rule of its own; leave it out")
      }
      let viewer = try read.actor.viewer(context)
      let (file, shown, misread) = try context.reader.proof(of: number, for: viewer, context.query)
      if !misread.isEmpty { Output.note(remade(misread, in: context.reader)) }
      let hive = context.state.hives[number]?.displayName ?? ""
      try write(file, of: hive, shown.sentence, shown.head, shown.json)
    }
  }

  /// Writes the file, and prints what it proves.
  private func write(
    _ file: [UInt8], of thing: String, _ sentence: String, _ head: Head, _ json: JSON
  ) throws {
    try FileBytes.replace(output, with: file)
    if read.json {
      var members = json.members ?? []
      members += [.init("file", .string(output)), .init("bytes", .number(file.count))]
      return Output.line(JSON.object(members).encoded)
    }
    Output.line(
      "\(output) (\(file.count.counted("byte"))) proves of \(quoted(thing)): \(sentence).")
    Output.line("Head: \(head)")
  }

  /// Rebuilds the indexes that do not match the sealed entries, and reports it.
  private func remade(_ names: [SegmentName], in reader: BookReader) -> String {
    let files = names.map { $0.fileName.dropLast(5) + ".index" }.joined(separator: ", ")
    let wrong = "\(files): it does not match the sealed entries, so these were read instead"
    do {
      try reader.remakeIndexes(of: names)
      return "\(wrong); it was made again."
    } catch {
      return "\(wrong); delete it, and `daybook seal` makes it again (\(error))."
    }
  }
}

struct CheckProof: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-proof",
    abstract: "Check a proof that `daybook prove` wrote. It needs no book.",
    discussion: """
      Give a head that you have from elsewhere, noted earlier or published. Without it, the \
      proof shows only that some book has such entries. Exit codes: 0 proven, 1 not.
      """)

  @Argument(help: "The proof.", completion: .file())
  var file: String

  @Option(help: "The head that the proof must lead to, POSITION:DIGEST.")
  var head: String?

  @Flag(name: .long, help: "Answer in JSON.")
  var json = false

  func run() throws {
    let expected = try head.map { text in
      guard let head = Head(text) else {
        throw ValidationError(
          "--head: \(quoted(text)) is not a head such as `daybook head` prints, POSITION:DIGEST")
      }
      return head
    }
    let bytes = try FileBytes.read(file)
    do throws(ProofFlaw) {
      if BookReader.isHiveProof(bytes) {
        print(try BookReader.checkHive(bytes, head: expected))
      } else {
        print(try BookReader.check(bytes, head: expected))
      }
    } catch {
      throw CommandFailure("not_proven", "\(file) proves nothing: \(error.reason).")
    }
    if expected == nil, !json {
      Output.line("Compare the head with one that you have from elsewhere: --head POSITION:DIGEST.")
    }
  }

  private func print(_ shown: StreakProof) {
    if json { return Output.line(shown.json.encoded) }
    Output.line("Proven: \(shown.sentence).")
    if let rule = shown.ownRule {
      Output.line("The rule does not come with Daybook; it says: \(rule.encoded)")
    }
    Output.line("Habit: \(shown.view.habit.key)")
    print(shown.book, shown.head)
    Output.line(
      "\(shown.entryCount.counted("entry is", "entries are")) about the habit and its owner's account, the last"
        + " recorded at \(shown.lastAt), and no other in a book of that head.")
  }

  private func print(_ shown: HiveProof) {
    if json { return Output.line(shown.json.encoded) }
    Output.line("Proven: \(shown.sentence).")
    Output.line("Hive: \(shown.hive.key)")
    print(shown.book, shown.head)
    Output.line(
      "\(shown.entryCount.counted("entry is", "entries are")) about the hive and the accounts of its"
        + " \(shown.hive.members.count.counted("member")), the last recorded at \(shown.lastAt), and no other in a"
        + " book of that head.")
  }

  private func print(_ book: String, _ head: Head) {
    Output.line("Book: \(book)")
    Output.line("Head: \(head)")
  }
}

extension StreakProof {
  /// The statement proven, worded as the middle of a sentence.
  fileprivate var sentence: String {
    "on \(view.day), asked at \(asOf), the streak is \(current) and the longest \(longest), by the rule \(view.rule.id)"
      + " (version \(view.rule.version))"
  }
}

extension HiveProof {
  /// The statement proven, worded as the middle of a sentence.
  fileprivate var sentence: String {
    "on \(day), asked at \(asOf), the streak of the hive is \(current) and the longest \(longest)"
  }
}

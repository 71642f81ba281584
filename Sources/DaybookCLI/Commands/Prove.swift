import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Prove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract:
      "Write a proof of a habit's streak, for somebody who has a head of the book and nothing else.",
    discussion: """
      daybook prove Read --output read.proof
      daybook check-proof read.proof --head POSITION:DIGEST

      The file shows when the habit and its owner's account were changed and how, without names and notes, that no \
      other entry is about them, and the rule. Of everything else it holds digests that say nothing.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Argument(
    help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(name: .shortAndLong, help: "Where to write the proof.", completion: .file())
  var output: String

  mutating func run() throws {
    guard time.asOf == nil else {
      throw ValidationError("--as-of: a proof leads to the book's head as it is now; ask with --on")
    }
    let context = try QueryContext(options, actor, time)
    let (number, found) = try context.habit(habit)
    let (file, shown, misread) = try context.reader.proof(of: number, context.query)
    if !misread.isEmpty { Output.note(remade(misread, in: context.reader)) }
    try FileBytes.replace(output, with: file)
    if options.json {
      var members = shown.json.members ?? []
      members += [.init("file", .string(output)), .init("bytes", .number(file.count))]
      return Output.line(JSON.object(members).encoded)
    }
    Output.line(
      "\(output) (\(file.count.counted("byte"))) proves of \(quoted(found.description.name)): \(shown.sentence)."
    )
    Output.line("Head: \(shown.head)")
  }

  /// Makes indexes anew that are not of what was sealed, and says so.
  private func remade(_ names: [SegmentName], in reader: BookReader) -> String {
    let files = names.map { $0.fileName.dropLast(5) + ".index" }.joined(separator: ", ")
    let wrong = "\(files): not of the entries that were sealed, so these were read instead"
    do {
      try reader.remakeIndexes(of: names)
      return "\(wrong), and it was made anew."
    } catch {
      return "\(wrong); delete it, and `daybook seal` makes it anew (\(error))."
    }
  }
}

struct CheckProof: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-proof",
    abstract: "Check a proof that `daybook prove` wrote. It needs no book.",
    discussion: """
      Give the head that you have from elsewhere, noted before or published: without it the proof shows only that some \
      book has such entries. Exit codes: 0 proven, 1 not.
      """)

  @Argument(help: "The proof.", completion: .file())
  var file: String

  @Option(help: "The head that the proof must lead to, POSITION:DIGEST.")
  var head: String?

  @Flag(name: .long, help: "Answer in JSON.")
  var json = false

  mutating func run() throws {
    let expected = try head.map { text in
      guard let head = Head(text) else {
        throw ValidationError(
          "--head: \(quoted(text)) is no head such as `daybook head` prints, POSITION:DIGEST")
      }
      return head
    }
    let bytes = try FileBytes.read(file)
    let shown: StreakProof
    do throws(ProofFlaw) { shown = try BookReader.check(bytes, head: expected) } catch {
      throw Failure("not_proven", "\(file) proves nothing: \(error.reason).")
    }
    if json { return Output.line(shown.json.encoded) }
    Output.line("Proven: \(shown.sentence).")
    Output.line("Habit: \(shown.view.habit.key)")
    Output.line("Book: \(shown.book)")
    Output.line("Head: \(shown.head)")
    Output.line(
      "\(shown.entryCount.counted("entry is", "entries are")) about the habit and its owner's account, the last"
        + " recorded at \(shown.lastAt), and no other in a book of that head.")
    if expected == nil {
      Output.line("Hold the head against one that you have from elsewhere: --head POSITION:DIGEST.")
    }
  }
}

extension StreakProof {
  /// What is proven, as the middle of a sentence.
  fileprivate var sentence: String {
    "on \(view.day), asked at \(asOf), the streak is \(current) and the longest \(longest), by the rule \(view.rule.id)"
      + " (version \(view.rule.version))"
  }
}

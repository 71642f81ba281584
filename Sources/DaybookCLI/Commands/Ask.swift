import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct AskBook: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Answer questions, each a JSON object, in JSON.",
    discussion: """
      daybook ask '{"ask":"streaks","as_of":"2026-03-01T12:00:00Z"}'
      daybook ask < questions.jsonl

      The questions: \(QuestionRequest.names.joined(separator: ", ")); `daybook schema \
      --questions` lists their fields. A question given as an argument is answered like its \
      command with --json. Lines of standard input are answered one by one, with {"ok":…} or \
      {"error":…}, each from the book at that moment; a refused line does not affect the others, \
      and the exit code is then 1. With --caller, questions may come from anybody: that account \
      asks, and learns only what it may see.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var caller: CallerOptions

  @Argument(help: "The question (default: lines of standard input).")
  var question: String?

  func run() throws {
    var questions = QuestionLines(options.reader)
    let source = try caller.caller(or: actor, asksAlone: true, in: questions.state())
    if let question {
      return Output.answer(try questions.request(Array(question.utf8), from: source).answer())
    }
    let lines = try LineReader(path: "-")
    var hasRefusal = false
    while let group = try lines.nextGroup() {
      for line in group {
        let outcome = try questions.answer(line: line, from: source)
        if !outcome.isAccepted { hasRefusal = true }
        Output.bytes(outcome.text + [0x0A])
      }
      // Answers are shown as soon as the lines that have arrived are answered.
      Output.flush()
    }
    if hasRefusal { throw ExitCode(1) }
  }
}

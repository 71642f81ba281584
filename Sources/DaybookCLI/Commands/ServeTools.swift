import ArgumentParser
import Avro
import Daybook
import DaybookMCP
import DaybookStore
import Foundation
import Journal

struct ServeTools: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract:
      "Serve questions as tools to an assistant (Model Context Protocol, over standard streams).",
    discussion: """
      An assistant starts this program and talks to it, a message a line: every question of `ask` is a tool, and \
      each habit's audit a resource. With --write, commands are tools, too: the book is opened for each and closed \
      again, so that other programs can write in between. With --caller, one account asks and acts, and learns only \
      what it may see.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var caller: CallerOptions
  @OptionGroup var secret: PepperOptions

  @Flag(help: "Offer commands, too; without it, the book cannot be changed.")
  var write = false

  @Option(
    help: "Offer only these tools, separated by commas: questions, and with --write commands.")
  var tools: String?

  func run() async throws {
    var questions = QuestionLines(options.reader)
    // Read before anything is served, so that a wrong path is told at once.
    _ = try questions.state()
    let source = try caller.caller(or: actor, asksAlone: true, in: questions.state())
    let book = ProgramToolBook(
      questions: questions, options: options, caller: source, pepper: try secret.pepper())
    var session = ToolSession(book, offering: try offered(to: source))
    let lines = try LineReader(path: "-", longestLine: ToolLimit.messageByteCount)
    if isatty(STDIN_FILENO) == 1 {
      Output.note("Waiting for an assistant's messages, one a line; Ctrl-D ends it.")
    }
    Interruption.expect()
    while !Output.isClosed, let line = try lines.nextNonblank() {
      guard let answer = await session.answer(line) else { continue }
      Output.bytes(answer + [0x0A])
      Output.flush()
    }
  }

  private func offered(to source: Caller) throws -> ToolList {
    let isOwner = if case .owner = source { true } else { false }
    let all = ToolList(forOwner: isOwner, canWrite: write)
    guard let tools else { return all }
    let names = tools.split(separator: ",").map { $0.filter { $0 != " " } }
    for name in names where !all.names.contains(name) {
      throw ValidationError(
        "--tools: there is no tool \"\(name)\"; `daybook schema --questions` lists questions, and `daybook schema` commands"
      )
    }
    return ToolList(forOwner: isOwner, canWrite: write, only: Set(names))
  }
}

/// The book of the program's arguments, for tools. It is opened for writing by each command alone.
private struct ProgramToolBook: ToolBook {
  var questions: QuestionLines
  let options: BookOptions
  let caller: Caller
  let pepper: Pepper?

  mutating func answer(_ question: JSON) async throws(ToolFailure) -> ToolAnswer {
    do {
      let present = try questions.state()
      let request = try QuestionRequest(
        question, of: options.reader, knowing: present, from: caller)
      return ToolAnswer(try request.answerText(), at: present.position)
    } catch { throw failure(error) }
  }

  mutating func carryOut(_ command: JSON) async throws(ToolFailure) -> RequestOutcome {
    do {
      let book = try options.open(pepper: pepper)
      return try await book.record(line: Array(command.encoded.utf8), from: caller)
    } catch { throw failure(error) }
  }

  private func failure(_ error: any Error) -> ToolFailure {
    if let failure = error as? ToolFailure { return failure }
    let said = CommandFailure.words(
      for: (error as? Rejection)?.asSeen(by: caller) ?? error)
    return ToolFailure(said.code, field: said.field, said.message)
  }
}

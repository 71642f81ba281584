import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation
import Journal

struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Carry out commands, one JSON object a line; answer each once it is on disk.",
    discussion: """
      The commands: \(Request.names.joined(separator: ", ")). A refused line is answered with an error \
      that names the field, and the following lines still run; the exit code is then 1. Lines \
      that are already waiting share a commit; a single line is carried out at once. With \
      --caller, lines may come from anybody: that account acts, now, and a line that names \
      another actor or time is refused.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var caller: CallerOptions
  @OptionGroup var secret: PepperOptions

  @Argument(help: "A file of JSON Lines, or - for standard input.")
  var file: String = "-"

  func run() throws {
    let lines = try LineReader(path: file)
    let pepper = try secret.pepper()
    let exists = try options.reader.journal.exists()
    let book =
      exists ? try options.open(pepper: pepper) : try options.make(pepper: pepper)
    // A new book in which no line was accepted is removed again: its name was a typing error.
    defer { if !exists, book.read({ $0.position }) == 0 { Import.remove(options.path) } }
    let source = try caller.caller(or: actor, in: book.read { $0 })
    var hasRefusal = false
    // Among answers on a terminal a progress bar would be in the way.
    let meter = isatty(STDOUT_FILENO) == 1 ? nil : ProgressBar.meter
    meter?.begin("Applying", lines.byteCount)
    defer { meter?.end() }
    let groups = ReadAhead {
      try lines.nextGroup().map { group in
        meter?.advance(by: group.reduce(0) { $0 + $1.count + 1 })
        return book.read(lines: group, from: source)
      }
    }
    try Interruption.undoing(Import.removing(exists ? nil : options.path)) {
      if !exists { Output.note("Made a new book at \(options.path).") }
      while let group = try groups.next() {
        try book.record(group) { outcomes in
          var answers = JSONWriter.lines
          for outcome in outcomes {
            if !outcome.isAccepted { hasRefusal = true }
            answers.written(outcome.text)
          }
          if !outcomes.isEmpty { Output.bytes(answers.bytes + [0x0A]) }
          // Every answer is shown as soon as its commit is durable.
          Output.flush()
        }
      }
    }
    if hasRefusal { throw ExitCode(1) }
  }
}

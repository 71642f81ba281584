import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Dump: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "All tables as they are, or were: the canonical picture of the book.")

  @OptionGroup var options: BookOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  @Flag(help: "Print the digest of the tables alone (SHA-256).")
  var digest = false

  mutating func run() throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    let state = try options.reader.state(asOf: instant ?? .last)
    if digest { return Output.line(options.json ? quoted(state.digest) : state.digest) }
    if options.json { return Output.line(state.dump.encoded) }
    for (name, rows) in state.tables {
      Output.line(Style.bold("\(name) (\(rows.count))"))
      for row in rows { Output.line(row.encoded) }
    }
  }
}

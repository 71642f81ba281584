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
    if digest {
      let digest = try options.reader.state(asOf: instant ?? .last).digest
      return Output.line(options.json ? quoted(digest) : digest)
    }
    // What happened is not kept in a state: it is found in the entries.
    var log = ActivityLog()
    try options.reader.replay(into: &log, until: instant ?? .last)
    let tables = log.state.tables + [("activity_events", log.rows)]
    if options.json {
      return Output.line(
        JSON.object(tables.map { JSON.Member($0.name, .array($0.rows)) }).encoded)
    }
    for (name, rows) in tables {
      Output.line(Style.bold("\(name) (\(rows.count))"))
      for row in rows { Output.line(row.encoded) }
    }
  }
}

import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Dump: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print all tables as they are, or were: the canonical form of the book's state.")

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  @Flag(help: "Print the digest of the tables alone (SHA-256).")
  var digest = false

  func run() throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    if digest {
      let digest = try options.reader.state(asOf: instant ?? .last).digest
      return Output.line(options.json ? quoted(digest) : digest)
    }
    if options.json { return try writeJSON(until: instant ?? .last) }
    var isFirst = true
    var count = 0
    func end() { if !isFirst { Output.line(Style.faint(count.counted("row"))) } }
    try options.reader.dump(until: instant ?? .last, in: .lines) { piece in
      switch piece {
      case .table(let name):
        end()
        (isFirst, count) = (false, 0)
        Output.line(Style.bold(name))
      case .rows(let bytes):
        count += bytes.count { $0 == UInt8(ascii: "\n") }
        Output.bytes(bytes)
      }
    }
    end()
  }

  /// Prints one object with an array for each table.
  private func writeJSON(until last: Instant) throws {
    var hasTable = false
    var hasRows = false
    try options.reader.dump(until: last, in: .array) { piece in
      switch piece {
      case .table(let name):
        Output.text((hasTable ? "]," : "{") + quoted(name) + ":[")
        (hasTable, hasRows) = (true, false)
      case .rows(let bytes):
        if hasRows { Output.text(",") }
        hasRows = true
        Output.bytes(bytes)
      }
    }
    Output.line("]}")
  }
}

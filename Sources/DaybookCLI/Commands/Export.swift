import ArgumentParser
import Daybook
import DaybookStore
import Journal

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write every event out, or all of one account, with keys instead of numbers.",
    discussion: """
      Both formats are complete: `daybook import` makes the same book of them. CSV is for spreadsheets, too.

      With --as it is all that is one account's: its own things, and what it shares with others as a member, \
      with their names and time zones and nothing else of theirs.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions

  @Option(help: "jsonl or csv.")
  var format: String = ExportFormat.jsonl.rawValue

  @Option(help: "Only what was recorded until this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  @Option(help: "Write to this file (default: standard output).", completion: .file())
  var output: String?

  mutating func run() throws {
    guard let format = ExportFormat(rawValue: format) else {
      throw ValidationError("--format: \"\(format)\" is neither jsonl nor csv")
    }
    let last = try TimeArgument.instant(asOf, "--as-of") ?? .last
    guard let output else {
      _ = try lines(as: format, until: last) { Output.text($0) }
      return
    }
    let storage = FileStorage()
    let count = try write(as: format, until: last, to: output + ".new", storage)
    // The name is given last, so that half an export is never taken for a whole one.
    do { try storage.rename(output + ".new", to: output) } catch {
      try? storage.remove(output + ".new")
      throw error
    }
    Output.line("Wrote \(count) entries to \(output).")
  }

  private func write(
    as format: ExportFormat, until last: Instant, to path: String, _ storage: FileStorage
  ) throws -> Int {
    // Read before anything is made: a book that cannot be read leaves no file.
    _ = try options.reader.journal.segments()
    let file = try storage.open(path, .create)
    do { return try write(as: format, until: last, file) } catch {
      try? storage.remove(path)
      throw error
    }
  }

  private func write(
    as format: ExportFormat, until last: Instant, _ file: any StorageFile
  ) throws -> Int {
    var offset = 0
    var buffer: [UInt8] = []
    let count = try lines(as: format, until: last) { line in
      buffer.append(contentsOf: line.utf8)
      guard buffer.count > 1 << 20 else { return }
      try file.write(buffer, at: offset)
      offset += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    try file.write(buffer, at: offset)
    try file.synchronize()
    return count
  }

  private func lines(
    as format: ExportFormat, until last: Instant, _ emit: (String) throws -> Void
  ) throws -> Int {
    let reader = options.reader
    let account = try actor.isChosen ? actor.chosen(in: try reader.state(asOf: last)) : nil
    guard let account else { return try reader.export(as: format, until: last, emit) }
    return try reader.export(of: account, as: format, until: last, emit)
  }
}

import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Make a backup, or bring one up to date; the book may be in use.",
    discussion: """
      A backup is a book of its own that holds everything recorded up to one moment; every byte \
      of it is verified. Sealed segments are linked where possible, and then take no space. \
      Linked files share disk sectors: to survive the failure of a disk, back up to another \
      disk, or with --copy. `daybook restore` makes a book from a backup. The head is added to \
      the file DIRECTORY.head, for `daybook verify --heads`.
      """)

  @OptionGroup var options: BookOptions

  @Argument(
    help: "The backup's directory: a new one, or an earlier backup.", completion: .directory)
  var directory: String

  @Flag(help: "Copy everything, link nothing.")
  var copy = false

  func run() throws {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    try FileBytes.checkIsOutsideBooks(path)
    let reader = options.reader
    let made = try ProgressBar.during("Verifying") {
      try reader.backup(to: directory, linking: !copy, progress: $0)
    }
    try HeadList.add(made.head, try BookReader(at: directory).head().at, to: path + ".head")
    if options.json { return Output.line(made.json.encoded) }
    Output.line("The backup \(directory) holds \(made.contents).")
    Output.line("Head: \(made.head), added to \(path).head")
  }
}

struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Make a new book from a backup or a book, as it was at a given time.",
    discussion: """
      daybook --book BACKUP restore NEWDIR --to 2026-03-01T12:00:00Z

      The new book holds exactly what was recorded until then, at the same positions, with the same heads and \
      the same id. From then on the two books are independent: `daybook verify --head` tells to \
      which of them a later head belongs.
      """)

  @OptionGroup var options: BookOptions

  @Argument(help: "The new book's directory, which must not exist yet.", completion: .directory)
  var directory: String

  @Option(
    help: "Leave out what was recorded after this time: 2026-03-01T12:00:00Z (default: take all).")
  var to: String?

  @Flag(help: "Copy everything, link nothing.")
  var copy = false

  func run() throws {
    let last = try TimeArgument.instant(to, "--to") ?? .last
    let reader = options.reader
    let made = try ProgressBar.during("Verifying") {
      try reader.restore(to: directory, until: last, linking: !copy, progress: $0)
    }
    if options.json { return Output.line(made.json.encoded) }
    Output.line("The book \(directory) holds \(made.contents).")
    Output.line("Head: \(made.head)")
  }
}

extension JournalCopy {
  fileprivate var contents: String {
    let segments = [
      (linkedCount, "linked"), (copiedCount, "copied"), (keptCount, "kept as they were"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let count = (linkedCount + copiedCount + keptCount).counted("segment")
    return "\(Int(entryCount).counted("entry", "entries")) in \(count) (\(segments))"
  }

  fileprivate var json: JSON {
    .object([
      .init("head", .string(head.description)), .init("entries", .number(entryCount)),
      .init("bytes", .number(Int64(byteCount))), .init("linked", .number(Int64(linkedCount))),
      .init("copied", .number(Int64(copiedCount))), .init("kept", .number(Int64(keptCount))),
    ])
  }
}

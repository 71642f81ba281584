import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct ShowHead: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "head",
    abstract: "Print the book's head: a digest of everything recorded so far.",
    discussion: """
      daybook head >> heads.txt
      daybook verify --heads heads.txt

      A head is POSITION:DIGEST, followed by a comment: when its entry was recorded. Keep heads \
      where nobody can change both them and the book. This command trusts sealed segments; \
      `daybook verify` tells whether the book is whole.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions

  func run() throws {
    let (head, at) = try options.reader.head()
    guard options.json else { return Output.line(HeadList.line(head, at)) }
    Output.line(
      JSON.object([
        .init("head", .string(head.description)), .init("position", .number(head.position.number)),
        .init("at", at.map { .string($0.description) } ?? .null),
      ]).encoded)
  }
}

/// A file of heads: one on each line, with comments after `#`.
enum HeadList {
  /// The line of the file for a head.
  static func line(_ head: Head, _ at: Instant?) -> String {
    at.map { "\(head)  # \($0)" } ?? "\(head)"
  }

  /// The heads of a file.
  static func read(_ path: String) throws -> [Head] {
    let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
    var heads: [Head] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let content = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
      guard !content.isEmpty else { continue }
      guard let head = Head(content) else {
        throw ValidationError(
          "--heads: line \(index + 1) of \(path), \"\(content)\", is not a head such as "
            + "`daybook head` prints"
        )
      }
      if !heads.contains(head) { heads.append(head) }
    }
    return heads
  }

  /// Appends a head to a file unless it is already there; creates the file if necessary.
  static func add(_ head: Head, _ at: Instant?, to path: String) throws {
    var text = ""
    do throws(StorageError) {
      let file = try FileStorage().open(path, .read)
      var bytes: [UInt8] = []
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
      text = String(decoding: bytes, as: UTF8.self)
    } catch { guard error.reason == .notFound else { throw error } }
    if text.contains(head.description) { return }
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    try FileBytes.replace(path, with: Array((text + line(head, at) + "\n").utf8))
  }
}

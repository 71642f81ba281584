import Testing

extension AdasBook {
  /// Runs the commands of a transcript and returns the actual transcript; the two should be the same.
  ///
  /// A command after `$ ` gets `--at` with the time, one after `? ` gets `--as-of`, and one after `% ` runs unchanged.
  /// The standard output follows, then the standard error behind `! `, and the exit code if it is not 0.
  /// - Parameters:
  ///   - story: The transcript. Words with spaces stand in double quotes.
  ///   - time: The time, RFC 3339.
  /// - Returns: The actual transcript.
  /// - Throws: when the program cannot be run.
  func transcript(of story: String, at time: String) throws -> String {
    var lines: [Substring] = []
    for line in story.split(separator: "\n", omittingEmptySubsequences: false) {
      let clock: [String]? =
        switch line.prefix(2) {
        case "$ ": ["--at", time]
        case "? ": ["--as-of", time]
        case "% ": []
        default: nil
        }
      guard let clock else { continue }
      let run = try daybook.run(Self.words(line.dropFirst(2)) + clock)
      lines.append(line)
      lines += run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      lines += run.error.split(separator: "\n").map { "! " + $0 }
      if run.status != 0 { lines.append("exit code \(run.status)") }
    }
    return lines.joined(separator: "\n")
  }

  /// The words of a line, as a shell would split it.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      if index % 2 == 1 {
        words.append(String(part))
      } else {
        words += part.split(separator: " ").map(String.init)
      }
    }
    return words
  }
}

/// Compares a transcript with what happens.
func expect(
  _ story: String, of book: AdasBook, at time: String, _ place: SourceLocation = #_sourceLocation
)
  throws
{
  let happened = try book.transcript(of: story, at: time)
  #expect(happened == story, "\(happened)", sourceLocation: place)
}

import Values

extension ICalendar {
  /// The problems of a text: the first of them, and how many more there are. A broken file of ten megabytes has
  /// a million, and nobody reads them.
  struct ProblemList: Hashable, Sendable {
    /// Those that are listed.
    private(set) var listed: [Problem] = []
    /// How many there are beside them.
    private(set) var unlistedCount = 0
    /// How many events were left out.
    private(set) var leftOutCount = 0

    /// The listed ones in the order of the text; the last tells of the others.
    var shown: [Problem] {
      let sorted = listed.sorted { $0.line < $1.line }
      guard unlistedCount > 0 else { return sorted }
      let more = Problem(
        line: sorted.last?.line ?? 1,
        message: "there are \(unlistedCount) more problems, which are not listed", outcome: .ignored
      )
      return sorted + [more]
    }

    /// Adds a problem; of a long message the beginning.
    mutating func note(_ line: Int, _ message: String, _ outcome: Problem.Outcome) {
      if outcome == .eventLeftOut { leftOutCount += 1 }
      guard listed.count < Limit.calendarProblems.maximum else {
        unlistedCount += 1
        return
      }
      let isLong = message.utf8.count > Self.longestMessage
      let text =
        isLong ? String(message.unicodeScalars.prefix(Self.longestMessage / 4)) + "…" : message
      listed.append(Problem(line: line, message: text, outcome: outcome))
    }

    private static let longestMessage = 800

    /// Adds those of another list.
    mutating func add(_ others: ProblemList) {
      for problem in others.listed { note(problem.line, problem.message, problem.outcome) }
      let unheard = others.leftOutCount - others.listed.count { $0.outcome == .eventLeftOut }
      leftOutCount += unheard
      unlistedCount += others.unlistedCount
    }
  }
}

import Values

extension ICalendar {
  /// The problems of a text: the first ones, and the number of the others. A broken file of ten megabytes has
  /// a million, and nobody reads them all.
  struct ProblemList: Hashable, Sendable {
    /// The listed problems.
    private(set) var listed: [Problem] = []
    /// The number of problems that are not listed.
    private(set) var unlistedCount = 0
    /// The number of events left out.
    private(set) var leftOutCount = 0

    /// The listed problems in the order of the text; the last entry counts the others.
    var shown: [Problem] {
      let sorted = listed.sorted { $0.line < $1.line }
      guard unlistedCount > 0 else { return sorted }
      let more = Problem(
        line: sorted.last?.line ?? 1,
        message: "there are \(unlistedCount) more problems, which are not listed", outcome: .ignored
      )
      return sorted + [more]
    }

    /// Adds a problem; a long message is cut off.
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

    /// Adds the problems of another list.
    mutating func add(_ others: ProblemList) {
      for problem in others.listed { note(problem.line, problem.message, problem.outcome) }
      let unheard = others.leftOutCount - others.listed.count { $0.outcome == .eventLeftOut }
      leftOutCount += unheard
      unlistedCount += others.unlistedCount
    }
  }
}

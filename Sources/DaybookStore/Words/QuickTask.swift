package import Calendar
package import Daybook

/// A task as people type it in one line: `call Bob tomorrow 5pm #home`, `water the plants every monday`.
///
/// Labels may stand anywhere. When it is due, or how it repeats, stands at the end or at the beginning; the longest wording
/// that means something counts. All else is the title. English and German are understood.
package struct QuickTask: Hashable, Sendable {
  /// The title: what is left of the text. Empty if all of it means something else.
  package private(set) var title: String
  /// When it is due.
  package private(set) var due: Instant?
  /// How it repeats, as an RRULE of RFC 5545.
  package private(set) var recurrence: String?
  /// The bucket to which the due time or the repetition leads.
  package private(set) var bucket: TaskBucket
  /// The names of its labels, without the sign, each once.
  package private(set) var labels: [String] = []

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - today: The day of whoever typed it.
  ///   - now: When it was typed.
  ///   - wall: Their wall clock.
  package init(_ text: String, today: Day, now: Instant, wall: WallClock) {
    var words: [Substring] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      guard word.first == "#", word.count > 1 else {
        words.append(word)
        continue
      }
      let name = String(word.dropFirst())
      if !labels.contains(name) { labels.append(name) }
    }
    let moments = TaskMoments(today: today, wall: wall)
    let reader = MomentWords(
      days: DayWords(today: today, direction: .coming), now: now, wall: wall)
    title = words.joined(separator: " ")
    // Neither wording takes all words: a task has a title.
    for count in stride(from: min(Self.mostWords, words.count - 1), to: 0, by: -1) {
      for (told, rest) in [
        (words.suffix(count), words.dropLast(count)), (words.prefix(count), words.dropFirst(count)),
      ] where due == nil {
        guard let (due, recurrence) = Self.meaning(of: told, reader, moments) else { continue }
        (self.due, self.recurrence) = (due, recurrence)
        title = rest.joined(separator: " ")
      }
    }
    bucket = moments.bucket(repeats: recurrence != nil, due)
  }

  /// The most words that say when: `every last friday of the month at 5 pm` is longer than any wording that is understood.
  private static let mostWords = 8

  /// What some words say about the time, if that is all they say.
  private static func meaning(
    of words: ArraySlice<Substring>, _ reader: MomentWords, _ moments: TaskMoments
  ) -> (due: Instant?, recurrence: String?)? {
    let text = EverydayWords.english(words)
    switch reader.moment(text) {
    case .instant(let instant): return (instant, nil)
    case .local(let time): return reader.wall.instant(of: time).map { ($0, nil) }
    case .day(let day): return moments.end(of: day).map { ($0, nil) }
    case nil: break
    }
    guard let first = text.split(separator: " ").first, EverydayWords.repetitions.contains(first),
      let date = TodoistDate(text), let rule = date.recurrence
    else { return nil }
    return moments.first(of: rule, at: date.time, after: reader.now).map { ($0, rule) }
  }
}

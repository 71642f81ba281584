/// Everyday words for days and repetitions in the wording that ``DayWords``, ``MomentWords`` and ``TodoistDate`` read. English
/// and German are understood.
package enum EverydayWords {
  /// The words that begin a repetition.
  static let repetitions: Set<Substring> = [
    "every", "every!", "daily", "weekly", "monthly", "yearly",
  ]

  /// A text in English, without a leading preposition.
  package static func english(_ text: String) -> String {
    english(text.split(whereSeparator: \.isWhitespace)[...])
  }

  /// The words in English, without a leading preposition.
  static func english(_ words: ArraySlice<Substring>) -> String {
    var told: [String] = []
    for word in words.map({ $0.lowercased() }) {
      // "17 Uhr" is a time of day only with its second word.
      if word == "uhr", let hour = told.last, Int(hour) != nil { told[told.count - 1] += ":00" }
      if word == "uhr" { continue }
      told.append(german[word] ?? word)
    }
    // "am" is a preposition before a day, and half of a time after an hour.
    if let first = told.first, ["on", "at", "by", "due", "am"].contains(first) {
      told.removeFirst()
    }
    return told.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static let german = [
    "heute": "today", "morgen": "tomorrow", "übermorgen": "in 2 days", "montag": "monday",
    "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday",
    "freitag": "friday", "samstag": "saturday", "sonnabend": "saturday", "sonntag": "sunday",
    "nächste": "next", "nächsten": "next",
    "nächster": "next", "nächstes": "next", "woche": "week", "wochen": "weeks",
    "monat": "month", "monate": "months", "monaten": "months", "tag": "day", "tage": "days",
    "tagen": "days", "jahr": "year", "jahre": "years", "jahren": "years",
    "wochenende": "weekend", "stunde": "hour", "stunden": "hours", "minuten": "minutes",
    "einer": "a", "einem": "a", "jeden": "every", "jede": "every", "jedes": "every",
    "alle": "every",
    "täglich": "daily", "wöchentlich": "weekly", "monatlich": "monthly", "jährlich": "yearly",
    "werktag": "weekday", "mittag": "noon", "um": "at", "und": "and",
    "januar": "january", "februar": "february", "märz": "march", "mai": "may", "juni": "june",
    "juli": "july", "oktober": "october", "dezember": "december",
  ]
}

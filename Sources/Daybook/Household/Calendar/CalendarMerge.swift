import Calendar

extension ICalendar.Series {
  /// The series merged with a file's version of it.
  ///
  /// The later version (SEQUENCE, LAST-MODIFIED) wins, so that the order of two files does not matter; among equal
  /// versions, the file's. A file with the series holds the whole series. Changed occurrences that the file lacks
  /// become unchanged again, unless they are newer than the series itself.
  ///
  /// - Parameters:
  ///   - file: The version of the file.
  ///   - zones: All time zones of both.
  /// - Returns: The new series.
  func merged(with file: ICalendar.Series, zones: any TimeZones) -> ICalendar.Series {
    let isNewer = master.map { old in file.master.map { !$0.isOlder(than: old) } ?? false } ?? true
    let (winner, loser) = isNewer ? (file, self) : (self, file)
    var merged = winner
    merged.master = winner.master ?? loser.master
    let places = Dictionary(
      merged.overrides.enumerated().map { ($0.element.recurrenceID, $0.offset) }
    ) { first, _ in first }
    for event in loser.overrides {
      guard let place = places[event.recurrenceID] else {
        if let master = winner.master, loser.master != nil, !master.isOlder(than: event) {
          continue
        }
        merged.overrides.append(event)
        continue
      }
      let kept = merged.overrides[place]
      // Among equal versions the file's wins.
      if isNewer ? kept.isOlder(than: event) : !event.isOlder(than: kept) {
        merged.overrides[place] = event
      }
    }
    merged.sortOverrides(zones: zones)
    return merged
  }
}

extension ICalendar.Series {
  /// Whether a component is of a later version than all components of another series.
  func isNewer(than other: ICalendar.Series) -> Bool {
    newest.map { newest in other.newest.map { $0.isOlder(than: newest) } ?? true } ?? false
  }

  private var newest: ICalendar.Event? {
    ((master.map { [$0] } ?? []) + overrides).max { $0.isOlder(than: $1) }
  }
}

extension ICalendar.Event {
  /// Whether its version is earlier than another's.
  func isOlder(than other: ICalendar.Event?) -> Bool {
    guard let other else { return false }
    if sequence != other.sequence { return sequence < other.sequence }
    return (lastModified ?? .first) < (other.lastModified ?? .first)
  }
}

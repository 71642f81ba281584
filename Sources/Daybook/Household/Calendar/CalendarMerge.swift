import Calendar

extension ICalendar.Series {
  /// The series after a file that tells of it anew.
  ///
  /// The later version (SEQUENCE, LAST-MODIFIED) stands, so that it does not matter which of two files comes
  /// first; of the same version, what comes now. A file that tells of the series tells all of it: single times of
  /// which it says nothing are as the series has them, unless they are newer than the series itself.
  ///
  /// - Parameters:
  ///   - file: What the file tells.
  ///   - zones: Knows all zones of both.
  /// - Returns: The series as it is from then on.
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
      // Of the same version that of the file stands.
      if isNewer ? kept.isOlder(than: event) : !event.isOlder(than: kept) {
        merged.overrides[place] = event
      }
    }
    merged.sortOverrides(zones: zones)
    return merged
  }
}

extension ICalendar.Series {
  /// Whether something of it is of a later version than all of another.
  func isNewer(than other: ICalendar.Series) -> Bool {
    newest.map { newest in other.newest.map { $0.isOlder(than: newest) } ?? true } ?? false
  }

  private var newest: ICalendar.Event? {
    ((master.map { [$0] } ?? []) + overrides).max { $0.isOlder(than: $1) }
  }
}

extension ICalendar.Event {
  /// Whether its version comes before another's.
  func isOlder(than other: ICalendar.Event?) -> Bool {
    guard let other else { return false }
    if sequence != other.sequence { return sequence < other.sequence }
    return (lastModified ?? .first) < (other.lastModified ?? .first)
  }
}

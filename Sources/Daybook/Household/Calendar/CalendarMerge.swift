extension ICalendar.Series {
  /// The series after a file that tells of it anew.
  ///
  /// The later version (SEQUENCE, LAST-MODIFIED) stands, so that it does not matter which of two files comes
  /// first. Of the same version the file that comes now stands; as it tells the whole series, single times of
  /// which it says nothing are as the series has them. Single times that are newer than the series itself stay,
  /// whichever file tells of them, and so do those that changed after the file was written.
  ///
  /// - Parameters:
  ///   - file: What the file tells.
  ///   - written: When the file was written, if it says so (DTSTAMP).
  ///   - zones: Knows all zones of both.
  /// - Returns: The series as it is from then on.
  func merged(
    with file: ICalendar.Series, written: Instant? = nil, zones: any TimeZones
  ) -> ICalendar.Series {
    let isNewer = master.map { old in file.master.map { old.isReplaced(by: $0) } ?? false } ?? true
    let (winner, loser) = isNewer ? (file, self) : (self, file)
    var merged = winner
    merged.master = winner.master ?? loser.master
    let isWhole =
      isNewer && file.master != nil && master.map { !$0.isOlder(than: file.master) } ?? false
    for event in loser.overrides {
      guard
        let place = merged.overrides.firstIndex(where: { $0.recurrenceID == event.recurrenceID })
      else {
        if isWhole, !event.changed(after: written) { continue }
        if let master = winner.master, loser.master != nil, event.isOlder(than: master) { continue }
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

extension ICalendar.Event {
  /// Whether it is known to have changed after an instant.
  fileprivate func changed(after instant: Instant?) -> Bool {
    guard let instant, let lastModified else { return false }
    return lastModified > instant
  }

  /// Whether its version comes before another's.
  func isOlder(than other: ICalendar.Event?) -> Bool {
    guard let other else { return false }
    if sequence != other.sequence { return sequence < other.sequence }
    return (lastModified ?? .first) < (other.lastModified ?? .first)
  }
}

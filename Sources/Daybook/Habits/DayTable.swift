/// What is known of a habit's days: one record a day, ascending.
///
/// Nearly every record is of the latest day, so recording one is an append or a change at the end; any
/// other day is found by halving.
public struct DayTable: Sendable, Hashable {
  /// One day's record.
  public struct Record: Sendable, Hashable {
    /// The day.
    public var day: Day
    /// Where the last log or skip came from.
    public var source: Source
    /// Whether the day was skipped; then the value is zero.
    public var isSkipped: Bool
    /// The logged value.
    public var value: Amount
    /// When the day was first logged or skipped since it was last clear.
    public var created: Instant
    /// When it was last logged or skipped.
    public var updated: Instant
  }

  /// The records, ascending by day.
  public private(set) var records: ContiguousArray<Record> = []
  private var notes: [Day: String] = [:]
  /// The day of the last record, so that recording a later one looks at no other.
  private var lastDay: Day?

  /// The record of a day, if it has one.
  public subscript(day: Day) -> Record? {
    let index = index(of: day)
    return index < records.count && records[index].day == day ? records[index] : nil
  }

  /// What the person wrote about a day.
  public func note(on day: Day) -> String? { notes.isEmpty ? nil : notes[day] }

  /// Records what was done about a day, in place of what was known of it.
  @inline(__always)
  mutating func record(_ record: Record, note: String?) {
    if let lastDay, lastDay >= record.day {
      replaceOrInsert(record)
    } else {
      records.append(record)
      lastDay = record.day
    }
    if note != nil || !notes.isEmpty { notes[record.day] = note }
  }

  /// Records several days without notes, one after another.
  mutating func record(_ more: ArraySlice<Record>) {
    var day = lastDay?.number ?? .min
    let isAscending = more.allSatisfy { record in
      defer { day = record.day.number }
      return record.day.number > day
    }
    guard isAscending, notes.isEmpty else {
      for record in more { self.record(record, note: nil) }
      return
    }
    records.append(contentsOf: more)
    lastDay = more.last?.day ?? lastDay
  }

  @inline(never)
  private mutating func replaceOrInsert(_ record: Record) {
    let index = index(of: record.day)
    if index < records.count, records[index].day == record.day {
      let created = records[index].created
      records[index] = record
      records[index].created = created
    } else {
      records.insert(record, at: index)
    }
  }

  /// Forgets what the person wrote.
  mutating func dropNotes() { notes.removeAll() }

  mutating func clear(_ day: Day) {
    let index = index(of: day)
    guard index < records.count, records[index].day == day else { return }
    records.remove(at: index)
    lastDay = records.last?.day
    notes[day] = nil
  }

  /// Where the day's record is or would be.
  private func index(of day: Day) -> Int {
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if records[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

import Daybook

/// Reads Tickmate's export (for iOS): one table with a line for each day and a column for each
/// track.
///
///     Date,Read,Coffee
///     3/1/26,1,0
///
/// Days are written in the phone's locale, and no day is missing. So they are read in the one order
/// of day, month and year in which each line is the day after the line above. Where several orders
/// fit, or none, the table is refused. 0 is a day without a tick: nothing was entered. A track that
/// was ticked more than once on some day is counted.
enum TickmateReader {
  static func habits(of table: CSVReader) throws(ExchangeError) -> [HabitExport.Habit] {
    var table = table
    let path = table.file
    guard let head = try table.next(), head.fields.count > 1, head.fields[0].trimmingSpace == "Date"
    else {
      throw .malformed(
        file: path, line: 1,
        reason: "the first line does not name \"Date\" and then a column for each track")
    }
    var habits = head.fields.dropFirst().map { name in
      HabitExport.Habit(
        name: name.trimmingSpace, line: HabitExport.Line(file: path, number: head.line))
    }
    guard habits.allSatisfy({ !$0.name.isEmpty }) else {
      throw .malformed(file: path, line: head.line, reason: "a track has no name")
    }
    var records: [CSVReader.Record] = []
    while let record = try table.next() { records.append(record) }
    let days = try days(of: records, path)
    for (record, day) in zip(records, days) {
      let line = HabitExport.Line(file: path, number: record.line)
      guard record.fields.count == habits.count + 1 else {
        throw line.malformed(
          "it has \(record.fields.count) cells instead of \(habits.count + 1)")
      }
      for place in habits.indices {
        let cell = record.fields[place + 1].trimmingSpace
        guard let count = Int64(cell), count >= 0,
          let amount = Amount(thousandths: min(count, 1_000_000) * 1000)
        else { throw line.malformed("\"\(cell)\" is not a number of ticks") }
        if count > 1 { habits[place].type = .counter }
        guard count > 0 else { continue }
        habits[place].entries.append(.init(day: day, value: amount, note: nil, line: line))
      }
    }
    return habits
  }

  /// The possible orders in a date: the places of its year, month and day.
  private static let orders = [(0, 1, 2), (2, 0, 1), (2, 1, 0)]

  private static func days(
    of records: [CSVReader.Record], _ path: String
  ) throws(ExchangeError) -> [Day] {
    let readings = orders.compactMap { order in
      let days = records.compactMap { day($0.fields[0].trimmingSpace, order) }
      let isRun = zip(days, days.dropFirst()).allSatisfy { $0.advanced(by: 1) == $1 }
      return days.count == records.count && isRun ? days : nil
    }
    guard Set(readings).count <= 1 else {
      throw .notUnderstood(
        path: path,
        reason: "it has too few lines to tell days from months; export a month or more.")
    }
    guard let days = readings.first else {
      throw .notUnderstood(
        path: path,
        reason: "its first column is not one day after another, from the first to today.")
    }
    return days
  }

  private static func day(_ text: String, _ order: (Int, Int, Int)) -> Day? {
    let parts = text.split { !$0.isNumber }.map(String.init)
    guard parts.count == 3 else { return nil }
    let (year, month, date) = (parts[order.0], parts[order.1], parts[order.2])
    guard month.count <= 2, date.count <= 2, year.count == 4 || year.count == 2 else { return nil }
    let century = year.count == 2 ? "20" : ""
    let padded = [month, date].map { $0.count == 1 ? "0\($0)" : $0 }
    return Day("\(century)\(year)-\(padded[0])-\(padded[1])")
  }
}

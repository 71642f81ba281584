import Daybook

/// A line of `Habits.csv`.
struct LoopRow {
  let columns: [String]
  let cells: [String]
  let line: HabitExport.Line

  /// The cell of the first of these columns that exists.
  private func cell(_ names: String...) -> String? {
    for name in names {
      if let index = columns.firstIndex(of: name) { return cells[index].trimmingSpace }
    }
    return nil
  }

  /// The habit's place in the list, if the export gives one.
  var position: Int? {
    get throws(ExchangeError) {
      guard let cell = cell("Position") else { return nil }
      guard let position = Int(cell), position >= 0 else {
        throw line.malformed("Position: \"\(cell)\" is not a number")
      }
      return position
    }
  }

  func habit() throws(ExchangeError) -> HabitExport.Habit {
    guard let name = cell("Name"), !name.isEmpty else { throw line.malformed("Name: it is empty") }
    var habit = HabitExport.Habit(name: name, line: line)
    habit.question = [cell("Question"), cell("Description")].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: "\n")
    habit.unit = cell("Unit") ?? ""
    habit.schedule = try schedule
    let color = cell("Color") ?? ""
    guard let found = LoopPalette.color(color) else {
      throw line.malformed("Color: \"\(color)\" is not a colour such as #1976D2")
    }
    habit.color = found
    switch cell("Type") ?? "" {
    case "", "YES_NO": break
    case "NUMERICAL":
      habit.type = .counter
      habit.target = try target
    case let other: throw line.malformed("Type: \"\(other)\" is neither YES_NO nor NUMERICAL")
    }
    switch (cell("Archived?", "Archived") ?? "").lowercased() {
    case "", "false": break
    case "true": habit.isArchived = true
    case let other: throw line.malformed("Archived?: \"\(other)\" is neither true nor false")
    }
    return habit
  }

  /// Before version 2 the columns were named for repetitions and interval.
  private var schedule: Schedule {
    get throws(ExchangeError) {
      let times = cell("FrequencyNumerator", "NumRepetitions") ?? ""
      let days = cell("FrequencyDenominator", "Interval") ?? ""
      if times.isEmpty, days.isEmpty { return .daily }
      guard let times = Int(times), let days = Int(days),
        let schedule = Schedule.quota(times, in: days)
      else {
        throw line.malformed(
          "the frequency \(times)/\(days) is not a number of times in as many or more days"
            + " (at most 1000)")
      }
      return schedule
    }
  }

  private var target: Target {
    get throws(ExchangeError) {
      let bound: Target.Bound
      switch cell("Target Type") ?? "" {
      case "", "AT_LEAST": bound = .atLeast
      case "AT_MOST": bound = .atMost
      case let other:
        throw line.malformed("Target Type: \"\(other)\" is neither AT_LEAST nor AT_MOST")
      }
      let value = cell("Target Value") ?? ""
      guard let amount = Amount(value), bound == .atMost || amount > .zero else {
        throw line.malformed(
          "Target Value: \"\(value)\" is not an amount above 0 with at most three decimals")
      }
      return Target(amount, bound)
    }
  }
}

/// Collects the days of a habit from the lines of its file.
struct LoopDays {
  private var habit: HabitExport.Habit
  private var seen: Set<Day> = []

  init(habit: HabitExport.Habit) { self.habit = habit }

  /// The habit with its days in ascending order; exports have the newest first.
  var finished: HabitExport.Habit {
    var habit = habit
    habit.entries.sort { $0.day < $1.day }
    return habit
  }

  mutating func add(
    _ record: CSVReader.Record, columns: [String], file: String
  ) throws(ExchangeError) {
    let line = HabitExport.Line(file: file, number: record.line)
    guard record.fields.count == columns.count else {
      throw line.malformed("it has \(record.fields.count) cells instead of \(columns.count)")
    }
    let cell = { (name: String) in
      columns.firstIndex(of: name).map { record.fields[$0].trimmingSpace }
    }
    let date = cell("Date") ?? ""
    guard let day = Day(date) else {
      throw line.malformed("Date: \"\(date)\" is not a day such as 2026-03-01")
    }
    guard seen.insert(day).inserted else { throw line.malformed("\(day) comes twice") }
    let note = cell("Notes").flatMap { $0.isEmpty ? nil : $0 }
    switch try mark(cell("Value") ?? "", line) {
    case .value(let amount):
      habit.entries.append(.init(day: day, value: amount, note: note, line: line))
    case .skip: habit.entries.append(.init(day: day, value: nil, note: note, line: line))
    case .computed:
      habit.computedCount += 1
      if note != nil { habit.looseNoteCount += 1 }
    case .unknown: if note != nil { habit.looseNoteCount += 1 }
    }
  }

  private enum Mark {
    case value(Amount)
    case skip
    case computed
    case unknown
  }

  /// The meaning of a cell. Loop keeps −1 for unknown, 0 no, 1 computed yes, 2 yes, 3 skip, and
  /// thousandths for a counted habit. It writes the first five as words, also for a counted habit,
  /// and once wrote them as numbers.
  private func mark(_ cell: String, _ line: HabitExport.Line) throws(ExchangeError) -> Mark {
    switch cell {
    case "YES_MANUAL":
      return .value(habit.type == .counter ? Amount(thousandths: 2) ?? .zero : .one)
    case "NO": return .value(.zero)
    case "SKIP": return .skip
    case "YES_AUTO": return .computed
    case "UNKNOWN": return .unknown
    default: break
    }
    guard let number = Int64(cell) else {
      throw line.malformed("Value: \"\(cell)\" is neither a word of Loop's nor a whole number")
    }
    if number == -1 { return .unknown }
    guard habit.type == .checkbox else {
      guard let amount = Amount(thousandths: number) else {
        throw line.malformed("Value: \(cell) is not an amount in thousandths")
      }
      return .value(amount)
    }
    switch number {
    case 0: return .value(.zero)
    case 1: return .computed
    case 2: return .value(.one)
    case 3: return .skip
    default: throw line.malformed("Value: \(cell) is not a mark of a yes-or-no habit (−1 to 3)")
    }
  }
}

import Daybook

/// Reads HabitBull's export: one table with a line for each entered day.
///
///     HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
///     Read,a page at least,Mind,2026-03-01,1,on the train
///
/// 1 is done, 0 is not done. A habit with any other value is counted: any amount above 0 is a done
/// day, because the export does not say what the target was. -2147483648 and an empty cell stand
/// for no entry. A spreadsheet that saved the file again writes -2.15E+09, days as 3/1/2026 (month
/// first), and rows without their last cells. An exact repetition of a line is skipped. A book has
/// no place for categories, or for comments on days without an entry.
struct HabitBullReader {
  /// How many habits have a category.
  private(set) var categoryCount = 0

  mutating func habits(of table: CSVReader) throws(ExchangeError) -> [HabitExport.Habit] {
    var table = table
    let path = table.file
    guard let head = try table.next() else {
      throw .malformed(file: path, line: 1, reason: "the names of the columns are missing")
    }
    let columns = head.fields.map(\.trimmingSpace)
    let date = columns.contains("CalendarDate") ? "CalendarDate" : "Date"
    guard columns.starts(with: ["HabitName", "HabitDescription", "HabitCategory"]),
      columns.contains(date), columns.contains("Value")
    else {
      throw .malformed(
        file: path, line: head.line, reason: "these are not the columns of a HabitBull export")
    }
    var days: [String: [Line]] = [:]
    var names: [String] = []
    while let record = try table.next() {
      let line = HabitExport.Line(file: path, number: record.line)
      guard record.fields.count <= columns.count else {
        throw line.malformed("it has \(record.fields.count) cells instead of \(columns.count)")
      }
      let cells = Dictionary(
        zip(columns, record.fields.map(\.trimmingSpace)), uniquingKeysWith: { first, _ in first })
      let read = try Line(cells, dateColumn: date, line)
      if days[read.name] == nil { names.append(read.name) }
      days[read.name, default: []].append(read)
    }
    var habits: [HabitExport.Habit] = []
    for name in names { habits.append(try habit(name, days[name] ?? [])) }
    return habits
  }

  /// A line of the table.
  private struct Line {
    var name: String
    var description: String
    var category: String
    var line: HabitExport.Line
    var day: Day
    /// `nil` where the day has no entry.
    var value: Amount?
    var note: String?

    var entry: HabitExport.Entry? {
      value.map { HabitExport.Entry(day: day, value: $0, note: note, line: line) }
    }

    init(
      _ cells: [String: String], dateColumn: String, _ line: HabitExport.Line
    ) throws(ExchangeError) {
      self.line = line
      name = cells["HabitName"] ?? ""
      description = cells["HabitDescription"] ?? ""
      category = cells["HabitCategory"] ?? ""
      guard !name.isEmpty else { throw line.malformed("HabitName: it is empty") }
      let date = cells[dateColumn] ?? ""
      guard let day = Self.day(date) else {
        throw line.malformed("\(dateColumn): \"\(date)\" is not a day such as 2026-03-01")
      }
      self.day = day
      let comment = cells["CommentText"] ?? cells["Notes"] ?? ""
      note = comment.isEmpty ? nil : comment
      let value = cells["Value"] ?? ""
      if value.isEmpty || Double(value).map({ $0 <= Self.noEntry }) == true { return }
      guard let amount = Amount(value) else {
        throw line.malformed("Value: \"\(value)\" is not an amount with at most three decimals")
      }
      self.value = amount
    }

    /// Values at or below this are the smallest 32-bit integer, of which a spreadsheet may keep
    /// only the first digits: `-2147483648`, `-2.1E+09`.
    private static let noEntry: Double = -2_000_000_000

    /// Months and days may have one digit.
    private static func day(_ text: String) -> Day? {
      var parts = text.split(separator: "-", omittingEmptySubsequences: false)
      if parts.count == 1 {
        parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if let year = parts.popLast() { parts.insert(year, at: 0) }
      }
      guard parts.count == 3, parts[0].count == 4 else { return nil }
      return Day(parts.map { $0.count == 1 ? "0\($0)" : String($0) }.joined(separator: "-"))
    }
  }

  private mutating func habit(
    _ name: String, _ lines: [Line]
  ) throws(ExchangeError) -> HabitExport.Habit {
    var habit = HabitExport.Habit(name: name, line: lines[0].line)
    habit.question = lines[0].description
    if lines.contains(where: { !$0.category.isEmpty }) { categoryCount += 1 }
    var notes: [Day: Set<String>] = [:]
    var entries: [Day: HabitExport.Entry] = [:]
    for line in lines {
      guard let entry = line.entry else {
        if let note = line.note, notes[line.day, default: []].insert(note).inserted {
          habit.looseNoteCount += 1
        }
        continue
      }
      guard let other = entries[entry.day] else {
        entries[entry.day] = entry
        continue
      }
      guard (other.value, other.note) == (entry.value, entry.note) else {
        throw entry.line.malformed("\(entry.day) comes twice, with different content")
      }
    }
    if entries.values.contains(where: { $0.value != .zero && $0.value != .one }) {
      habit.type = .counter
      habit.target = Target(.smallest)
    }
    habit.entries = entries.values.sorted { $0.day < $1.day }
    return habit
  }
}

extension Amount {
  /// The smallest amount above zero.
  fileprivate static let smallest = Amount(thousandths: 1) ?? .one
}

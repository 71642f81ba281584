import Daybook
import Journal

/// Reads the CSV files of a Loop export from a directory, or from the archive that Loop writes.
///
///     Habits.csv                     a habit on each line
///     NNN Name/Checkmarks.csv        Date,Value,Notes: the days of the habit at position NNN
///     Checkmarks.csv                 a column for each habit: read where a habit's own file is missing
///
/// Columns are found by name; columns missing in older versions take their defaults. The days that
/// Loop computed (`YES_AUTO`) are counted and left out.
struct LoopReader {
  private let files: ForeignFiles

  init(at path: String, _ storage: any Storage) throws(ExchangeError) {
    files = try ForeignFiles(at: path, storage, Self.isWanted)
  }

  /// Reads an archive whose bytes are given.
  init(archive bytes: [UInt8], named name: String) throws(ExchangeError) {
    files = try ForeignFiles(archive: bytes, named: name, Self.isWanted)
  }

  private static func isWanted(_ name: String) -> Bool { name.hasSuffix("s.csv") }

  func habits() throws(ExchangeError) -> [HabitExport.Habit] {
    guard let names = try files.names(), names.contains("Habits.csv") else {
      throw .notALoopExport(path: files.path)
    }
    var (habits, positions) = try described()
    let common =
      names.contains("Checkmarks.csv") ? try LoopTable(files.table("Checkmarks.csv")) : nil
    let numbered = Dictionary(grouping: names) { Self.number(ofFolder: $0) }
    var folders: [String?] = []
    for index in habits.indices {
      let candidates = numbered[positions[index]] ?? []
      folders.append(try folder(among: candidates, of: habits[index]))
    }
    for index in habits.indices {
      if let folder = folders[index] {
        try readDays(of: &habits[index], "\(folder)/Checkmarks.csv")
      } else if let common {
        try common.readDays(of: &habits[index], column: index + 1, habitCount: habits.count)
      } else {
        throw habits[index].line.malformed(
          "the folder of \"\(habits[index].name)\" with its Checkmarks.csv is missing, and so is the common table"
        )
      }
    }
    return habits
  }

  // MARK: Habits.csv

  private func described() throws(ExchangeError) -> ([HabitExport.Habit], positions: [Int]) {
    var reader = try files.table("Habits.csv")
    let path = reader.file
    guard let head = try reader.next() else {
      throw .malformed(file: path, line: 1, reason: "the names of the columns are missing")
    }
    let columns = head.fields.map(\.trimmingSpace)
    guard columns.contains("Name") else {
      throw .malformed(file: path, line: head.line, reason: "there is no column \"Name\"")
    }
    var habits: [HabitExport.Habit] = []
    var positions: [Int] = []
    var known: Set<Int> = []
    while let record = try reader.next() {
      let line = HabitExport.Line(file: path, number: record.line)
      guard record.fields.count == columns.count else {
        throw line.malformed("it has \(record.fields.count) cells, the first line \(columns.count)")
      }
      let row = LoopRow(columns: columns, cells: record.fields, line: line)
      let position = try row.position ?? habits.count + 1
      guard known.insert(position).inserted else {
        throw line.malformed("another habit has the position \(position)")
      }
      positions.append(position)
      habits.append(try row.habit())
    }
    return (habits, positions)
  }

  /// The position of a folder's habit: the number before the name.
  private static func number(ofFolder name: String) -> Int? {
    let digits = name.utf8.prefix { (0x30...0x39).contains($0) }
    guard digits.count == name.utf8.count || name.utf8.dropFirst(digits.count).first == 0x20 else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The folder with a habit's number that holds days.
  private func folder(
    among names: [String], of habit: HabitExport.Habit
  ) throws(ExchangeError) -> String? {
    var found: [String] = []
    for name in names {
      guard let inside = try files.names(in: name), inside.contains("Checkmarks.csv") else {
        continue
      }
      found.append(name)
    }
    guard found.count <= 1 else {
      throw habit.line.malformed(
        "several folders have its position: \(found.joined(separator: ", "))")
    }
    return found.first
  }

  // MARK: NNN Name/Checkmarks.csv

  private func readDays(
    of habit: inout HabitExport.Habit, _ name: String
  ) throws(ExchangeError) {
    var reader = try files.table(name)
    guard let first = try reader.next() else { return }
    var days = LoopDays(habit: habit)
    var columns = first.fields.map(\.trimmingSpace)
    if Day(columns[0]) != nil {
      // The first versions wrote no column names.
      columns = ["Date", "Value"]
      try days.add(first, columns: columns, file: reader.file)
    } else {
      guard columns.contains("Date"), columns.contains("Value") else {
        throw .malformed(
          file: reader.file, line: first.line, reason: "there are no columns \"Date\" and \"Value\""
        )
      }
    }
    while let record = try reader.next() {
      try days.add(record, columns: columns, file: reader.file)
    }
    habit = days.finished
  }

}

/// The export's single table of all habits; its first line does not quote their names.
private struct LoopTable {
  let file: String
  let records: [CSVReader.Record]

  init(_ csv: CSVReader) throws(ExchangeError) {
    var csv = csv
    var records: [CSVReader.Record] = []
    while let record = try csv.next() { records.append(record) }
    let hasHead = records.first.map { Day($0.fields[0].trimmingSpace) == nil } ?? false
    self.records = Array(records.dropFirst(hasHead ? 1 : 0))
    file = csv.file
  }

  func readDays(
    of habit: inout HabitExport.Habit, column: Int, habitCount: Int
  ) throws(ExchangeError) {
    var days = LoopDays(habit: habit)
    for record in records {
      let isTrailing = record.fields.count == habitCount + 2 && record.fields.last == ""
      guard record.fields.count == habitCount + 1 || isTrailing else {
        throw .malformed(
          file: file, line: record.line,
          reason: "it does not have one cell for each of the \(habitCount) habits of Habits.csv")
      }
      let cells = CSVReader.Record(
        line: record.line, fields: [record.fields[0], record.fields[column]])
      try days.add(cells, columns: ["Date", "Value"], file: file)
    }
    habit = days.finished
  }
}

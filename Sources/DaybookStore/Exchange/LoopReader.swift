import Daybook
import Journal

/// Reads the files of a Loop export.
struct LoopReader {
  let directory: String
  let storage: any Storage

  func habits() throws(ExchangeError) -> [LoopExport.Habit] {
    guard let names = try onDisk({ () throws(StorageError) in try storage.names(in: directory) }),
      names.contains("Habits.csv")
    else { throw .notALoopExport(path: directory) }
    var (habits, positions) = try described()
    let common = names.contains("Checkmarks.csv") ? try LoopTable(csv("Checkmarks.csv")) : nil
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

  private func described() throws(ExchangeError) -> ([LoopExport.Habit], positions: [Int]) {
    var reader = try csv("Habits.csv")
    let path = reader.file
    guard let head = try reader.next() else {
      throw .malformed(file: path, line: 1, reason: "the names of the columns are missing")
    }
    let columns = head.fields.map(\.trimmed)
    guard columns.contains("Name") else {
      throw .malformed(file: path, line: head.line, reason: "there is no column \"Name\"")
    }
    var habits: [LoopExport.Habit] = []
    var positions: [Int] = []
    var known: Set<Int> = []
    while let record = try reader.next() {
      let line = LoopExport.Line(file: path, number: record.line)
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

  /// The position of the habit that a folder is of: its number, then what is left of the name.
  private static func number(ofFolder name: String) -> Int? {
    let digits = name.utf8.prefix { (0x30...0x39).contains($0) }
    guard digits.count == name.utf8.count || name.utf8.dropFirst(digits.count).first == 0x20 else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The one of the folders with a habit's number that holds days.
  private func folder(
    among names: [String], of habit: LoopExport.Habit
  ) throws(ExchangeError) -> String? {
    var found: [String] = []
    for name in names {
      guard
        let inside = try onDisk({ () throws(StorageError) in try storage.names(in: path(name)) }),
        inside.contains("Checkmarks.csv")
      else { continue }
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
    of habit: inout LoopExport.Habit, _ name: String
  ) throws(ExchangeError) {
    var reader = try csv(name)
    guard let first = try reader.next() else { return }
    var days = LoopDays(habit: habit)
    var columns = first.fields.map(\.trimmed)
    if Day(columns[0]) != nil {
      // The first versions wrote no names of columns.
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

  private func path(_ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  private func csv(_ name: String) throws(ExchangeError) -> CSVReader {
    let path = path(name)
    let bytes = try onDisk { () throws(StorageError) in
      let file = try storage.open(path, .read)
      var bytes: [UInt8] = []
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
      return bytes
    }
    return CSVReader(bytes, file: path)
  }
}

/// The export's one table of all habits, whose first line does not quote their names.
private struct LoopTable {
  let file: String
  let records: [CSVReader.Record]

  init(_ csv: CSVReader) throws(ExchangeError) {
    var csv = csv
    var records: [CSVReader.Record] = []
    while let record = try csv.next() { records.append(record) }
    let hasHead = records.first.map { Day($0.fields[0].trimmed) == nil } ?? false
    self.records = Array(records.dropFirst(hasHead ? 1 : 0))
    file = csv.file
  }

  func readDays(
    of habit: inout LoopExport.Habit, column: Int, habitCount: Int
  ) throws(ExchangeError) {
    var days = LoopDays(habit: habit)
    for record in records {
      let isTrailing = record.fields.count == habitCount + 2 && record.fields.last == ""
      guard record.fields.count == habitCount + 1 || isTrailing else {
        throw .malformed(
          file: file, line: record.line,
          reason: "it has not one cell for each of the \(habitCount) habits of Habits.csv")
      }
      let cells = CSVReader.Record(
        line: record.line, fields: [record.fields[0], record.fields[column]])
      try days.add(cells, columns: ["Date", "Value"], file: file)
    }
    habit = days.finished
  }
}

extension String {
  /// The text without the white space around it.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

/// Runs file operations; what the disk refuses becomes an exchange error.
private func onDisk<Result>(
  _ operations: () throws(StorageError) -> Result
) throws(ExchangeError) -> Result {
  do throws(StorageError) { return try operations() } catch { throw .storage(error) }
}

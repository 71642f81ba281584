import Archives
import Calendar
import Daybook

/// Reads Todoist's exports: a project as CSV ("Export as CSV", also a template), or the archive of
/// a backup, which has one such file for each project.
///
///     TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,…
///     task,Water the ferns @home,,4,1,Kai (1),,every monday at 9am,en,Europe/London,,
///     note,Not too much,,,,Kai (1),,,,,,
///
/// A task is a part of the nearest task above it with a smaller indent; a note belongs to the task
/// above it. The words after an `@` at the end of a title, and the project, become labels. A date
/// that is not understood is kept as a line of the notes.
enum TodoistReader {
  static func tasks(of bytes: [UInt8], _ path: String) throws(ExchangeError) -> TaskExport {
    var export = TaskExport(program: .todoist)
    guard ZipArchive.begins(bytes) else {
      try read(CSVReader(bytes, file: path), project: project(of: path), into: &export)
      return export
    }
    let files = try ForeignFiles.archived(bytes, path) { $0.lowercased().hasSuffix(".csv") }
    guard !files.isEmpty else {
      throw .notUnderstood(path: path, reason: "there is no CSV file in it.")
    }
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      try read(
        CSVReader(bytes, file: "\(path)/\(name)"), project: project(of: name), into: &export)
    }
    return export
  }

  /// The project's name, which is the file's name without the number at its end:
  /// `Home [2203306141].csv`.
  private static func project(of path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    if name.lowercased().hasSuffix(".csv") { name.removeLast(4) }
    if name.hasSuffix("]"), let start = name.lastIndex(of: "[") { name = String(name[..<start]) }
    return name.trimmingSpace
  }

  private static func read(
    _ table: CSVReader, project: String, into export: inout TaskExport
  ) throws(ExchangeError) {
    var table = table
    let path = table.file
    guard let head = try table.next() else { return }
    let columns = head.fields.map { $0.trimmingSpace.uppercased() }
    guard columns.first == "TYPE", columns.contains("CONTENT") else {
      throw .malformed(
        file: path, line: head.line, reason: "these are not the columns of a Todoist export")
    }
    // The last task of each depth that may have parts.
    var above: [Int] = []
    var known: [[String]: Int] = [:]
    while let record = try table.next() {
      let line = HabitExport.Line(file: path, number: record.line)
      let row = Row(columns: columns, fields: record.fields.map(\.trimmingSpace))
      switch row["TYPE"].lowercased() {
      case "task":
        let depth = max(1, min(Int(row["INDENT"]) ?? 1, above.count + 1))
        above.removeLast(above.count - depth + 1)
        var task = try task(row, project, line, &export.leftOut)
        task.parent = above.last
        let place = (above.last.map { export.tasks[$0].identity } ?? [project]) + [row["CONTENT"]]
        let ordinal = known[place, default: 0]
        known[place] = ordinal + 1
        task.identity = ordinal == 0 ? place : place + [String(ordinal)]
        above.append(export.tasks.count)
        export.tasks.append(task)
      case "note":
        guard let last = above.last else {
          export.leftOut.note("comments on a project")
          continue
        }
        export.tasks[last].notes.append(row["CONTENT"])
      case "section": export.leftOut.note("sections")
      case "", "meta": continue
      default: throw line.malformed("TYPE: \"\(row["TYPE"])\" is not a type of Todoist")
      }
    }
  }

  /// A line of the table; the last columns may be missing.
  private struct Row {
    let columns: [String]
    let fields: [String]

    subscript(_ name: String) -> String {
      guard let place = columns.firstIndex(of: name), fields.indices.contains(place) else {
        return ""
      }
      return fields[place]
    }
  }

  private static func task(
    _ row: Row, _ project: String, _ line: HabitExport.Line, _ leftOut: inout [Omission]
  ) throws(ExchangeError) -> TaskExport.Task {
    var words = row["CONTENT"].split(separator: " ", omittingEmptySubsequences: true)
    var labels: [String] = []
    while let last = words.last, last.hasPrefix("@"), last.count > 1 {
      labels.insert(String(last.dropFirst()), at: 0)
      words.removeLast()
    }
    let title = words.joined(separator: " ")
    guard !title.isEmpty else { throw line.malformed("CONTENT: it is empty") }
    var task = TaskExport.Task(
      identity: [], title: title, labels: [project].filter { !$0.isEmpty } + labels, line: line)
    if !row["DESCRIPTION"].isEmpty { task.notes.append(row["DESCRIPTION"]) }
    for (column, what) in [
      ("RESPONSIBLE", "responsible persons"), ("DURATION", "durations"), ("DEADLINE", "deadlines"),
    ] where !["", "None"].contains(row[column]) { leftOut.note(what) }
    if !["", "4"].contains(row["PRIORITY"]) { leftOut.note("priorities") }
    let date = row["DATE"]
    guard !date.isEmpty else { return task }
    if let found = TodoistDate(date) {
      (task.due, task.recurrence) = (found.due, found.recurrence)
      task.time = found.time
      task.repeatsFromCompletion = found.repeatsFromCompletion
    } else {
      task.notes.append("Todoist: \(date)")
      leftOut.note("dates that were not understood, kept in the notes")
    }
    return task
  }
}

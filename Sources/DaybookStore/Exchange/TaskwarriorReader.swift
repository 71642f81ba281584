import Avro
import Calendar
import Daybook

/// Reads what `task export` of Taskwarrior writes: an array of objects, or an object a line.
///
///     {"uuid":"…","description":"Pay the rent","status":"pending","due":"20260331T220000Z","recur":"monthly",
///      "project":"Home","tags":["money"],"annotations":[{"entry":"…","description":"by transfer"}]}
///
/// Projects and tags are labels. Of what repeats the template is taken, and its instances, which Taskwarrior makes of it, are
/// left out.
enum TaskwarriorReader {
  static func tasks(of bytes: [UInt8], _ path: String) throws(ExchangeError) -> TaskExport {
    var export = TaskExport(program: .taskwarrior)
    var known: Set<String> = []
    for (number, json) in try objects(of: bytes, path) {
      let line = HabitExport.Line(file: path, number: number)
      guard let id = json["uuid"]?.text, !id.isEmpty else {
        throw line.malformed("an object has no \"uuid\"")
      }
      guard known.insert(id).inserted else { throw line.malformed("the uuid \(id) comes twice") }
      guard let title = json["description"]?.text?.trimmed, !title.isEmpty else {
        throw line.malformed("\(id) has no \"description\"")
      }
      let status = json["status"]?.text ?? "pending"
      if status == "deleted" {
        export.leftOut.note("deleted tasks")
        continue
      }
      if json["parent"] != nil, status != "completed" {
        export.leftOut.note("instances of repeating tasks")
        continue
      }
      if !statuses.contains(status) { export.leftOut.note("statuses that were not understood") }
      let task = TaskExport.Task(identity: [id], title: title, line: line)
      export.tasks.append(try filled(task, json, status, &export.leftOut))
    }
    return export
  }

  private static func filled(
    _ empty: TaskExport.Task, _ json: JSON, _ status: String, _ leftOut: inout [LeftOut]
  ) throws(ExchangeError) -> TaskExport.Task {
    var task = empty
    if let project = json["project"]?.text, !project.isEmpty { task.labels.append(project) }
    task.labels += texts("tags", json, &leftOut, text: \.text)
    task.notes = texts("annotations", json, &leftOut) { $0["description"]?.text }
    task.due = try instant("due", json, task.line).map { .instant($0) }
    task.isDone = status == "completed"
    if task.isDone { task.completed = try instant("end", json, task.line) }
    // A template repeats, or something that was not looked at by Taskwarrior yet.
    if let recur = json["recur"]?.text, !task.isDone {
      if let rule = rule(recur) {
        task.recurrence = rule
      } else {
        task.notes.append("Taskwarrior: every \(recur)")
        leftOut.note("repetitions that were not understood, kept in the notes")
      }
    }
    for (name, what) in [
      ("priority", "priorities"), ("depends", "dependencies"), ("wait", "waiting times"),
      ("scheduled", "scheduled times"), ("until", "expiries"), ("start", "starts"),
    ] where !task.isDone && json[name]?.isNothing == false { leftOut.note(what) }
    for member in json.members ?? []
    where !attributes.contains(member.name) && !member.value.isNothing {
      // A hostile file may have as many names as it likes.
      leftOut.note("values of \(leftOut.count < 20 ? member.name : "other attributes")")
    }
    return task
  }

  /// The statuses that Taskwarrior has.
  private static let statuses: Set<String> = [
    "pending", "waiting", "recurring", "completed", "deleted",
  ]

  /// Taskwarrior's own attributes; any other is a person's or an extension's.
  private static let attributes: Set<String> = [
    "annotations", "depends", "description", "due", "end", "entry", "id", "imask", "last", "mask",
    "modified", "parent", "priority", "project", "recur", "rlast", "rtype", "scheduled", "start",
    "status", "tags", "template", "until", "urgency", "uuid", "wait",
  ]

  /// The texts of a list; what is none is left out.
  private static func texts(
    _ name: String, _ json: JSON, _ leftOut: inout [LeftOut], text: (JSON) -> String?
  ) -> [String] {
    guard let value = json[name], !value.isNothing else { return [] }
    let elements = value.elements ?? [value]
    let texts = value.elements == nil ? [] : elements.compactMap(text)
    for _ in texts.count..<elements.count { leftOut.note("\(name) that were not understood") }
    return texts
  }

  // MARK: JSON

  /// The objects, each with the line on which it stands; all of an array stand on the first.
  private static func objects(
    of bytes: [UInt8], _ path: String
  ) throws(ExchangeError) -> [(Int, JSON)] {
    let start = bytes.first { $0 > 0x20 }
    if start == UInt8(ascii: "[") {
      let json = try parsed(bytes, path, 1)
      return (json.elements ?? []).map { (1, $0) }
    }
    var objects: [(Int, JSON)] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      // Older versions end each line of an array's elements with a comma.
      let text = line.last == UInt8(ascii: ",") ? line.dropLast() : line
      objects.append((number + 1, try parsed(Array(text), path, number + 1)))
    }
    return objects
  }

  private static func parsed(
    _ bytes: [UInt8], _ path: String, _ line: Int
  ) throws(ExchangeError) -> JSON {
    do throws(JSONError) { return try JSON(parsing: bytes) } catch {
      throw .malformed(file: path, line: line, reason: "it is \(error.description)")
    }
  }

  // MARK: Times

  /// `20260331T220000Z`.
  private static func instant(
    _ name: String, _ json: JSON, _ line: HabitExport.Line
  ) throws(ExchangeError) -> Instant? {
    guard let text = json[name]?.text else { return nil }
    let digits = Array(text)
    guard digits.count == 16, digits[8] == "T", digits[15] == "Z" else {
      throw line.malformed("\(name): \"\(text)\" is not a time such as 20260331T220000Z")
    }
    let part = { (range: Range<Int>) in String(digits[range]) }
    let iso =
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z"
    guard let instant = Instant(iso) else {
      throw line.malformed("\(name): \"\(text)\" is not a time such as 20260331T220000Z")
    }
    return instant
  }

  private static let rules = [
    "daily": "FREQ=DAILY", "day": "FREQ=DAILY", "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekly": "FREQ=WEEKLY", "sennight": "FREQ=WEEKLY", "biweekly": "FREQ=WEEKLY;INTERVAL=2",
    "fortnight": "FREQ=WEEKLY;INTERVAL=2", "monthly": "FREQ=MONTHLY", "month": "FREQ=MONTHLY",
    "bimonthly": "FREQ=MONTHLY;INTERVAL=2", "quarterly": "FREQ=MONTHLY;INTERVAL=3",
    "semiannual": "FREQ=MONTHLY;INTERVAL=6", "annual": "FREQ=YEARLY", "yearly": "FREQ=YEARLY",
    "biannual": "FREQ=YEARLY;INTERVAL=2", "biyearly": "FREQ=YEARLY;INTERVAL=2",
  ]

  /// `weekly`, `3d`, `2 weeks`, `P1M`.
  private static func rule(_ text: String) -> String? {
    let text = text.lowercased()
    if let rule = rules[text] { return rule }
    let body = text.hasPrefix("p") ? text.dropFirst() : text[...]
    let digits = body.prefix { $0.isNumber && $0.isASCII }
    guard let count = Int(digits), (1...999).contains(count) else { return nil }
    let interval = count == 1 ? "" : ";INTERVAL=\(count)"
    switch body.dropFirst(digits.count).filter({ $0 != " " }) {
    case "d", "day", "days": return "FREQ=DAILY\(interval)"
    case "w", "wk", "wks", "week", "weeks": return "FREQ=WEEKLY\(interval)"
    case "m", "mo", "mos", "mth", "mths", "month", "months": return "FREQ=MONTHLY\(interval)"
    case "q", "qtr", "qtrs", "quarter", "quarters": return "FREQ=MONTHLY;INTERVAL=\(count * 3)"
    case "y", "yr", "yrs", "year", "years": return "FREQ=YEARLY\(interval)"
    default: return nil
    }
  }
}

extension JSON {
  /// Whether it says nothing.
  fileprivate var isNothing: Bool { [.null, "", []].contains(self) }
}

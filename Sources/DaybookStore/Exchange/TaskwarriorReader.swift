import Avro
import Calendar
import Daybook
import Values

/// Reads the output of Taskwarrior's `task export`: an array of objects, or one object a line.
///
///     {"uuid":"…","description":"Pay the rent","status":"pending","due":"20260331T220000Z","recur":"monthly",
///      "project":"Home","tags":["money"],"annotations":[{"entry":"…","description":"by transfer"}]}
///
/// Projects and tags become labels. A repeating task is read from its template; the instances that
/// Taskwarrior makes of it are left out. A malformed attribute is dropped and reported, and the
/// task is kept. A file in which no object is a task is refused.
struct TaskwarriorReader {
  private var export = TaskExport(program: .taskwarrior)
  /// The attributes not defined by Taskwarrior that are reported by name.
  private var named: Set<String> = []

  static func tasks(of bytes: [UInt8], _ path: String) throws(ExchangeError) -> TaskExport {
    var reader = TaskwarriorReader()
    var known: Set<String> = []
    var fault: ExchangeError?
    for (number, json) in try objects(of: bytes, path) {
      let line = HabitExport.Line(file: path, number: number)
      guard let id = json["uuid"]?.text, !id.isEmpty else {
        fault = fault ?? line.malformed("an object has no \"uuid\"")
        reader.omit("objects without a uuid")
        continue
      }
      guard let title = json["description"]?.text?.trimmingSpace, !title.isEmpty else {
        fault = fault ?? line.malformed("\(id) has no \"description\"")
        reader.omit("tasks without a description")
        continue
      }
      guard known.insert(id).inserted else { throw line.malformed("the uuid \(id) comes twice") }
      reader.read(json, TaskExport.Task(identity: [id], title: title, line: line))
    }
    if known.isEmpty, let fault { throw fault }
    return reader.export
  }

  private mutating func read(_ json: JSON, _ empty: TaskExport.Task) {
    let status = text("status", of: json, "statuses") ?? "pending"
    if status == "deleted" { return omit("deleted tasks") }
    if text("parent", of: json, "parents") != nil, status != "completed" {
      return omit("instances of repeating tasks")
    }
    if !Self.statuses.contains(status) { omit("statuses that were not understood") }
    var task = empty
    task.isDone = status == "completed"
    if let project = text("project", of: json, "projects") { task.labels.append(project) }
    task.labels += tags(of: json)
    task.notes = annotations(of: json)
    task.due = instant("due", of: json, &task.notes).map { .instant($0) }
    if task.isDone {
      task.completed = instant("end", of: json, &task.notes)
    } else {
      readRepetition(of: json, &task)
      for (name, what) in Self.untaken where json[name]?.isNothing == false { omit(what) }
    }
    for member in json.members ?? []
    where !Self.attributes.contains(member.name) && !member.value.isNothing {
      tellValue(of: Limit.name.cut(member.name))
    }
    export.tasks.append(task)
  }

  /// Reads the repetition of a template, or of a task that Taskwarrior has not processed yet.
  private mutating func readRepetition(of json: JSON, _ task: inout TaskExport.Task) {
    guard let recur = text("recur", of: json, "repetitions") else { return }
    task.recurrence = TaskwarriorDuration.rule(recur)
    guard task.recurrence == nil else { return }
    task.notes.append("Taskwarrior: every \(Limit.name.cut(recur))")
    omit("repetitions that were not understood, kept in the notes")
  }

  // MARK: Reporting

  private mutating func omit(_ what: String) { export.leftOut.note(what) }

  /// Reports an unknown attribute. A hostile file may have any number of names, so only the first
  /// are reported by name.
  private mutating func tellValue(of name: String) {
    let isNamed = named.contains(name) || named.count < 20
    if isNamed { named.insert(name) }
    omit("values of \(isNamed ? name : "other attributes")")
  }

  /// The statuses that Taskwarrior has.
  private static let statuses: Set<String> = [
    "pending", "waiting", "recurring", "completed", "deleted",
  ]

  /// The attributes that a book has no place for, with the words for them. They matter only for
  /// open tasks.
  private static let untaken = [
    ("priority", "priorities"), ("depends", "dependencies"), ("wait", "waiting times"),
    ("scheduled", "scheduled times"), ("until", "expiries"), ("start", "starts"),
    ("end", "ends of open tasks"),
  ]

  /// Taskwarrior's own attributes; any other comes from a person or an extension. Those that are
  /// neither imported nor reported are its bookkeeping.
  private static let attributes: Set<String> = [
    "annotations", "depends", "description", "due", "end", "entry", "id", "imask", "last", "mask",
    "modification", "modified", "parent", "priority", "project", "recur", "rlast", "rtype",
    "scheduled", "start", "status", "tags", "template", "until", "urgency", "uuid", "wait",
  ]

  // MARK: Attributes

  /// An attribute's text on one line. Another type of value, or a blank text, is reported.
  private mutating func text(_ name: String, of json: JSON, _ what: String) -> String? {
    guard let value = json[name], !value.isNothing else { return nil }
    guard let text = value.text?.asOneLine, !text.isEmpty else {
      omit("\(what) that were not understood")
      return nil
    }
    return text
  }

  /// The tags, a list of texts. A single text is one tag, as in Taskwarrior.
  private mutating func tags(of json: JSON) -> [String] {
    guard let value = json["tags"], !value.isNothing else { return [] }
    var tags: [String] = []
    for tag in value.elements ?? [value] {
      guard let tag = tag.text?.asOneLine, !tag.isEmpty else {
        omit("tags that were not understood")
        continue
      }
      tags.append(tag)
      if value.elements == nil { omit("tags written as a text, taken as one tag") }
    }
    return tags
  }

  /// The annotations, a list of objects with a `description`. A single text is one annotation.
  private mutating func annotations(of json: JSON) -> [String] {
    guard let value = json["annotations"], !value.isNothing else { return [] }
    var notes: [String] = []
    for annotation in value.elements ?? [value] {
      let note = annotation.text ?? annotation["description"]?.text
      guard let note, !note.trimmingSpace.isEmpty else {
        omit("annotations that were not understood")
        continue
      }
      notes.append(note)
      if annotation.text != nil { omit("annotations written as a text, kept in the notes") }
    }
    return notes
  }

  /// A time such as `20260331T220000Z`. A text in another form is kept in the notes.
  private mutating func instant(
    _ name: String, of json: JSON, _ notes: inout [String]
  ) -> Instant? {
    guard let text = text(name, of: json, "dates") else { return nil }
    if let instant = Self.instant(text) { return instant }
    notes.append("Taskwarrior: \(name) \(Limit.name.cut(text))")
    omit("dates that were not understood, kept in the notes")
    return nil
  }

  private static func instant(_ text: String) -> Instant? {
    let digits = Array(text)
    guard digits.count == 16, digits[8] == "T", digits[15] == "Z" else { return nil }
    let part = { (range: Range<Int>) in String(digits[range]) }
    let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    return Instant("\(day)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
  }

  // MARK: JSON

  /// The objects, each with its line; all objects of an array have the first line.
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
      // Older versions write each element of an array on a line that ends with a comma.
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
}

extension JSON {
  /// Whether the value is empty.
  fileprivate var isNothing: Bool { [.null, "", []].contains(self) }
}

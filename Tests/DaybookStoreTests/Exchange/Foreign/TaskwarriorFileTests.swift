import Daybook
import Testing

@testable import DaybookStore

/// Malformed attributes of Taskwarrior tasks, and how they are reported.
@Suite(.tags(.unit)) struct TaskwarriorFileTests {
  @Test func `the ignored parts of a Taskwarrior task are reported, also by a dry run`() throws {
    let text = """
      [{"uuid":"a","description":"Write","status":"hidden","estimate":3,"tags":"home","annotations":"a note"},
      {"uuid":"b","description":"Call","tags":["home",7],"annotations":[{"description":"b"},"c"],"estimate":"","id":4}]
      """
    let export = try TaskFileTests.export(text, from: .taskwarrior, at: "tasks.json")
    #expect(
      Self.told(export.leftOut) == [
        "1 statuses that were not understood", "1 tags written as a text, taken as one tag",
        "2 annotations written as a text, kept in the notes", "1 values of estimate",
        "1 tags that were not understood",
      ])
    #expect(export.tasks.map(\.labels) == [["home"], ["home"]])
    #expect(export.tasks.map(\.notes) == [["a note"], ["b", "c"]])
    let (book, ada) = try TaskFileTests.book()
    #expect(try book.importTasks(export, for: ada, trying: true).leftOut == export.leftOut)
  }

  private static func told(_ leftOut: [Omission]) -> [String] {
    leftOut.map { "\($0.count) \($0.what)" }
  }

  @Test func `a malformed Taskwarrior date loses only that date`() throws {
    let (book, ada) = try TaskFileTests.book()
    let text = """
      [{"uuid":"a","description":"Pay","due":"soon","recur":"weekly"},
      {"uuid":"b","description":"Call","status":"completed","due":20260331,"end":"20260230T100000Z"},
      {"uuid":"c","description":"Write","due":"20260306T160000Z"}]
      """
    let export = try TaskFileTests.export(text, from: .taskwarrior, at: "tasks.json")
    let summary = try book.importTasks(export, for: ada)
    #expect(
      Self.told(summary.leftOut) == [
        "2 dates that were not understood, kept in the notes", "1 dates that were not understood",
      ])
    // A repeating task without a date starts at its next time from today on.
    #expect(
      TaskFileTests.tasks(book) == [
        "Pay, ROUTINES, 2026-03-04T23:59:00Z, FREQ=WEEKLY", "Call, THIS_WEEK, done",
        "Write, THIS_WEEK, 2026-03-06T16:00:00Z",
      ])
    #expect(
      book.read { $0.tasks.elements.map(\.description) } == [
        "Taskwarrior: due soon", "Taskwarrior: end 20260230T100000Z", nil,
      ])
    #expect(
      book.read { $0.tasks.elements[1].completed?.description } == "2026-03-04T12:00:00Z")
  }

  @Test func `a Taskwarrior task with an empty parent is not a recurrence instance`() throws {
    let text = """
      [{"uuid":"a","description":"Write","parent":null},{"uuid":"b","description":"Call","parent":""},
      {"uuid":"c","description":"Pay","parent":"x"},{"uuid":"d","description":"Sweep","parent":7}]
      """
    let export = try TaskFileTests.export(text, from: .taskwarrior, at: "tasks.json")
    #expect(export.tasks.map(\.title) == ["Write", "Call", "Sweep"])
    #expect(
      Self.told(export.leftOut) == [
        "1 instances of repeating tasks", "1 parents that were not understood",
      ])
  }

  @Test func `empty tags and projects of Taskwarrior are skipped and reported`() throws {
    let (book, ada) = try TaskFileTests.book()
    let text = """
      [{"uuid":"a","description":"Write","project":"  ","tags":["","home"," "]},
      {"uuid":"b","description":"Call","project":7,"tags":["a",null,7,[],{}]},
      {"uuid":"c","description":"Pay","annotations":[{"description":"a"},{"description":" "},{"entry":"b"},7,"c"]}]
      """
    let export = try TaskFileTests.export(text, from: .taskwarrior, at: "tasks.json")
    #expect(try book.importTasks(export, for: ada).labelsMade == 2)
    #expect(
      Self.told(export.leftOut) == [
        "2 projects that were not understood", "6 tags that were not understood",
        "3 annotations that were not understood",
        "1 annotations written as a text, kept in the notes",
      ])
    #expect(
      TaskFileTests.tasks(book) == [
        "Write, THIS_WEEK, home", "Call, THIS_WEEK, a", "Pay, THIS_WEEK",
      ])
    #expect(export.tasks[2].notes == ["a", "c"])
  }

  @Test func `label names that differ only in case and accents are one label`() throws {
    let (book, ada) = try TaskFileTests.book()
    try book.record(CreateLabel(name: "Home"), by: ada)
    let text = """
      [{"uuid":"a","description":"Write","project":"home","tags":["café","Cafe","CAFÉ","HÓME"]}]
      """
    let export = try TaskFileTests.export(text, from: .taskwarrior, at: "tasks.json")
    #expect(try book.importTasks(export, for: ada).labelsMade == 1)
    #expect(TaskFileTests.tasks(book) == ["Write, THIS_WEEK, Home+café"])
  }

  @Test func `at most twenty Taskwarrior attributes are reported by name`() throws {
    let values = (0..<30).map { "\"u\($0)\":1" }.joined(separator: ",")
    let export = try TaskFileTests.export(
      "[{\"uuid\":\"a\",\"description\":\"x\",\(values)},"
        + "{\"uuid\":\"b\",\"description\":\"y\",\"u29\":1,\"u0\":1}]", from: .taskwarrior)
    let told = Self.told(export.leftOut)
    #expect(told.count == 21 && told[0] == "2 values of u0" && told[19] == "1 values of u19")
    #expect(told[20] == "11 values of other attributes")
  }

  @Test func `an invalid Taskwarrior object is left out, and the tasks beside it are read`()
    throws
  {
    let text = """
      [{"description":"x"},{"uuid":5,"description":"y"},{"uuid":"a"},7,{"uuid":"b","description":"Call"}]
      """
    let export = try TaskFileTests.export(text, from: .taskwarrior)
    #expect(export.tasks.map(\.title) == ["Call"])
    #expect(
      Self.told(export.leftOut) == ["3 objects without a uuid", "1 tasks without a description"])
  }

  @Test(arguments: [
    ("daily day 1d 1days P1D", "FREQ=DAILY"), ("3d 3days 3daily P3D", "FREQ=DAILY;INTERVAL=3"),
    ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ("weekly week wk 1w 1wks 1weeks P1W", "FREQ=WEEKLY"),
    ("biweekly fortnight 2w 2wk 1sennight P2W", "FREQ=WEEKLY;INTERVAL=2"),
    ("monthly month mth mo 1m 1mos 1mths 1mnths 1months P1M", "FREQ=MONTHLY"),
    ("bimonthly 2m 2mo P2M", "FREQ=MONTHLY;INTERVAL=2"),
    (
      "quarterly quarter qrtr qtr 1q 1qtrs 1qrtrs 1quarters 3m P3M",
      "FREQ=MONTHLY;INTERVAL=3"
    ),
    ("semiannual 2q 2qtr 6months P6M", "FREQ=MONTHLY;INTERVAL=6"),
    ("yearly annual year yr 1y 1yrs 1years P1Y", "FREQ=YEARLY"),
    ("biannual biyearly 2y 2annual P2Y", "FREQ=YEARLY;INTERVAL=2"),
    (
      "d w m q y weeks hour 12h 30min PT12H 86400 0d -2d 1.5w 1000d 99999999999999999999d P PD P1Y6M 2weekdays",
      "-"
    ),
  ])
  func `a Taskwarrior recurrence is read by Taskwarrior's own table`(texts: String, rule: String) {
    for text in texts.split(separator: " ") {
      #expect((TaskwarriorDuration.rule(String(text)) ?? "-") == rule, "\(text)")
    }
  }

  @Test func `a Taskwarrior recurrence may have a space after its number`() {
    #expect(TaskwarriorDuration.rule("2 weeks") == "FREQ=WEEKLY;INTERVAL=2")
    #expect(TaskwarriorDuration.rule("") == nil)
  }

  /// A Taskwarrior object with one attribute set to a value.
  private static func object(
    _ uuid: String, _ status: String, _ name: String, _ value: String
  ) -> String {
    var members = [
      ("uuid", "\"\(uuid)\""), ("description", "\"Write\""), ("status", "\"\(status)\""),
    ]
    members.removeAll { $0.0 == name }
    members.append((name, value))
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  /// The first of two tasks, without its uuid.
  private static func content(_ export: TaskExport) -> TaskExport.Task? {
    guard export.tasks.count == 2, var task = export.tasks.first else { return nil }
    task.identity = []
    return task
  }

  @Test(arguments: ["pending", "completed"])
  func `a Taskwarrior attribute of any value is read or reported, and the rest is read`(
    status: String
  ) throws {
    let bookkeeping: Set<String> = [
      "entry", "id", "imask", "last", "mask", "modified", "rlast", "rtype", "template", "urgency",
    ]
    let ofOpenTasks: Set<String> = [
      "depends", "parent", "priority", "recur", "scheduled", "start", "until", "wait",
    ]
    let silent = status == "completed" ? bookkeeping.union(ofOpenTasks) : bookkeeping
    let names =
      bookkeeping.union(ofOpenTasks).sorted() + [
        "uuid", "description", "status", "project", "tags", "annotations", "due", "end", "estimate",
      ]
    let values = [
      "null", "\"\"", "[]", "true", "false", "0", "-1.5", "1e400", "\"  \"", "\"x\"", "[null]",
      "[\"\"]",
      "[\"x\"]", "[7]", "[[]]", "[{}]", "{}", "{\"description\":\"x\"}", "{\"description\":7}",
    ]
    let other = "{\"uuid\":\"other\",\"description\":\"Call\"}"
    var objects: [String] = [other]
    var missed: [String] = []
    for name in names {
      let plain = Self.content(
        try TaskFileTests.export(
          "[\(Self.object("a", status, name == "status" ? "status" : "id", "null")),\(other)]",
          from: .taskwarrior))
      for value in values {
        let object = Self.object("\(objects.count)", status, name, value)
        objects.append(object)
        let export = try TaskFileTests.export("[\(object),\(other)]", from: .taskwarrior)
        let told = export.leftOut.map(\.count).reduce(0, +)
        let isPlain = Self.content(export) == plain
        let isCovered =
          switch name {
          case "uuid", "description": export.tasks.count + told == 2
          case _ where ["null", "\"\"", "[]"].contains(value): isPlain && told == 0
          default: silent.contains(name) || !isPlain || told > 0
          }
        if !isCovered || export.tasks.last?.title != "Call" { missed.append(object) }
      }
    }
    #expect(missed == [])
    let all = try TaskFileTests.export("[\(objects.joined(separator: ","))]", from: .taskwarrior)
    let (book, ada) = try TaskFileTests.book()
    let summary = try book.importTasks(all, for: ada)
    #expect(summary.tasksMade == all.tasks.count && summary.leftOut == all.leftOut)
  }
}

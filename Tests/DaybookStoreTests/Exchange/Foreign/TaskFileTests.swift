import Daybook
import Foundation
import Journal
import Testing

@testable import DaybookStore

/// Tasks from Todoist and Taskwarrior.
@Suite(.tags(.unit)) struct TaskFileTests {
  private static let head =
    "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT\n"

  static func export(
    _ text: String, from program: TaskExport.Program, at path: String = "Home [12].csv"
  ) throws -> TaskExport {
    try TaskExport(at: path, from: program, storage: try ExchangeWorld.disk([path: text]))
  }

  /// A book of Ada's, in London, on Wednesday, 4 March 2026.
  static func book() throws -> (Book, Account.ID) {
    let book = try ExchangeWorld.book(clock: ExchangeWorld.clock(at: "2026-03-04T12:00:00Z"))
    return (book, try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London")))
  }

  static func tasks(_ book: Book) -> [String] {
    book.read { state in
      state.tasks.elements.map { task in
        let labels = task.currentLabels.compactMap { state.labels[$0]?.name }.joined(separator: "+")
        return [
          task.title, task.bucket.rawValue, task.due?.description, task.repetition?.rule,
          labels.isEmpty ? nil : labels, task.isDone ? "done" : nil,
          task.parent.flatMap { state.tasks[$0]?.title }.map { "in \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
      }
    }
  }

  @Test func `a Todoist project is imported with its subtasks, notes, labels and dates`() throws {
    let (book, ada) = try Self.book()
    let text =
      Self.head + "meta,view_style=list,,,,,,,,,,\n"
      + "task,Repot the basil @garden @weekend,A pot,1,1,Kai (1),,2026-03-12,en,,30,minute\n"
      + "task,Buy compost,,4,2,,,,,,,\nnote,No peat,,,,,,,,,,\n,,,,,,,,,,,\nsection,Weekly,,,,,,,,,,\n"
      + "task,Water @garden,,2,1,,Bo (2),every mon at 9am,en,,,\ntask,Call,,4,1,,,tomorrow 18:00,en,,,\n"
    let export = try Self.export(text, from: .todoist)
    let tried = try book.importTasks(export, for: ada, trying: true)
    #expect(book.read { $0.position } == 1)
    #expect(try book.importTasks(export, for: ada) == tried)
    #expect(tried.tasksMade == 4 && tried.labelsMade == 3)
    #expect(
      tried.leftOut.map { "\($0.count) \($0.what)" } == [
        "1 durations", "2 priorities", "1 sections", "1 responsible persons",
        "1 dates that were not understood, kept in the notes",
      ])
    #expect(
      Self.tasks(book) == [
        "Repot the basil, NEXT_WEEK, 2026-03-12T23:59:00Z, Home+garden+weekend",
        "Buy compost, NEXT_WEEK, Home, in Repot the basil",
        "Water, ROUTINES, 2026-03-09T09:00:00Z, FREQ=WEEKLY;BYDAY=MO, Home+garden",
        "Call, THIS_WEEK, Home",
      ])
    let notes = book.read { $0.tasks.elements.map(\.description) }
    #expect(notes == ["A pot", "No peat", nil, "Todoist: tomorrow 18:00"])
    let position = book.read { $0.position }
    let again = try book.importTasks(export, for: ada)
    #expect(again.tasksFound == 4 && again.tasksMade == 0 && book.read { $0.position } == position)
  }

  @Test func `a Todoist backup contains all of its projects`() throws {
    let files = [
      ("Home [1].csv", Self.head + "task,Sweep,,4,1,,,,,,,\n"),
      ("Work [2].csv", Self.head + "task,Sweep,,4,1,,,,,,,\n"),
    ]
    let storage = MemoryStorage()
    let archive = StoredZip.archive(files.map { ($0.0, Array($0.1.utf8)) })
    try ExchangeWorld.write(archive, to: "backup.zip", storage)
    let export = try TaskExport(at: "backup.zip", from: .todoist, storage: storage)
    #expect(export.tasks.map(\.identity) == [["Home", "Sweep"], ["Work", "Sweep"]])
  }

  @Test(arguments: [
    ("2026-10-05", "day 2026-10-05"), ("2026-10-05 15:30", "2026-10-05 930"),
    ("2026-10-05T15:30:00", "2026-10-05 930"), ("2026-10-05T15:30:00Z", "2026-10-05T15:30:00Z"),
    ("Oct 5 2026", "day 2026-10-05"), ("5 October 2026 at 6 pm", "2026-10-05 1080"),
    ("every day", "FREQ=DAILY"), ("Every 3 weeks", "FREQ=WEEKLY;INTERVAL=3"),
    ("every other month", "FREQ=MONTHLY;INTERVAL=2"), ("daily at 9:15", "FREQ=DAILY at 555"),
    ("every! 2 days", "FREQ=DAILY;INTERVAL=2 from done"),
    ("every fri, mon and wed", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
    ("every weekday at 7am", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR at 420"),
    ("every 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
    ("every 1, 15", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
    ("every last day", "FREQ=MONTHLY;BYMONTHDAY=-1"),
    ("tomorrow", "-"), ("jeden Tag", "-"), ("every third friday", "-"), ("every 0 days", "-"),
    ("every", "-"), ("Feb 30 2026", "-"), ("25:00", "-"), ("every day until june", "-"), ("", "-"),
  ])
  func `an unambiguous Todoist date is read`(text: String, said: String) {
    let date = TodoistDate(text)
    var words: [String] = []
    switch date?.due {
    case .day(let day): words.append("day \(day)")
    case .local(let day, let time): words.append("\(day) \(time.minutes)")
    case .instant(let instant): words.append("\(instant)")
    case nil: break
    }
    if let rule = date?.recurrence {
      words.append(rule)
      if let time = date?.time { words.append("at \(time.minutes)") }
    }
    if date?.repeatsFromCompletion == true { words.append("from done") }
    #expect((words.isEmpty ? "-" : words.joined(separator: " ")) == said)
  }

  @Test func `Taskwarrior tasks are imported with annotations, labels, due days and completions`()
    throws
  {
    let (book, ada) = try Self.book()
    let text = """
      [
      {"uuid":"a","description":"Pay the rent","status":"recurring","due":"20260331T230000Z","recur":"monthly",\
      "project":"Home","tags":["money"],"annotations":[{"entry":"20260101T000000Z","description":"by transfer"}]},
      {"uuid":"b","description":"Pay the rent","status":"pending","parent":"a","imask":0},
      {"uuid":"c","description":"Call","status":"completed","end":"20260301T100000Z","priority":"H"},
      {"uuid":"d","description":"Old","status":"deleted"},
      {"uuid":"e","description":"Write","status":"pending","due":"20260306T160000Z","priority":"H","depends":["c"]},
      {"uuid":"f","description":"Odd","status":"pending","recur":"whenever"}
      ]
      """
    let export = try Self.export(text, from: .taskwarrior, at: "tasks.json")
    let summary = try book.importTasks(export, for: ada)
    #expect(summary.tasksMade == 4 && summary.tasksDone == 1)
    #expect(
      summary.leftOut.map { "\($0.count) \($0.what)" } == [
        "1 instances of repeating tasks", "1 deleted tasks", "1 priorities", "1 dependencies",
        "1 repetitions that were not understood, kept in the notes",
      ])
    // London is an hour ahead on 1 April: midnight there means a whole day, and a day means its end.
    #expect(
      Self.tasks(book) == [
        "Pay the rent, ROUTINES, 2026-04-01T22:59:00Z, FREQ=MONTHLY, Home+money",
        "Call, THIS_WEEK, done", "Write, THIS_WEEK, 2026-03-06T16:00:00Z", "Odd, THIS_WEEK",
      ])
    #expect(
      book.read { $0.tasks.elements[1].completed?.description } == "2026-03-01T10:00:00Z")
    let lines = text.split(separator: "\n").dropFirst().dropLast().map {
      $0.hasSuffix(",") ? $0 : $0 + ","
    }
    let byLine = try Self.export(lines.joined(separator: "\n"), from: .taskwarrior, at: "t.json")
    #expect(byLine.tasks.map(\.identity) == export.tasks.map(\.identity))
    #expect(try book.importTasks(byLine, for: ada).tasksFound == 4)
  }

  @Test(
    arguments: [
      ("monthly", "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
      ("P1M", "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
      ("quarterly", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
      ("yearly", "FREQ=YEARLY"), ("weekly", "FREQ=WEEKLY"),
    ])
  func `a task that repeats from a month's last days skips no month (DM-5)`(
    recur: String, rule: String
  )
    throws
  {
    let (book, ada) = try Self.book()
    let text = """
      [{"uuid":"a","description":"Pay","status":"recurring","due":"20260130T120000Z","recur":"\(recur)"}]
      """
    let export = try Self.export(text, from: .taskwarrior, at: "tasks.json")
    _ = try book.importTasks(export, for: ada)
    #expect(book.read { $0.tasks.elements[0].repetition?.rule } == rule)
  }

  @Test func `a task that repeats from its completion keeps its rule (DM-5)`() throws {
    let book = try ExchangeWorld.book(clock: ExchangeWorld.clock(at: "2026-01-30T12:00:00Z"))
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let export = try Self.export(
      Self.head + "task,Due,,4,1,,,every month,en,,,\ntask,Done,,4,1,,,every! month,en,,,\n",
      from: .todoist)
    _ = try book.importTasks(export, for: ada)
    #expect(
      book.read { $0.tasks.elements.map { $0.repetition?.rule } } == [
        "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1", "FREQ=MONTHLY",
      ])
  }

  @Test func `a task due on a leap day repeats on the last day of February (DM-5)`() throws {
    let (book, ada) = try Self.book()
    let text = """
      [{"uuid":"a","description":"Party","status":"recurring","due":"20240229T120000Z","recur":"yearly"}]
      """
    let export = try Self.export(text, from: .taskwarrior, at: "tasks.json")
    _ = try book.importTasks(export, for: ada)
    #expect(
      book.read { $0.tasks.elements[0].repetition?.rule }
        == "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1")
  }

  @Test(arguments: [
    (TaskExport.Program.taskwarrior, "[{\"description\":\"x\"}]", "no \"uuid\""),
    (.taskwarrior, "[{\"uuid\":\"a\"}]", "no \"description\""),
    (.taskwarrior, "[7,{\"uuid\":\"a\"}]", "no \"uuid\""),
    (.taskwarrior, "{\"uuid\":", "line 1: it is"),
    (.todoist, "a,b\n", "not the columns of a Todoist export"),
    (.todoist, "TYPE,CONTENT\ntask,@home\n", "CONTENT: it is empty"),
    (.todoist, "TYPE,CONTENT\nletter,x\n", "TYPE: \"letter\""),
  ])
  func `a file of another format is refused with its line`(
    program: TaskExport.Program, text: String, reason: String
  ) throws {
    let error = #expect(throws: ExchangeError.self) { try Self.export(text, from: program) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `a file cut or changed anywhere gives an error or a list, never a trap`() {
    let texts: [(TaskExport.Program, String)] = [
      (
        .todoist, Self.head + "task,A @b,\"c\",1,9,,,every 2 days at 9:00,en,,,\nnote,x,,,,,,,,,,\n"
      ),
      (
        .taskwarrior,
        "[{\"uuid\":\"a\",\"description\":\"x\",\"due\":\"20260101T000000Z\",\"recur\":\"3d\"}]"
      ),
    ]
    for (program, text) in texts {
      let scalars = Array(text.unicodeScalars)
      for place in scalars.indices {
        var changed = scalars
        changed[place] = "9"
        for part in [scalars[..<place], changed[...]] {
          _ = try? Self.export(String(String.UnicodeScalarView(part)), from: program)
        }
      }
    }
  }
}

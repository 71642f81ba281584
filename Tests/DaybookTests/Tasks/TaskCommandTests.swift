import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct TaskCommandTests {
  private let noon = Scenario.noon

  /// A trip with its parts, and milk.
  private var trip: Scenario {
    get throws {
      try given(.accountCreated(person(2))).adding("Trip").adding("Pack", under: "Trip")
        .adding("Socks", under: "Pack").adding("Milk")
    }
  }

  @Test func `there are five buckets, and each task is in one (DM-1, DM-2)`() throws {
    #expect(
      TaskBucket.allCases.map(\.rawValue)
        == ["THIS_WEEK", "WEEKEND", "NEXT_WEEK", "NEXT_MONTH", "ROUTINES"])
    let scenario = try given().adding(" Milk ", in: .weekend)
    #expect(try scenario.list(.weekend) == ["Milk"])
    #expect(try scenario.list(.thisWeek) == [])
    let pasted = try given().adding("\nBuy\r\n\t milk\u{85}\n", in: .weekend)
    #expect(try pasted.list(.weekend) == ["Buy milk"])
    #expect(TaskBucket(loosely: "this-week") == .thisWeek)
    #expect(TaskBucket(loosely: "NEXT_MONTH") == .nextMonth)
    #expect(TaskBucket(loosely: "someday") == nil)
  }

  @Test func `a task needs a title, and a key creates it once (DM-2)`() throws {
    #expect(throws: Rejection.emptyTaskTitle) { try given().when(CreateTask(title: " ")) }
    #expect(throws: Rejection.emptyTaskTitle) {
      try given().when(CreateTask(title: "\u{200B}\u{202E}"))
    }
    #expect(throws: Rejection.invalidTitle) { try given().when(CreateTask(title: "a\u{7}")) }
    #expect(throws: Rejection.emptyTaskTitle) { try given().when(CreateTask(title: " \r\n\t")) }
    #expect(throws: Rejection.actorMissing) {
      try given().when(CreateTask(title: "Milk"), by: nil)
    }
    let scenario = try trip
    let again = CreateTask(
      key: Scenario.taskKey(1), title: try #require(scenario.state.tasks[.number(1)]?.title))
    #expect(try scenario.when(again) == [])
    var other = again
    other.content.description = "Another one"
    #expect(throws: Rejection.keyTaken(Scenario.taskKey(1))) { try scenario.when(other) }
    #expect(throws: Rejection.keyTaken(Scenario.taskKey(1))) {
      try scenario.when(again, by: 2)
    }
  }

  @Test func `moving a task changes no other task's rank (DM-1)`() throws {
    var scenario = given()
    for title in ["A", "B", "C", "D"] { scenario = try scenario.adding(title) }
    let ranks = ["A", "B", "C"].map { scenario[$0]?.rank }
    scenario = try scenario.and(
      MoveTask(scenario.task("D"), place: .before(scenario.task("B"))))
    #expect(try scenario.list() == ["A", "D", "B", "C"])
    scenario = try scenario.and(MoveTask(scenario.task("A"), place: .after(scenario.task("C"))))
    #expect(try scenario.list() == ["D", "B", "C", "A"])
    #expect(["B", "C"].map { scenario[$0]?.rank } == ranks.dropFirst().map { $0 })
    scenario = try scenario.and(MoveTask(scenario.task("C"), place: .first))
    #expect(try scenario.list() == ["C", "D", "B", "A"])
    // A task moved to its own place stays.
    let still = MoveTask(scenario.task("D"), place: .after(scenario.task("C")))
    #expect(try scenario.when(still) == [])
    #expect(throws: Rejection.invalidNeighbour) {
      try scenario.when(MoveTask(scenario.task("D"), place: .after(scenario.task("D"))))
    }
  }

  @Test func `there is room between tasks of equal rank (DM-1)`() throws {
    var scenario = given()
    for number in 1...3 {
      scenario = try scenario.upserting(
        #"{"do":"upsert_task","id":"\#(Scenario.taskKey(number))","title":"T\#(number)","rank":"a5"}"#
      )
    }
    scenario = try scenario.adding("New").adding("Last")
    scenario = try scenario.and(
      MoveTask(scenario.task("New"), place: .after(scenario.task("T1"))))
    #expect(try scenario.list() == ["T1", "New", "T2", "T3", "Last"])
  }

  @Test func `a move takes all parts to the new place (DM-1, DM-3)`() throws {
    var scenario = try trip
    scenario = try scenario.and(MoveTask(scenario.task("Trip"), to: .weekend))
    #expect(try scenario.list(.weekend) == ["Trip", "- Pack", "- - Socks"])
    #expect(scenario["Socks"]?.bucket == .weekend)
    scenario = try scenario.and(
      MoveTask(scenario.task("Milk")) { $0.parent = scenario.task("Pack") })
    #expect(try scenario.list(.weekend) == ["Trip", "- Pack", "- - Socks", "- - Milk"])
    #expect(scenario["Milk"]?.bucket == .weekend)
    scenario = try scenario.and(MoveTask(scenario.task("Pack"), to: .routines))
    #expect(try scenario.list(.routines) == ["Pack", "- Socks", "- Milk"])
    scenario = try scenario.and(MoveTask(scenario.task("Socks")) { $0.parent = nil })
    #expect(try scenario.list(.routines) == ["Pack", "- Milk", "Socks"])
  }

  @Test func `a task cannot be part of itself (DM-3)`() throws {
    let scenario = try trip
    for target in ["Trip", "Pack", "Socks"] {
      #expect(throws: Rejection.taskCycle) {
        try scenario.when(
          MoveTask(scenario.task("Trip")) { $0.parent = scenario.task(target) })
      }
    }
    let own =
      #"{"do":"upsert_task","id":"\#(Scenario.taskKey(1))","parent_task_id":"\#(Scenario.taskKey(1))"}"#
    #expect(throws: Rejection.taskCycle) { try scenario.upserting(own) }
  }

  @Test func `completing a task completes its parts, and reopening reopens those (DM-3)`() throws {
    var scenario = try trip.adding("Shirt", under: "Pack")
    scenario = try scenario.and(CompleteTask(scenario.task("Shirt")))
    scenario = try scenario.and(CompleteTask(scenario.task("Trip")), at: hours(1))
    #expect(try scenario.list() == ["Milk"])
    #expect(
      try scenario.list(.thisWeek, TaskFilter(status: .completed))
        == ["Trip", "- Pack", "- - Socks", "- - Shirt"])
    let open = try scenario.and(ReopenTask(scenario.task("Trip")), at: hours(2))
    #expect(
      ["Trip", "Pack", "Socks", "Shirt"].map { open[$0]?.isDone } == [false, false, false, true])
    // An open task is part of no completed one.
    let part = try scenario.and(ReopenTask(scenario.task("Socks")), at: hours(2))
    #expect(["Trip", "Pack", "Socks"].map { part[$0]?.isDone } == [false, false, false])
    let added = try scenario.adding("Hat", under: "Pack", at: hours(2))
    #expect(
      ["Trip", "Pack", "Socks", "Hat"].map { added[$0]?.isDone } == [false, false, true, false])
    #expect(open.complaints() + part.complaints() + added.complaints() == [])
  }

  @Test func `deleting a task deletes its parts, and it stays deleted (DM-2)`() throws {
    var scenario = try trip
    scenario = try scenario.and(DeleteTask(scenario.task("Trip")), at: hours(1))
    #expect(scenario.rows("tasks").map { $0["title"]?.text } == ["Milk"])
    #expect(
      ["Trip", "Pack", "Socks"].map { scenario[$0]?.deleted } == [hours(1), hours(1), hours(1)])
    #expect(throws: Rejection.taskNotFound) {
      try scenario.when(UpdateTask(scenario.task("Pack")))
    }
    let row =
      #"{"do":"upsert_task","id":"\#(Scenario.taskKey(1))","title":"Trip","deleted_at":null}"#
    #expect(try scenario.upserting(row).state.tasks.elements == scenario.state.tasks.elements)
    // A part that a device adds meanwhile is not lost.
    let late = try scenario.upserting(
      #"{"do":"upsert_task","id":"\#(Scenario.taskKey(9))","title":"Late","parent_task_id":"\#(Scenario.taskKey(2))"}"#
    )
    #expect(try late.list() == ["Milk", "Late"])
  }

  @Test func `a row's title is kept as typed, on one line (DM-7)`() throws {
    let task = Scenario.taskKey(1)
    var scenario = given()
    for (title, kept) in [(#" Buy "#, " Buy "), (#"a\r\n b\t"#, "a  b "), (#"Buy"#, "Buy")] {
      scenario = try scenario.upserting(
        #"{"do":"upsert_task","id":"\#(task)","title":"\#(title)"}"#)
      #expect(scenario.state.tasks.elements.map(\.title) == [kept])
    }
    // Other changes keep the title as it is; a title given by a command is trimmed.
    scenario = try scenario.upserting(#"{"do":"upsert_task","id":"\#(task)","title":"Buy "}"#)
    let number = scenario.task("Buy ")
    let described = try scenario.and(UpdateTask(number) { $0.description = "milk" })
    #expect(described["Buy "]?.description == "milk")
    #expect(try scenario.and(UpdateTask(number) { $0.title = " Buy " })["Buy"] != nil)
    #expect(throws: Rejection.emptyTaskTitle) {
      try scenario.upserting(#"{"do":"upsert_task","id":"\#(task)","title":" \n "}"#)
    }
  }

  @Test func `a row that deletes a task or a label keeps its other fields (DM-7)`() throws {
    let key = Scenario.taskKey(1)
    let scenario = try trip
    let gone = #"{"do":"upsert_task","id":"\#(key)","deleted_at":"2026-03-02T12:00:00Z","#
    let edited = try scenario.upserting(
      gone + #""title":"Journey","bucket_key":"WEEKEND","is_completed":true}"#, at: hours(1))
    let task = try #require(edited["Journey"])
    #expect(task.isDeleted && task.bucket == .weekend && task.isDone)
    #expect(["Pack", "Socks"].map { edited[$0]?.isDeleted } == [true, true])
    // An invalid name or place does not prevent the deletion.
    for row in [
      #""title":" "}"#, #""title":"Journey","recurrence_rule":"never"}"#,
      #""title":"Journey","parent_task_id":"\#(key)"}"#,
    ] {
      let other = try scenario.upserting(gone + row, at: hours(1))
      #expect(other["Trip"]?.isDeleted == true, "\(row)")
    }
    let label = Scenario.labelKey(1)
    let named = try given().and(CreateLabel(key: label, name: "home"))
    for (name, shown) in [("away", "away"), (" ", "home")] {
      let row = #"{"do":"upsert_label","id":"\#(label)","name":"\#(name)","deleted_at":"\#(noon)"}"#
      let label = try named.upserting(row).state.labels.elements.first
      #expect(label?.isDeleted == true && label?.name == shown)
    }
  }

  @Test func `only its owner changes a task (DM-11)`() throws {
    let scenario = try trip
    let milk = scenario.task("Milk")
    for refusal: Rejection? in [
      refused(scenario, UpdateTask(milk)), refused(scenario, MoveTask(milk, to: .weekend)),
      refused(scenario, CompleteTask(milk)), refused(scenario, ReopenTask(milk)),
      refused(scenario, DeleteTask(milk)),
      refused(scenario, CreateTask(title: "Spy", parent: milk)),
      refused(scenario, UpsertTask(Scenario.taskKey(4))),
    ] { #expect(refusal == .notOwner) }
  }

  private func refused<C: Command>(_ scenario: Scenario, _ command: C) -> Rejection? {
    do throws(Rejection) {
      _ = try scenario.when(command, by: 2)
      return nil
    } catch { return error }
  }

  @Test func `labels are added and removed, and affect no other (DM-4, DM-8)`() throws {
    var scenario = try trip
    for (number, name) in ["home", "shop"].enumerated() {
      scenario = try scenario.and(CreateLabel(key: Scenario.labelKey(number + 1), name: name))
    }
    let (home, shop) = (TaskLabel.ID(1), TaskLabel.ID(2))
    let labels = try [#require(home), #require(shop)]
    let milk = scenario.task("Milk")
    scenario = try scenario.and(SetTaskLabels(milk, add: [labels[0]]))
    scenario = try scenario.and(SetTaskLabels(milk, add: [labels[1]]))
    scenario = try scenario.and(SetTaskLabels(scenario.task("Socks"), add: [labels[0]]))
    #expect(try scenario.list(.thisWeek, TaskFilter(labels: labels, needed: .all)) == ["Milk"])
    #expect(
      try scenario.list(.thisWeek, TaskFilter(labels: labels, needed: .any))
        == ["Trip", "- Pack", "- - Socks", "Milk"])
    #expect(throws: Rejection.nameTaken("HOME")) {
      try scenario.when(CreateLabel(name: "HOME"))
    }
    #expect(throws: Rejection.labelNotFound) {
      try scenario.when(SetTaskLabels(milk, add: [TaskLabel.ID(9) ?? labels[0]]))
    }
    #expect(scenario.rows("task_labels").count == 3)
    scenario = try scenario.and(DeleteLabel(labels[0]))
    #expect(scenario.rows("task_labels").count == 1)
    #expect(scenario["Milk"]?.labels.map { $0.removed == nil } == [false, true])
    scenario = try scenario.and(SetTaskLabels(milk, add: [], remove: labels))
    #expect(scenario["Milk"]?.currentLabels == [])
  }

  @Test func `lists are filtered by text, due day and overdue (DM-4)`() throws {
    let scenario = try given().adding("Café", due: hours(-30)).adding(
      "Straße kehren", due: hours(4)
    )
    .adding("Later", due: hours(20)).adding("Never")
    #expect(try scenario.list(.thisWeek, TaskFilter(text: "CAFE")) == ["Café"])
    #expect(try scenario.list(.thisWeek, TaskFilter(text: "strasse")) == ["Straße kehren"])
    #expect(try scenario.list(.thisWeek, TaskFilter(due: .overdue)) == ["Café"])
    // Ada's day ends at four in the morning.
    #expect(try scenario.list(.thisWeek, TaskFilter(due: .today)) == ["Straße kehren"])
    #expect(SearchText("e\u{301}té").contains(SearchText("ÉTE")))
    #expect(!SearchText("ete").contains(SearchText("etes")))
    for (text, wanted) in [
      ("ΣΊΣΥΦΟΣ", "σισυφος"), ("σίσυφος", "ΣΙΣΥΦΟΣ"), ("bế mạc", "be mac"), ("ﬁnish", "FIN"),
      ("ＡＢＣ", "abc"), ("Čajovňa", "cajovna"), ("ἄνθρωπος", "ανθρωπος"), ("йога", "ИОГА"),
      ("が", "か\u{3099}"), ("Ærø", "aero"), ("ǽ", "ae"),
    ] { #expect(SearchText(text).contains(SearchText(wanted)), "\(wanted) in \(text)") }
  }

  @Test func `a part whose parent is missing is refused, and accepted later (DM-7)`() throws {
    let child =
      #"{"do":"upsert_task","id":"\#(Scenario.taskKey(2))","title":"Pack","parent_task_id":"\#(Scenario.taskKey(1))"}"#
    let parent = #"{"do":"upsert_task","id":"\#(Scenario.taskKey(1))","title":"Trip"}"#
    #expect(throws: Rejection.parentNotFound) { try given().upserting(child) }
    let scenario = try given().upserting(parent).upserting(child)
    #expect(try scenario.list() == ["Trip", "- Pack"])
  }

  @Test func `a whole row may be sent again, and changes its fields (DM-7)`() throws {
    let row = """
      {"do":"upsert_task","id":"\(Scenario.taskKey(1))","user_id":"\(person(1).key)",\
      "bucket_key":"ROUTINES","parent_task_id":null,"title":"Water","description":"all",\
      "due_at":"2026-03-03T08:00:00.5","recurrence_rule":"freq=daily","is_completed":false,\
      "completed_at":null,"created_at":"2020-01-01T00:00:00","updated_at":"never","deleted_at":null}
      """
    let scenario = try given().upserting(row)
    let task = try #require(scenario["Water"])
    #expect(task.bucket == .routines && task.repetition?.rule == "FREQ=DAILY")
    #expect(task.due == moment("2026-03-03T08:00:00.5Z") && task.updated == noon)
    #expect(task.created == moment("2020-01-01T00:00:00Z"))
    #expect(try scenario.upserting(row, at: hours(1)).state.tasks.elements == [task])
    // Fields that a row omits stay.
    let less = #"{"do":"upsert_task","id":"\#(Scenario.taskKey(1))","title":"Water all"}"#
    let edited = try #require(try scenario.upserting(less, at: hours(1))["Water all"])
    #expect(edited.description == "all" && edited.due == task.due && edited.rank == task.rank)
    let foreign = row.replacing(person(1).key.description, with: person(2).key.description)
    #expect(throws: Rejection.notOwner) { try given().upserting(foreign) }
  }

  @Test func `a very deep tree is traversed without a stack overflow (DM-3)`() throws {
    var scenario = given()
    for number in 1...3000 {
      let parent = number == 1 ? "" : #","parent_task_id":"\#(Scenario.taskKey(number - 1))""#
      let created: TaskCreated = make {
        $0.key = Scenario.taskKey(number)
        $0.title = "T\(number)"
        $0.parent = parent.isEmpty ? nil : TaskItem.ID(number - 1)
      }
      scenario = scenario.and(.taskCreated(created))
    }
    let root = scenario.task("T1")
    #expect(throws: Rejection.taskCycle) {
      try scenario.when(MoveTask(root) { $0.parent = scenario.task("T3000") })
    }
    #expect(try scenario.when(CompleteTask(root)).count == 3000)
    #expect(try scenario.when(DeleteTask(root)).count == 3000)
    #expect(try scenario.list().count == 3000)
  }
}

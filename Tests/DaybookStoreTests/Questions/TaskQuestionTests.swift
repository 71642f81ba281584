import Avro
import Daybook
import DaybookStore
import Testing

/// Questions about one's own tasks and labels, and refusals for those of others.
@Suite(.tags(.unit)) struct TaskQuestionTests {
  private static let milk = #""task":"\#(HomeBook.milk)""#

  private func titles(_ home: HomeBook, _ fields: String = "", as asker: String = HomeBook.ada)
    throws -> [String?]
  {
    try home.rows("tasks", fields, as: asker).flatMap { $0["tasks"]?.elements ?? [] }
      .map { $0["title"]?.text }
  }

  @Test func `tasks are those of the asker`() throws {
    let home = try HomeBook()
    #expect(try titles(home) == ["Milk"])
    #expect(try titles(home, as: HomeBook.eve) == ["Letter"])
    #expect(try titles(home, as: HomeBook.bob) == [])
    #expect(try home.refusal("tasks", as: nil).first == "actor_missing")
  }

  @Test func `tasks are filtered by bucket, label, text, due date and status (DM-1)`() throws {
    let home = try HomeBook()
    try home.record(
      "create_task", #""title":"Bread","bucket_key":"WEEKEND""#, at: "2026-03-02T10:00:00Z")
    let buckets = try home.rows("tasks").map { $0["bucket_key"]?.text }
    #expect(buckets == ["THIS_WEEK", "WEEKEND", "NEXT_WEEK", "NEXT_MONTH", "ROUTINES"])
    #expect(try titles(home, #""bucket_key":"WEEKEND""#) == ["Bread"])
    #expect(try titles(home, #""labels":["\#(HomeBook.home)"]"#) == ["Milk"])
    #expect(try titles(home, #""search":"BRE""#) == ["Bread"])
    #expect(try titles(home, #""due":"today","on":"2026-03-02""#) == ["Milk"])
    #expect(try titles(home, #""due":"today","on":"2026-03-03""#) == [])
    #expect(try titles(home, #""status":"completed""#) == [])
    #expect(try titles(home, #""status":"any""#) == ["Milk", "Bread"])
    #expect(try titles(home, #""as_of":"\#(HomeBook.then)""#) == ["Milk"])
    for (field, value) in [("bucket_key", "NEVER"), ("needed", "some"), ("status", "half")] {
      let refusal = try home.refusal("tasks", #""\#(field)":"\#(value)""#)
      #expect(refusal == ["invalid_field", field])
    }
  }

  @Test func `another account's label is refused`() throws {
    let home = try HomeBook()
    let labels = #""labels":["\#(HomeBook.post)"]"#
    #expect(try home.refusal("tasks", labels).first == "not_owner")
    #expect(try titles(home, labels, as: HomeBook.eve) == [])
    try home.record(
      "delete_label", #""label":"\#(HomeBook.post)""#, as: HomeBook.eve, at: "2026-03-02T10:00:00Z")
    #expect(try home.refusal("tasks", labels, as: HomeBook.eve).first == "label_not_found")
  }

  @Test func `labels are the asker's own, with their counts of open tasks (DM-4)`() throws {
    let home = try HomeBook()
    func labels(_ past: String = "") throws -> [JSON] {
      try home.rows("labels", past).flatMap { [$0["name"] ?? .null, $0["open_tasks"] ?? .null] }
    }
    #expect(try labels() == ["home", 1])
    try home.record("complete_task", Self.milk, at: "2026-03-02T10:00:00Z")
    #expect(try labels() == ["home", 0])
    #expect(try labels(#""as_of":"\#(HomeBook.then)""#) == ["home", 1])
  }

  @Test
  func `a task's history is shown to its owner, and after a deletion only in the past`()
    throws
  {
    let home = try HomeBook()
    let at = "2026-03-02T10:00:00Z"
    try home.record("complete_task", Self.milk, at: at)
    let rows = try home.rows("task_history", Self.milk)
    #expect(rows.map { $0["words"]?.text }.last == "Milk: done")
    #expect(rows.first?["event"] == "TaskCreated")
    #expect(rows.first?["actor"]?.text == HomeBook.ada)
    for stranger in [HomeBook.bob, HomeBook.eve] {
      #expect(try home.refusal("task_history", Self.milk, as: stranger).first == "not_owner")
    }
    #expect(try home.refusal("task_history").first == "missing_field")
    try home.record("delete_task", Self.milk, at: at)
    #expect(try home.refusal("task_history", Self.milk).first == "task_not_found")
    let before = Self.milk + #","as_of":"\#(HomeBook.then)""#
    let past = try home.rows("task_history", before)
    #expect(past == Array(rows.prefix(past.count)) && past.count < rows.count)
  }

  @Test func `an erased account's questions are refused`() throws {
    let home = try HomeBook()
    let state = try home.book.reader.state()
    let eve = try #require(Key(HomeBook.eve).flatMap { state.accounts.number(of: $0) })
    try home.book.erase(eve)
    #expect(try home.refusal("tasks", as: HomeBook.eve).first == "account_not_found")
    let view = try home.book.reader.view()
    #expect(throws: Rejection.accountNotFound) {
      try TasksQuestion().answer(from: view, for: eve)
    }
    #expect(throws: Rejection.accountNotFound) {
      try LabelsQuestion().answer(from: view, for: eve)
    }
  }

  @Test func `a question written as JSON reads back the same`() throws {
    let home = try HomeBook()
    let state = try home.book.reader.state()
    let label = try #require(Key(HomeBook.home).flatMap { state.labels.number(of: $0) })
    let question = TasksQuestion(
      TaskFilter(
        bucket: .weekend, labels: [label], needed: .all, text: "x", due: .overdue, status: .any))
    let ada = try #require(Key(HomeBook.ada).flatMap { state.accounts.number(of: $0) })
    let request = try QuestionRequest(
      QuestionRequest.json(question, in: state), of: home.book.reader, from: .owner { _ in ada })
    #expect(request.question as? TasksQuestion == question)
    #expect(request.asker == ada)
  }
}

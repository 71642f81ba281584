import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// Idempotency keys in cases that random histories seldom reach (law 8).
@Suite(.tags(.unit)) struct RepeatedCommandTests {
  let ada: Account.ID
  let habit: Habit.ID
  let book: Book
  let id = Menu.key(7, 1)
  let day = Day("2026-03-02")

  init() throws {
    let clock = HandClock(Menu.beginnings[1])
    book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    ada = try book.record(CreateAccount(timeZone: "Europe/London"))
    habit = try book.record(CreateHabit(name: "Read"), by: ada)
  }

  private func log(_ text: String) throws -> LogHabit {
    LogHabit(habit, day: .day(try #require(Day(text))))
  }

  @Test func `a repeated command gets its first answer, whatever came after (HH-26)`() throws {
    let first = try book.recordWithReceipt(try log("2026-03-02"), by: ada, id: id)
    try book.record(ClearLog(habit, day: .day(first.answer)), by: ada)
    try book.record(DeleteHabit(habit), by: ada)
    let digest = book.read { $0.digest }
    let second = try book.recordWithReceipt(try log("2026-03-02"), by: ada, id: id)
    #expect(second.isRepeated && !first.isRepeated)
    #expect(second.answer == first.answer)
    #expect(second.position == first.position)
    #expect(second.count == first.count)
    #expect(book.read { $0.digest } == digest)
  }

  @Test func `a repeated grocery line is the same line, whether or not its list existed`()
    throws
  {
    let home = try book.record(CreateHousehold(name: "Home"), by: ada)
    for (number, name) in ["the list begins with it", "the list is there"].enumerated() {
      let (add, id) = (AddGroceryItem(in: home, .init(name: name)), Menu.key(7, 10 + number))
      let first = try book.recordWithReceipt(add, by: ada, id: id)
      let second = try book.recordWithReceipt(add, by: ada, id: id)
      #expect(second.isRepeated && second.answer == first.answer)
    }
    #expect(book.read { $0.lists.elements.first?.items.count } == 2)
  }

  @Test func `a repeated line is answered alike even if it removed its own entity (HH-26)`()
    throws
  {
    let line = { (body: String, number: Int) throws -> JSON in
      let line = #"{"id":"\#(Menu.key(9, number))",\#(body)}"#
      return try book.record(line: line, by: ada).json
    }
    let item = Menu.key(8, 1)
    let lines = [
      #""do":"create_household","name":"Home""#,
      #""do":"add_grocery_item","name":"tea","key":"\#(item)""#,
      #""do":"remove_grocery_item","item":"\#(item)""#,
      #""do":"add_grocery_item","name":"milk""#,
      #""do":"leave_household""#,
      #""do":"create_household","name":"Other""#,
      #""do":"create_household","name":"Third""#,
    ]
    let first = try lines.enumerated().map { try line($0.element, $0.offset) }
    #expect(first.allSatisfy { $0["error"] == nil }, "\(first)")
    let position = book.read { $0.position }
    for (number, text) in lines.enumerated() {
      let again = try line(text, number)
      #expect(again["position"] == first[number]["position"], "\(text): \(again)")
    }
    #expect(book.read { $0.position } == position)
    #expect(
      try line(#""do":"leave_household""#, 3)["error"]?["code"] != nil, "another command's key")
  }

  @Test func `a key used for another kind of command is refused`() throws {
    try book.record(try log("2026-03-02"), by: ada, id: id)
    #expect(throws: Rejection.keyReused(id)) { try book.record(Resume(), by: ada, id: id) }
    #expect(throws: Rejection.keyReused(id)) { try book.record(SkipDay(habit), by: ada, id: id) }
  }

  @Test func `a key used for another command of the same kind is refused`() throws {
    try book.record(try log("2026-03-02"), by: ada, id: id)
    let other = try log("2026-03-03")
    #expect(throws: Rejection.keyReused(id)) { try book.record(other, by: ada, id: id) }
  }

  @Test func `a receipt is not given to another account (MO-9)`() throws {
    let eve = try book.record(CreateAccount(timeZone: "Europe/London"))
    try book.record(try log("2026-03-02"), by: ada, id: id)
    let command = try log("2026-03-02")
    #expect(throws: Rejection.keyReused(id)) { try book.record(command, by: eve, id: id) }
  }

  @Test func `a key is used up only by a command that appended entries`() throws {
    let clear = ClearLog(habit, day: .day(day))
    #expect(try book.recordWithReceipt(clear, by: ada, id: id).count == 0)
    try book.record(try log("2026-03-02"), by: ada)
    #expect(try book.recordWithReceipt(clear, by: ada, id: id).count == 1)
    #expect(try book.recordWithReceipt(clear, by: ada, id: id).isRepeated)
  }

  @Test func `an unnamed hive or invite is the same when its command is repeated (R0)`() throws {
    let first = try book.recordWithReceipt(CreateHive(name: "Bees"), by: ada, id: id)
    let invite = CreateHiveInvite(first.answer)
    let invited = try book.recordWithReceipt(invite, by: ada, id: Menu.key(7, 2))
    let from = try book.recordWithReceipt(CreateHiveFromHabit(habit), by: ada, id: Menu.key(7, 3))
    let position = book.read { $0.position }
    #expect(
      try book.recordWithReceipt(CreateHive(name: "Bees"), by: ada, id: id).answer == first.answer)
    #expect(
      try book.recordWithReceipt(invite, by: ada, id: Menu.key(7, 2)).answer == invited.answer)
    #expect(
      try book.recordWithReceipt(CreateHiveFromHabit(habit), by: ada, id: Menu.key(7, 3)).answer
        == from.answer
    )
    #expect(book.read { $0.position } == position)
  }

  @Test func `a key holds in a batch, too`() throws {
    try book.record(try log("2026-03-02"), by: ada, id: id)
    let before = book.read { $0.position }
    let command = try log("2026-03-02")
    try book.transaction { batch in try batch.record(command, by: ada, id: id) }
    #expect(book.read { $0.position } == before)
  }

  @Test func `a schedule that no journal can hold is refused (ES-2)`() throws {
    let swim = CreateHabit(name: "Swim", schedule: .quota(times: 8, days: 7))
    #expect(throws: Rejection.invalidSchedule) { try book.record(swim, by: ada) }
    let replayed = try book.reader.state()
    #expect(book.read { $0.digest } == replayed.digest)
  }
}

import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// `undo` with `since`: a thing is put back as it was before an entry, whatever was recorded about it since.
@Suite(.tags(.unit)) struct PutBackTests {
  private let book: Book
  private let clock: HandClock
  private let ada, bob: Account.ID

  init() throws {
    clock = HandClock(try #require(Instant("2026-03-02T08:00:00Z")))
    book = Book.inMemory(clock: clock.bookClock)
    ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    bob = try book.record(CreateAccount(name: "Bob", timeZone: "UTC"))
  }

  private func send(_ fields: String, by account: Account.ID) throws -> JSON {
    let key = try #require(book.read { $0.accounts.key(of: account) })
    return try book.record(line: #"{"as":"\#(key)",\#(fields)}"#).json
  }

  private func putBack(_ position: Int64, by account: Account.ID) throws -> JSON {
    try send(#""do":"undo","position":\#(position),"since":true"#, by: account)
  }

  private func nextDay() { clock.instant = clock.instant.advanced(byMilliseconds: 86_400_000) }

  private var position: Int64 { book.read { $0.position } }

  @Test func `a habit is put back with its days in one step, which can be undone`() throws {
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    _ = try book.record(LogHabit(read), by: ada)
    let then = book.read { $0.habits[read] }
    let first = position + 1
    nextDay()
    let key = try #require(then?.key)
    #expect(
      try send(#""do":"update_habit","habit":"\#(key)","name":"Write""#, by: ada)["ok"]
        != nil)
    #expect(try send(#""do":"log_habit","habit":"\#(key)""#, by: ada)["ok"] != nil)
    #expect(
      try send(#""do":"clear_log","habit":"\#(key)","day":"2026-03-02""#, by: ada)["ok"] != nil)
    let before = position
    let done = try putBack(first, by: ada)
    #expect(done["ok"]?["did"]?.elements?.count == 3)
    #expect(book.read { $0.habits[read]?.name } == "Read")
    #expect(book.read { $0.habits[read]?.days[Day("2026-03-02")] } != nil)
    #expect(book.read { $0.habits[read]?.days[Day("2026-03-03")] } == nil)
    #expect(try putBack(first, by: ada)["error"]?["code"] == "nothing_to_undo")
    // It is one command: one undo takes all of it back.
    let undone = try send(#""do":"undo","position":\#(before + 1)"#, by: ada)
    #expect(undone["ok"] != nil, "\(undone.encoded)")
    #expect(book.read { $0.habits[read]?.name } == "Write")
    #expect(book.read { $0.habits[read]?.days[Day("2026-03-03")] } != nil)
  }

  @Test func `a schedule that was lived stays for its days, and goes from today on`() throws {
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    let key = try #require(book.read { $0.habits[read]?.key })
    let first = position + 1
    for mask in [31, 3] {
      nextDay()
      let change = #""do":"update_habit","habit":"\#(key)","schedule_weekmask":\#(mask)"#
      #expect(try send(change, by: ada)["ok"] != nil)
    }
    #expect(try putBack(first, by: ada)["ok"] != nil)
    let versions = try #require(book.read { $0.habits[read]?.versions })
    #expect(versions.map(\.since).last == Day("2026-03-04"))
    #expect(versions.count == 3 && versions[1].schedule != versions[2].schedule)
    #expect(versions[0].schedule == versions[2].schedule)
  }

  @Test func `a deleted habit and a changed task come back`() throws {
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    _ = try book.record(DeleteHabit(read), by: ada)
    #expect(try putBack(position, by: ada)["ok"] != nil)
    #expect(book.read { $0.habits[read]?.isDeleted } == false)
    #expect(try send(#""do":"create_task","title":"Buy milk""#, by: ada)["ok"] != nil)
    let task = try #require(book.read { $0.tasks.elements.last?.key })
    let first = position + 1
    for change in [
      #""do":"update_task","task":"\#(task)","title":"Buy tea""#,
      #""do":"move_task","task":"\#(task)","bucket_key":"WEEKEND""#,
      #""do":"complete_task","task":"\#(task)""#,
    ] { #expect(try send(change, by: ada)["ok"] != nil) }
    #expect(try putBack(first, by: ada)["ok"] != nil)
    let now = try #require(book.read { $0.tasks.elements.last })
    #expect(now.title == "Buy milk" && !now.isDone && now.bucket == .thisWeek)
  }

  @Test func `a member puts back what another changed, and a stranger learns nothing`() throws {
    #expect(try send(#""do":"create_household","name":"Home""#, by: ada)["ok"] != nil)
    let home = try #require(book.read { $0.households.elements.last?.key })
    #expect(try send(#""do":"create_recipe","title":"Soup""#, by: ada)["ok"] != nil)
    let recipe = try #require(book.read { $0.recipes.elements.last?.key })
    let other = try #require(book.read { $0.accounts.key(of: bob) })
    let change = #""do":"update_recipe","recipe":"\#(recipe)","title":"Stew""#
    #expect(try send(change, by: ada)["ok"] != nil)
    let first = position
    #expect(try putBack(first, by: bob)["error"]?["code"] == "entry_not_found")
    let join = #""do":"add_household_member","household":"\#(home)","member":"\#(other)""#
    #expect(try send(join, by: ada)["ok"] != nil)
    #expect(try putBack(first, by: bob)["ok"] != nil)
    #expect(book.read { $0.recipes.elements.last?.content.title } == "Soup")
  }

  @Test func `an entity made of several things is not put back as a whole`() throws {
    #expect(try send(#""do":"update_profile","display_name":"Eve""#, by: ada)["ok"] != nil)
    #expect(try putBack(position, by: ada)["error"]?["code"] == "not_undoable")
    #expect(try putBack(position, by: bob)["error"]?["code"] == "entry_not_found")
    #expect(try putBack(99, by: ada)["error"]?["code"] == "entry_not_found")
  }
}

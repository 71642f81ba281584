import Avro
import Daybook
import DaybookAPI
import DaybookStore
import HTTPTypes
import Journal
import Synchronization
import Testing
import Wire

/// A book for API clients: Ada's habit, goal, task, hive and household. Bob is in both, Cy was, and Dan never was.
/// Two such worlds are equal, entry by entry, because each has its own clock and its own source of keys.
struct APIWorld {
  static let (ada, bob, cy, dan) = (key(1, 1), key(1, 2), key(1, 3), key(1, 4))
  static let habit = key(2, 1)
  /// The grocery list of the household's first week.
  static let list = Key(derivedFrom: ["grocery list", key(5, 1).description, "2026-03-02"])

  let clock: WorldClock
  let book: Book
  let api: ClientAPI

  /// Earlier history, which takes much longer to decide than to replay.
  private static let story = Result { () throws -> (journal: [UInt8], clock: WorldClock) in
    let (storage, clock) = (MemoryStorage(), WorldClock())
    try APIWorld(storage, clock).live()
    var journal: [UInt8] = []
    let file = try storage.open(journalPath, .read)
    try file.read(file.byteCount(), at: 0, appendingTo: &journal)
    return (journal, clock)
  }
  private static let journalPath = "book/journal/00000000000000000001.avro"

  init(bodyByteCount: Int = 100_000, tools: ToolSettings? = nil) throws {
    let story = try Self.story.get()
    let storage = MemoryStorage()
    try storage.createDirectory("book/journal")
    try storage.open(Self.journalPath, .create).write(story.journal, at: 0)
    try self.init(storage, WorldClock(story.clock), bodyByteCount: bodyByteCount, tools: tools)
  }

  private init(
    _ storage: MemoryStorage, _ clock: WorldClock, bodyByteCount: Int = 100_000,
    tools: ToolSettings? = nil
  ) throws {
    self.clock = clock
    book = try Book(at: "book", storage: storage, clock: clock.bookClock)
    api = ClientAPI(
      book: book, bodyByteCount: bodyByteCount, heartbeat: .milliseconds(5), tools: tools)
  }

  private func live() throws {
    for (number, name) in ["Ada", "Bob", "Cy", "Dan"].enumerated() {
      try record(
        "create_account",
        #""key":"\#(Self.key(1, number + 1))","display_name":"\#(name)","timezone":"UTC""#, as: nil)
    }
    let (hive, household) = (
      #""p_hive_id":"\#(Self.key(4, 1))""#, #""household":"\#(Self.key(5, 1))""#
    )
    try record("create_task", #""title":"Buy milk","key":"\#(Self.key(8, 1))""#)
    try record("create_label", #""key":"\#(Self.key(9, 1))","name":"home""#)
    try record("create_goal", #""key":"\#(Self.key(3, 1))","title":"Fit""#)
    try record("create_habit", #""key":"\#(Self.habit)","name":"Run""#)
    try record("create_habit", #""key":"\#(Self.key(2, 2))","name":"Read""#, as: Self.bob)
    try record("log_habit", #""habit":"\#(Self.habit)","day":"2026-03-01""#)
    try record("create_hive", #""key":"\#(Self.key(4, 1))","name":"Bees""#)
    for code in ["a", "b"] {
      try record("create_hive_invite", #"\#(hive),"code":"00000000000\#(code)""#)
    }
    try record("log_hive_today", hive)
    let (adas, dans) = (String(repeating: "a", count: 64), String(repeating: "d", count: 64))
    try record("link_identity", #""kind":"phone","hash":"\#(adas)""#)
    try record("link_identity", #""kind":"phone","hash":"\#(dans)","verified":true"#, as: Self.dan)
    try record("upload_contacts", #""hashes":["\#(dans)"]"#)
    try record("register_device", #""apns_token":"adas-phone""#)
    try record("create_household", #""key":"\#(Self.key(5, 1))","name":"Home""#)
    try record(
      "create_household_task", #"\#(household),"key":"\#(Self.key(6, 1))","title":"Wash up""#)
    try record(
      "create_recipe",
      #"\#(household),"key":"\#(Self.key(8, 2))","title":"Soup","ingredients":[{"text":"1 l milk"}]"#
    )
    try record(
      "plan_meal",
      #"\#(household),"key":"\#(Self.key(9, 2))","recipe":"\#(Self.key(8, 2))","date":"2026-03-03""#
    )
    try record("add_grocery_item", #"\#(household),"key":"\#(Self.key(12, 1))","name":"Tea""#)
    try record("add_pantry_staple", #"\#(household),"key":"\#(Self.key(11, 1))","name":"Salt""#)
    try record(
      "create_calendar_event",
      #"\#(household),"key":"\#(Self.key(10, 1))","title":"Tea","start_time":"2026-03-03""#)
    for member in [Self.bob, Self.cy] {
      try record("add_household_member", #"\#(household),"member":"\#(member)""#)
      try record("join_hive_with_code", #""p_code":"00000000000a""#, as: member)
    }
    try record(
      "link_habit", #"\#(hive),"habit":"\#(Self.key(2, 2))""#, as: Self.bob)
    clock.advance(seconds: 60)
    try record("leave_hive", hive, as: Self.cy)
    try record("leave_household", household, as: Self.cy)
    try record("revoke_hive_invite", #""p_code":"00000000000b""#)
  }

  static func key(_ kind: UInt64, _ number: Int) -> Key {
    Key(high: 0x4000 | kind << 16, low: 1 << 63 | UInt64(number))
  }

  /// Records a command in its JSON form.
  func record(_ name: String, _ fields: String, as actor: Key? = ada) throws {
    let actor = actor.map { #","as":"\#($0)""# } ?? ""
    let line = #"{"do":"\#(name)"\#(actor)\#(fields.isEmpty ? "" : "," + fields)}"#
    let outcome = try book.record(line: line)
    try #require(outcome.isAccepted, "\(line): \(outcome.json.encoded)")
  }

  /// Carries out a command of a caller, as `daybook apply` does.
  func apply(_ line: String, as account: Key) throws -> RequestOutcome {
    try book.record(line: Array(line.utf8), from: .account(number(account)))
  }

  /// Carries out lines of a caller, as `daybook apply` does; returns the text of each answer.
  func apply(lines: [String], as account: Key) throws -> [[UInt8]] {
    var answers: [[UInt8]] = []
    try book.record(lines: lines.map { Array($0.utf8) }, from: .account(number(account))) {
      answers += $0.map(\.text)
    }
    return answers
  }

  /// Sends commands unchanged.
  func send(
    _ body: String, as account: Key? = ada, id: String? = nil,
    type: String? = "application/json"
  ) async -> WireResponse {
    var headers: HTTPFields = [:]
    headers[.contentType] = type
    if let name = HTTPField.Name("Idempotency-Key") { headers[name] = id }
    return await api.answer(
      WireRequest(.post, ["commands"], headers: headers, body: Array(body.utf8)), for: account)
  }

  /// Asks a question by the query.
  func ask(
    _ name: String, _ query: String = "", as account: Key? = ada, knowing tag: String? = nil
  ) async -> WireResponse {
    var headers: HTTPFields = [:]
    headers[.ifNoneMatch] = tag
    return await api.answer(
      WireRequest(.get, ["ask", name], query: WireQuery(encoded: query), headers: headers),
      for: account)
  }

  var position: Int64 { book.read { $0.position } }

  func number(_ account: Key) throws -> Account.ID {
    try #require(book.read { $0.accounts.number(of: account) })
  }
}

/// A clock that stands still, and keys that are counted.
final class WorldClock: Sendable {
  private let now: Mutex<Instant>
  private let keys: Mutex<Int>

  init() {
    now = Mutex(Instant(clamping: 1_772_452_800_000))
    keys = Mutex(0)
  }

  /// A separate clock that continues from the time of another one.
  init(_ other: WorldClock) {
    now = Mutex(other.instant)
    keys = Mutex(other.keys.withLock { $0 })
  }

  var instant: Instant { now.withLock { $0 } }

  func advance(seconds: Int64) {
    now.withLock { $0 = $0.advanced(byMilliseconds: seconds * 1000) }
  }

  var bookClock: BookClock {
    BookClock(
      now: { self.instant },
      freshKey: {
        APIWorld.key(
          99,
          self.keys.withLock { count in
            count += 1
            return count
          })
      },
      salts: SaltSource { first in (0..<32).map { UInt8(truncatingIfNeeded: $0 + first.number) } })
  }
}

extension WireResponse {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  func json() throws -> JSON { try JSON(parsing: body) }

  /// The code of a refusal.
  var code: String? { (try? json())?["error"]?["code"]?.text }
}

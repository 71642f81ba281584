import Avro
import Daybook
import DaybookStore
import Journal
import PropertyTesting
import Testing

/// Edited exports: each is refused with its line, and nothing is imported.
@Suite(.tags(.damage)) struct EditedExportTests {
  struct Edit: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// A text that only the line to be edited has.
    var line: String
    var text: String
    var replacement: String
    var reason: String

    init(_ name: String, _ line: String, _ text: String, _ replacement: String, _ reason: String) {
      testDescription = name
      self.line = line
      self.text = text
      self.replacement = replacement
      self.reason = reason
    }
  }

  static let edits = [
    Edit("no JSON", "HabitLogged", "{", "", "not valid JSON"),
    Edit(
      "another event", "HabitDaySkipped", "HabitDaySkipped", "HabitFlown",
      "event: there is no event \"HabitFlown\""),
    Edit("a day that is none", "HabitLogged", "2026-01-03\"", "2026-02-30\"", "data.day"),
    Edit("a value with four decimals", "HabitLogged", "1.25", "1.2505", "data.value"),
    Edit("a value in quotes", "HabitLogged", "1.25", "\"1.25\"", "data.value"),
    Edit("an unknown source", "HabitLogged", "api", "hive", "manual, api, sync, import"),
    Edit("an unknown field", "HabitLogged", "\"note\"", "\"notes\"", "data.notes"),
    Edit("a missing field", "HabitLogged", "\"source\":\"api\",", "", "data.source: it is missing"),
    Edit("an unknown member", "HabitLogged", "\"id\"", "\"idd\"", "\"idd\""),
    Edit(
      "an earlier time", "HabitDaySkipped", "\"at\":\"2026", "\"at\":\"2025",
      "before the entry above"),
    Edit(
      "no time", "HabitDaySkipped", "\"at\"", "\"id\":null,\"a\"", "no entry has a member \"a\""),
    Edit("a time that is none", "HabitDaySkipped", "T12:", "T25:", "is not a time"),
    Edit("another position", "HabitDaySkipped", "\"position\":", "\"position\":1", "comes next"),
    Edit(
      "an entry of no command", "HabitDaySkipped", "\"step\":1", "\"step\":0",
      "step: 0 is not a number from 1"),
    Edit(
      "the second of another command", "HabitDaySkipped", "\"step\":1", "\"step\":2",
      "the line above is not step 1 of the same command"),
    Edit(
      "the third without the second", "HabitScheduleChanged", "\"step\":2", "\"step\":3",
      "the line above is not step 2 of the same command"),
    Edit(
      "an id on another than the first", "HabitScheduleChanged", "\"step\":2",
      "\"id\":\"00000000-0000-0009-0000-00000000000f\",\"step\":2",
      "only the first entry of a command has one"),
    Edit(
      "an unknown actor", "HabitDaySkipped", "\"actor\":\"0", "\"actor\":\"1",
      "no line above creates"),
    Edit(
      "nobody acts", "HabitLogCleared", "\"actor\":\"00000000-0000-0ada-0000-000000000001\"",
      "\"actor\":null", "nobody acts"),
    Edit(
      "an unknown habit", "HabitDaySkipped", "\"habit\":\"0", "\"habit\":\"1",
      "no line above creates"),
    Edit(
      "a mask of no day", "HabitScheduleChanged", "\"weekmask\":127,\"quota_times\":3",
      "\"weekmask\":128,\"quota_times\":0", "contradict"),
    Edit(
      "more times than days", "HabitScheduleChanged", "\"quota_times\":3", "\"quota_times\":8",
      "contradict"),
    Edit("an hour 24", "DayClockChanged", "\"day_start_hour\":4", "\"day_start_hour\":24", "24"),
    Edit("an unknown zone", "DayClockChanged", "Asia/Kathmandu", "Asia/Atlantis", "Atlantis"),
    Edit("an empty name", "HabitDescribed", "Run far", " ", "the name is empty"),
    Edit("a colour that is none", "HabitDescribed", "#FF9F1C", "#FF9F1", "not a colour"),
    Edit("a label's colour that is none", "LabelCreated", "teal", "tea", "not a colour"),
    Edit(
      "what begins later than its entry", "LabelCreated", "\"begun\":\"2026", "\"begun\":\"2027",
      "it began after"),
    Edit(
      "a day that is known again before it was", "HabitDayReverted", "\"updated\":\"2026",
      "\"updated\":\"2027", "out of order"),
    Edit(
      "a day that is older than its first record", "HabitDayReverted", "\"created\":\"2026",
      "\"created\":\"2027", "out of order"),
    Edit(
      "an amount of a skipped day", "HabitDayReverted", "\"value\":5,", "\"value\":null,",
      "cannot have an entered value"),
    Edit(
      "a target of zero", "HabitTargetChanged", "\"amount\":1,\"bound\":\"at_most\"",
      "\"amount\":0,\"bound\":\"at_least\"", "above 0"),
    Edit(
      "an actor who is not the owner", "\"ProfileChanged\"",
      "\"actor\":\"00000000-0000-0ada-0000-000000000001\"",
      "\"actor\":\"00000000-0000-0007-0000-000000000002\"", "not the owner"),
    Edit(
      "a hash that is none", "\"IdentityLinked\"", "01010101", "0101010g",
      "data.hash: \"0101010g0101"),
    Edit(
      "no hash", "\"IdentityVerified\"", "\"hash\":\"\(one)\"", "\"hash\":null",
      "what is personal is empty"),
    Edit(
      "an identity that was not linked", "\"IdentityVerified\"", "01010101", "01010102",
      "no line above links"),
    Edit(
      "an unlinking of another kind", "\"IdentityUnlinked\"", "email", "apple",
      "no line above links"),
    Edit("another's device", "\"DeviceUnregistered\"", "bee-phone", "wasp-phone", "registers"),
    Edit(
      "a token that is none", "\"environment\":\"prod\"", "bee-phone", "bee phone",
      "the token is not valid"),
    Edit(
      "contacts out of order", "\"ContactsUploaded\"", "\(one)\",\"\(three)",
      "\(three)\",\"\(one)", "not in order"),
    Edit(
      "a contact that was not uploaded", "\"ContactsRemoved\"", "03030303", "02030303",
      "no line above uploads"),
    Edit(
      "a text with another hash", "\"ContactNamed\"", "carol@", "karol@",
      "the hash is not that of the text"),
    Edit(
      "data that is no object", "\"streak_milestone\",\"data\":\"{", "\"data\":\"{",
      "\"data\":\"[{",
      "not a JSON object"),
    Edit("a birthday to come", "\"BirthdayChanged\"", "1990", "2990", "has not come yet"),
    Edit(
      "times out of order", "\"NotificationsChanged\"", "\"07:45\",\"21:00\"",
      "\"21:00\",\"07:45\"", "not in order"),
  ]

  private static let one = String(repeating: "01", count: 32)
  private static let three = String(repeating: "03", count: 32)

  private static let ada = "\"actor\":\"00000000-0000-0ada-0000-000000000001\""
  private static let bob = "\"actor\":\"00000000-0000-0007-0000-000000000002\""

  /// Impossible histories of a hive.
  static let hiveEdits = [
    Edit("a hive without a name", "HiveCreated", "\"Bees\"", "\" \"", "the name is empty"),
    Edit("a colour that is none", "HiveCreated", "#FF9F1C", "red", "not a colour"),
    Edit("a target of zero", "HiveCreated", "\"target\":1", "\"target\":0", "above 0"),
    Edit("no weekday", "HiveCreated", "\"weekmask\":127", "\"weekmask\":0", "1 to 127"),
    Edit("an eighth weekday", "HiveCreated", "\"weekmask\":127", "\"weekmask\":128", "1 to 127"),
    Edit(
      "a threshold that is not asked for", "HiveCreated", "\"threshold\":0", "\"threshold\":2",
      "contradict"),
    Edit(
      "a threshold that is missing", "HiveCreated", "all_must_complete", "threshold", "contradict"),
    Edit(
      "a hive of another's", "HiveCreated", ada, bob, "not the owner"),
    Edit("a code of eleven", "HiveInviteCreated", "0123456789ab", "0123456789a", "twelve"),
    Edit("a code in capitals", "HiveInviteCreated", "0123456789ab", "0123456789AB", "twelve"),
    Edit("a code that is taken", "ba9876543210", "ba9876543210", "0123456789ab", "another invite"),
    Edit("an invite for none", "HiveInviteCreated", "\"most_uses\":20", "\"most_uses\":0", "1 or"),
    Edit(
      "an invite that was never good", "HiveInviteCreated", "\"expires\":\"2026",
      "\"expires\":\"2025", "expires before"),
    Edit("an invite by a stranger", "HiveInviteCreated", ada, bob, "may not do that"),
    Edit("no such invite", "HiveInviteRevoked", "\"invite\":2", "\"invite\":3", "no such invite"),
    Edit("a joining by none", "\"invite\":1}", "\"invite\":1", "\"invite\":null", "without an"),
    Edit("a joining by another", "\"invite\":1}", "\"invite\":1", "\"invite\":9", "no such"),
    Edit(
      "a joining by one taken back", "\"invite\":1}", "\"invite\":1", "\"invite\":2", "no such"),
    Edit(
      "a duty before joining", "\"invite\":1}", "\"required_from\":\"2026-01-15",
      "\"required_from\":\"2026-01-14", "before joining"),
    Edit("a log above the target", "HiveDayLogged", "\"value\":1", "\"value\":2", "the target"),
    Edit("a log of nothing", "HiveDayLogged", "\"value\":1", "\"value\":0", "the target"),
    Edit("a log for another", "HiveDayLogged", ada, bob, "may not do that"),
    Edit(
      "more done than were", "HiveAdvanced", "\"complete_count\":2", "\"complete_count\":3",
      "2 of 2 were done"),
    Edit(
      "more required than were", "HiveBroken", "\"required_count\":2", "\"required_count\":3",
      "0 of 2 were done"),
    Edit("a streak of nothing", "HiveAdvanced", "\"streak\":1", "\"streak\":0", "1 or more"),
    Edit(
      "an advance of another day", "HiveAdvanced", "\"day\":\"2026-01-15", "\"day\":\"2026-01-16",
      "were done"),
    Edit(
      "an advance before the hive", "HiveAdvanced", "\"day\":\"2026-01-15",
      "\"day\":\"2026-01-13", "does not count"),
    Edit(
      "a break of a day that advanced", "HiveBroken", "\"day\":\"2026-01-16",
      "\"day\":\"2026-01-15", "the day advanced"),
    Edit("a break that somebody did", "HiveBroken", "\"actor\":null", bob, "only the system"),
    Edit("a hive handed on by another", "HiveHandedOver", ada, bob, "may not do that"),
    Edit("a leaving by another's hand", "HiveLeft", ada, "\"actor\":null", "nobody acts"),
    Edit("a hive deleted by one who left", "HiveDeleted", bob, ada, "may not do that"),
  ]

  private static let lines = Result { try ExchangeWorld.export(EveryEvent.book()) }

  @Test(arguments: edits + hiveEdits)
  func `an edited line is refused`(edit: Edit) throws {
    var lines = try Self.lines.get()
    let index = try #require(lines.firstIndex { $0.contains(edit.line) })
    let edited = lines[index].replacing(edit.text, with: edit.replacement, maxReplacements: 1)
    #expect(edited != lines[index], "\(lines[index])")
    lines[index] = edited
    try refuses(lines, line: index + 1, edit.reason)
  }

  @Test func `a removed, moved or duplicated line is refused`() throws {
    let lines = try Self.lines.get()
    for index in try sample(1..<lines.count - 1, every: 5) {
      var without = lines
      without.remove(at: index)
      try refuses(without, line: index + 1, "comes next")
      var doubled = lines
      doubled.insert(lines[index], at: index)
      try refuses(doubled, line: index + 2, "comes next")
    }
  }

  @Test func `without positions, a repeated key or id is refused`() throws {
    let lines = try ExchangeWorld.export(EveryEvent.book()).map { line in
      "{" + line.split(separator: ",", maxSplits: 1)[1]
    }
    let copy = try ExchangeWorld.book()
    try ExchangeWorld.importing(lines, into: copy)
    for name in ["AccountCreated", "HabitCreated", "GoalCreated"] {
      let index = try #require(lines.firstIndex { $0.contains("\"\(name)\"") })
      var doubled = lines
      doubled.insert(lines[index], at: index + 1)
      try refuses(doubled, line: index + 2, "already")
    }
    let index = try #require(lines.firstIndex { $0.contains("\"id\"") })
    var doubled = lines
    doubled.insert(lines[index], at: index + 1)
    try refuses(doubled, line: index + 2, "is on a line above")
  }

  @Test func `a line that names a deleted entity is refused`() throws {
    var lines = try ExchangeWorld.export(EveryEvent.book())
    let deleted = try #require(lines.firstIndex { $0.contains("\"HabitDeleted\"") })
    let logged = lines.remove(at: deleted - 1)
    lines.insert(logged, at: deleted)
    lines = lines.map { "{" + $0.split(separator: ",", maxSplits: 1)[1] }
    try refuses(lines, line: deleted + 1, "a line above deletes the habit")
  }

  @Test func `an export that contradicts its own erasures is refused (ES-6)`() throws {
    let lines = try ExchangeWorld.export(EveryEvent.book())
    func place(_ texts: String...) throws -> Int {
      try #require(lines.firstIndex { line in texts.allSatisfy { line.contains($0) } })
    }
    func refuses(
      _ edit: Int, _ text: String, _ replacement: String, at line: Int, _ reason: String
    ) throws {
      var edited = lines
      edited[edit].replace(text, with: replacement)
      #expect(edited != lines)
      try self.refuses(edited, line: line + 1, reason)
    }
    let empty = "\"display_name\":\"\""
    let created = try place("\"AccountCreated\"", empty)
    let cleo = try #require(try JSON(parsing: lines[created])["data"]?["key"]?.text)
    let goal = try place("\"GoalCreated\"", cleo)
    let logged = try place("\"HabitLogged\"", cleo)
    let erased = try place("\"AccountErased\"")
    try refuses(
      created, empty, "\"display_name\":\"Cleo\"", at: goal, "the name is empty")
    try refuses(
      logged, "\"note\":null", "\"note\":\"mine\"", at: logged,
      "on line \(created + 1) the name is empty")
    try refuses(
      erased, "\"account\":\"\(cleo)", "\"account\":\"\(ExchangeWorld.ada)", at: erased,
      "but line 1 still says something about the person")
    let resumed = lines[try place("\"AccountResumed\"")].split(separator: ",", maxSplits: 2)[2]
      .replacing(ExchangeWorld.ada.description, with: cleo)
    try self.refuses(
      lines + ["{\"at\":\"2026-08-02T00:00:00Z\",\(resumed)"], line: lines.count + 1,
      "a line above erases the actor")
  }

  @Test func `changed bytes are refused or give a consistent book`() throws {
    let text = Array(try ExchangeWorld.export(EveryEvent.book()).joined().utf8)
    for seed in 0..<UInt64(try scaled(25)) {
      var random = SeededRandom(state: seed)
      var bytes = text
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
      }
      let storage = MemoryStorage()
      try ExchangeWorld.write(bytes, to: "a.jsonl", storage)
      let book = try ExchangeWorld.book()
      do {
        try book.importExport(at: "a.jsonl", storage: storage)
        let lines = try ExchangeWorld.export(book)
        let copy = try ExchangeWorld.book()
        try ExchangeWorld.importing(lines, into: copy)
        #expect(copy.read { $0.digest } == book.read { $0.digest }, "seed \(seed)")
      } catch is ExchangeError {
        #expect(book.read { $0.position } == 0, "seed \(seed)")
      }
    }
  }

  private func refuses(_ lines: [String], line: Int, _ reason: String) throws {
    let book = try ExchangeWorld.book()
    let empty = book.read { $0.digest }
    let error = #expect(throws: ExchangeError.self) {
      try ExchangeWorld.importing(lines, into: book)
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("export.jsonl, line \(line): "), "\(text)")
    #expect(text.contains(reason), "\(text)")
    #expect(book.read { $0.digest } == empty)
    #expect(try ExchangeWorld.export(book) == [])
  }
}

import Avro

@testable import Calendar
@testable import Daybook

/// Tests how much of something is accepted.
enum LimitProbe {
  /// Whether an input of this size is accepted completely.
  static func takes(_ limit: Limit, _ size: Int) throws -> Bool {
    switch limit {
    case .name, .title, .text, .line, .address:
      let field = TextField.all.first { $0.limit == limit }
      return field.map { $0.refusal(of: String(repeating: "x", count: size)) == nil } ?? false
    case .ingredients:
      let line = Ingredient(parsing: "1 egg")
      return try takesRecipe { $0.ingredients = Array(repeating: line, count: size) }
    case .steps: return try takesRecipe { $0.steps = Array(repeating: "Stir.", count: size) }
    case .tags: return try takesRecipe { $0.tags = (0..<size).map { "tag \($0)" } }
    case .reminders:
      let times = (0..<size).compactMap { LocalTime(minutes: $0) }
      return isTaken { _ = try given().when(CreateHabit(name: "Read", reminders: times)) }
    case .labels:
      let labelled = try (0..<size).reduce(given()) {
        try $0.and(CreateLabel(key: Key(high: 7, low: UInt64($1)), name: "\($1)"))
      }
      let labels = (1...size).compactMap { TaskLabel.ID($0) }
      return isTaken {
        _ = try labelled.when(
          CreateTask(key: Key(high: 8, low: 1), title: "Read", labels: labels))
      }
    case .command:
      return isTaken {
        _ = try Request.object(in: Array(repeating: 0x20, count: size - 2) + [0x7B, 0x7D])
      }
    case .activityData:
      let data: JSON = ["a": .string(String(repeating: "x", count: size - 8))]
      return isTaken { _ = try given().when(PostActivity(.hiveJoined, data: data)) }
    case .hiveMembers:
      let hive = try Bees.people(UInt64(size)).and(CreateHive(key: Bees.key, name: "Bees"))
        .and(CreateHiveInvite(Bees.hive, code: Bees.code))
      let full = try (2..<size).reduce(hive) { try $0.and(JoinHive(Bees.code), by: $1) }
      return isTaken { _ = try full.when(JoinHive(Bees.code), by: size) }
    case .householdMembers:
      let home = try Bees.people(UInt64(size)).and(CreateHousehold(key: Home.key, name: "Home"))
      let full = try (2..<size).reduce(home) {
        try $0.and(AddHouseholdMember(Bees.person($1), to: Home.household))
      }
      return isTaken {
        _ = try full.when(AddHouseholdMember(Bees.person(size), to: Home.household))
      }
    case .identities, .devices, .contacts, .notificationTimes, .starterHabits:
      return try takesPersonal(limit, size)
    case .digits: return Rational(String(repeating: "0", count: size - 1) + "1") == Rational(1)
    case .pageBytes:
      let recipe = #"{"@type":"Recipe","name":"Soup"}"#
      let text = recipe + String(repeating: " ", count: size - recipe.utf8.count)
      return isTaken { _ = try RecipeImport.recipes(inText: text) }
    case .spanDays, .daysAhead, .feedLines, .dueSteps: return takesQuestion(limit, size)
    default: return try takesCalendar(limit, size)
    }
  }

  /// The code that refuses more; `nil` where the excess is only reported.
  static func code(of limit: Limit) -> String? {
    switch limit {
    case .name, .title, .text, .line, .address, .activityData: "\(limit.rawValue)_too_long"
    case .command: "command_too_long"
    case .ingredients, .steps, .tags, .reminders, .labels, .identities, .devices, .contacts,
      .notificationTimes, .starterHabits, .calendarRules:
      "too_many_\(limit.rawValue)"
    case .hiveMembers: "hive_full"
    case .householdMembers: "household_full"
    case .calendarBytes, .zoneParts: "calendar_too_long"
    default: nil
    }
  }

  private static func isTaken(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch { return false }
  }

  private static func takesQuestion(_ limit: Limit, _ size: Int) -> Bool {
    let (first, noon) = (day("2026-03-01"), moment("2026-03-01T12:00:00Z"))
    let later = noon.advanced(byMilliseconds: Int64(size) * 86_400_000)
    switch limit {
    case .spanDays:
      let takesDays = isTaken {
        try Limit.checkSpan(first...first.advanced(by: size - 1), "to")
      }
      let takesTimes = isTaken { try Limit.checkSpan(from: noon, to: later, "to") }
      return takesDays && takesTimes
    case .daysAhead: return isTaken { try Limit.checkAhead(later, of: noon, "to") }
    case .feedLines: return isTaken { try limit.checkCount(size, "limit") }
    default:
      var due = PersonalDue(of: First.account, after: noon, through: later, in: TableZones())
      return due.spend(size)
    }
  }

  private static func takesRecipe(_ edit: (inout RecipeContent) -> Void) throws -> Bool {
    var content = RecipeContent(title: "Soup")
    edit(&content)
    let home = try Home.with()
    return isTaken { _ = try home.when(CreateRecipe(in: Home.household, content)) }
  }

  private static func takesPersonal(_ limit: Limit, _ size: Int) throws -> Bool {
    let hash = { (number: Int) in IdentityHash(padding: [UInt8(number & 255), UInt8(number >> 8)]) }
    switch limit {
    case .identities:
      let many = try (1..<size).reduce(given()) {
        try $0.and(LinkIdentity(Identity(.email, hash($1))))
      }
      return isTaken { _ = try many.when(LinkIdentity(Identity(.email, hash(size)))) }
    case .devices:
      let many = try (1..<size).reduce(given()) {
        try $0.and(RegisterDevice(token: "\($1)"))
      }
      return isTaken { _ = try many.when(RegisterDevice(token: "\(size)")) }
    case .contacts:
      return isTaken { _ = try given().when(UploadContacts((0..<size).map(hash))) }
    case .notificationTimes:
      let times = (0..<size).compactMap { LocalTime(minutes: $0) }
      return isTaken { _ = try given().when(UpdateProfile { $0.notificationTimes = times }) }
    default:
      let tiles = StarterTile.allCases.prefix(size).map { CompleteOnboarding.StarterHabit($0) }
      return isTaken { _ = try given().when(CompleteOnboarding(habits: tiles)) }
    }
  }

  // MARK: iCalendar

  private static func takesCalendar(_ limit: Limit, _ size: Int) throws -> Bool {
    switch limit {
    case .calendarBytes:
      let text = calendarText(eventText("UID:1\nDTSTART:20260301T120000Z"))
      return try imports(text + String(repeating: "\n", count: size - text.utf8.count))
    case .zoneParts:
      let zones = [part(100, named: "A"), part(size % 100, named: "B")]
      let events = (0..<size / 100).map { eventText("UID:\($0)\nDTSTART;TZID=A:20260301T120000") }
      let rest = size % 100 == 0 ? [] : [eventText("UID:b\nDTSTART;TZID=B:20260301T120000")]
      return try imports(calendarText(zones + events + rest))
    case .calendarSteps:
      var budget = ICalendar.ExpansionBudget.question
      return budget.spend(size)
    case .seriesSteps: return ICalendar.ExpansionBudget.question.forSeries >= size
    case .calendarProblems:
      let text = calendarText((0..<size).map { _ in "no line" })
      let last = ICalendar.read(text, zones: TableZones()).problems.last
      return last?.message.contains("more problems") == false
    default:
      let reading = ICalendar.read(calendarText(parts(limit, size)), zones: TableZones())
      return reading.problems == []
    }
  }

  /// The parts of a calendar with `size` of what the limit counts. Up to the limit they are read without problems.
  private static func parts(_ limit: Limit, _ size: Int) -> [String] {
    let once = "UID:1\nDTSTART:20260301T120000Z"
    switch limit {
    case .componentDepth:
      return (1..<size).map { _ in "BEGIN:X" } + (1..<size).map { _ in "END:X" }
    case .uid:
      return [eventText("UID:\(String(repeating: "x", count: size))\nDTSTART:20260301T120000Z")]
    case .calendarRules:
      let rules = (1...size).map { "\nRRULE:FREQ=DAILY;COUNT=\($0)" }
      return [eventText(once + rules.joined())]
    case .calendarDates:
      let dates = (1...size).map { day("2026-03-01").advanced(by: $0).iCalendar + "T120000Z" }
      return [eventText("\(once)\nEXDATE:\(dates.joined(separator: ","))")]
    case .singleTimes:
      return [eventText("\(once)\nRRULE:FREQ=DAILY")]
        + (1...size).map {
          let slot = day("2026-03-01").advanced(by: $0).iCalendar + "T120000Z"
          return eventText("UID:1\nRECURRENCE-ID:\(slot)\nDTSTART:\(slot)")
        }
    case .zoneName:
      let name = String(repeating: "z", count: size)
      return [part(1, named: name), eventText("UID:1\nDTSTART;TZID=\(name):20260301T120000")]
    case .describedZones:
      return (0..<size).map { part(1, named: "Zone \($0)") }
        + (0..<size).map { eventText("UID:\($0)\nDTSTART;TZID=Zone \($0):20260301T120000") }
    case .observances:
      return [part(size, named: "Own"), eventText("UID:1\nDTSTART;TZID=Own:20260301T120000")]
    case .zoneChanges:
      let dates = (1..<size).map { day("1970-01-01").advanced(by: $0).iCalendar + "T120000" }
      let zone = part(1, named: "Own", "RDATE:\(dates.joined(separator: ","))")
      return [zone, eventText("UID:1\nDTSTART;TZID=Own:20260301T120000")]
    default: return []
    }
  }

  /// A zone with this many parts.
  private static func part(_ count: Int, named name: String, _ lines: String...) -> String {
    let parts = (0..<count).map { number in
      let start = day("1970-01-01").advanced(by: number).iCalendar
      return
        (["BEGIN:STANDARD", "DTSTART:\(start)T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100"]
        + lines + ["END:STANDARD"]).joined(separator: "\n")
    }
    return (["BEGIN:VTIMEZONE", "TZID:\(name)"] + parts + ["END:VTIMEZONE"])
      .joined(separator: "\n")
  }

  private static func imports(_ text: String) throws -> Bool {
    let home = try Home.with()
    return isTaken { _ = try home.when(ImportCalendar(Array(text.utf8), into: Home.household)) }
  }
}

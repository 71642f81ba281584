import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct ListOccurrences: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rrule",
    abstract: "When a recurrence rule occurs (RFC 5545); it needs no book.",
    discussion: """
      daybook rrule "FREQ=MONTHLY;BYDAY=-1FR" --start 2026-01-30T18:00
      daybook rrule "FREQ=DAILY;COUNT=5" --start 2026-03-27T02:30 --zone Europe/Berlin

      With - for the rule, questions are read from standard input, one JSON object a line, with the options' \
      names: {"rule":"FREQ=DAILY","start":"2026-03-01","count":3}; each is answered with a line of JSON.
      """)

  @Argument(help: "The rule, with or without RRULE: before it; or - for JSON Lines.")
  var rule: String

  @Option(help: "When it starts, in local time: 2026-01-30T18:00, or a day.")
  var start: String?

  @Option(help: "The time zone of the start; with it, the instants are shown, too.")
  var zone: String?

  @Option(help: "How many occurrences to list at most (default: 10).")
  var count: Int?

  @Option(help: "List none before this.")
  var from: String?

  @Option(help: "List none after this.")
  var until: String?

  @Option(help: "An occurrence that is left out; may be given again.")
  var exdate: [String] = []

  @Option(help: "An occurrence in addition to those of the rule; may be given again.")
  var rdate: [String] = []

  @Flag(
    help: "Accept rules that RFC 5545 forbids but whose meaning is clear, and say what is wrong.")
  var tolerant = false

  @Flag(help: "Answer in JSON.")
  var json = false

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    guard rule != "-" else { return try answerLines() }
    guard let start else {
      throw ValidationError("give --start, such as --start 2026-01-30T18:00")
    }
    var question = RecurrenceQuestion(rule: rule, start: start)
    question.zone = zone
    question.count = count ?? question.count
    (question.from, question.until) = (from, until)
    (question.exdate, question.rdate, question.isTolerant) = (exdate, rdate, tolerant)
    let answer = try question.answer()
    if json { return Output.line(answer.json.encoded) }
    for fault in answer.faults { Output.note(fault.description) }
    for line in answer.lines { Output.line(line) }
    if answer.occurrences.isEmpty { Output.line("It does not occur.") }
    if answer.hasMore { Output.line(Style.faint("and so on")) }
  }

  private func answerLines() throws {
    let lines = try LineReader(path: "-")
    var hasRefusal = false
    while let line = try lines.next() {
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
      do {
        var question = try RecurrenceQuestion(try JSON(parsing: line))
        if tolerant { question.isTolerant = true }
        Output.whole(try question.answer().json.encoded)
      } catch {
        hasRefusal = true
        let code = (error as? CommandFailure)?.code ?? "malformed"
        let message = (error as? ValidationError)?.message ?? "\(error)"
        let answer: JSON = ["error": ["code": .string(code), "message": .string(message)]]
        Output.whole(answer.encoded)
      }
    }
    if hasRefusal { throw ExitCode(1) }
  }
}

/// A question about a recurrence rule, as text.
struct RecurrenceQuestion {
  var rule: String
  var start: String
  var zone: String?
  var count = 10
  var from: String?
  var until: String?
  var exdate: [String] = []
  var rdate: [String] = []
  var isTolerant = false

  struct Answer {
    var rule: RecurrenceRule
    var start: LocalDateTime
    /// Whether the start and the occurrences are days.
    var isAllDay: Bool
    var clock: WallClock?
    var occurrences: [LocalDateTime]
    var hasMore: Bool
    var faults: [RecurrenceError]
  }

  init(rule: String, start: String) {
    self.rule = rule
    self.start = start
  }

  /// Reads a question from a line of JSON.
  init(_ json: JSON) throws {
    guard let members = json.members, let rule = json["rule"]?.text,
      let start = json["start"]?.text
    else { throw ValidationError("a question is an object with rule and start") }
    self.init(rule: rule, start: start)
    for member in members {
      let (name, value) = (member.name, member.value)
      switch name {
      case "rule", "start": break
      case "zone": zone = try Self.text(name, value)
      case "from": from = try Self.text(name, value)
      case "until": until = try Self.text(name, value)
      case "exdate": exdate = try (value.elements ?? [value]).map { try Self.text(name, $0) }
      case "rdate": rdate = try (value.elements ?? [value]).map { try Self.text(name, $0) }
      case "count":
        guard let number = value.integer else { throw ValidationError("count is a whole number") }
        count = number
      default: throw ValidationError("there is no field \(quoted(name))")
      }
    }
  }

  private static func text(_ name: String, _ value: JSON) throws -> String {
    guard let text = value.text else { throw ValidationError("\(name) is a text") }
    return text
  }

  func answer() throws -> Answer {
    guard (1...100_000).contains(count) else {
      throw ValidationError("--count is 1 to 100000")
    }
    var (rule, faults) = try parsed()
    let start = try Self.local(start, "--start")
    // "The BYSECOND, BYMINUTE and BYHOUR rule parts … MUST be ignored" when the start is a DATE (RFC 5545,
    // 3.3.10).
    let isAllDay = Day(self.start) != nil && !rule.isSubDaily
    if isAllDay { rule = rule.withoutTimes }
    let clock = zone.map { WallClock(timeZone: $0, zones: SystemTimeZones.shared) }
    if let clock, clock.local(of: .init(clamping: 0)) == nil {
      throw Rejection.unknownTimeZone(clock.timeZone)
    }
    let recurrence = Recurrence(
      start: start, rules: [rule], dates: try rdate.map { try Self.local($0, "--rdate") },
      exceptions: try exdate.map { try Self.local($0, "--exdate") })
    let from = try from.map { try Self.local($0, "--from") }
    var last = try until.map { try Self.local($0, "--until") }
    if let text = until, let day = Day(text) { last = LocalDateTime(day: day, second: 86_399) }
    let found = recurrence.occurrences(from: from, clock: clock).prefix(count + 1)
      .prefix { $0 <= last ?? $0 }
    return Answer(
      rule: rule, start: start, isAllDay: isAllDay, clock: clock,
      occurrences: Array(found.prefix(count)), hasMore: found.count > count, faults: faults)
  }

  private func parsed() throws -> (RecurrenceRule, [RecurrenceError]) {
    do {
      guard isTolerant else { return (try RecurrenceRule(parsing: rule), []) }
      return try RecurrenceRule.tolerating(rule)
    } catch {
      throw CommandFailure("invalid_recurrence_rule", error.description)
    }
  }

  private static func local(_ text: String, _ option: String) throws -> LocalDateTime {
    guard let local = LocalDateTime(text) else {
      throw ValidationError(
        "\(option): \(quoted(text)) is neither a local time such as 2026-01-30T18:00 nor a day")
    }
    return local
  }
}

extension RecurrenceQuestion.Answer {
  var json: JSON {
    var members: [JSON.Member] = [
      .init("rule", .string(rule.description)), .init("start", .string(text(start))),
      .init("occurrences", .array(occurrences.map { .string(text($0)) })),
      .init("more", .bool(hasMore)),
    ]
    if let clock {
      members.append(.init("zone", .string(clock.timeZone)))
      let instants = occurrences.map { clock.instant(of: $0).map { JSON.string($0.description) } }
      members.append(.init("instants", .array(instants.map { $0 ?? .null })))
    }
    if !faults.isEmpty {
      members.append(.init("faults", .array(faults.map { .string($0.description) })))
    }
    return .object(members)
  }

  /// One line for each occurrence.
  var lines: [String] {
    occurrences.map { local in
      let wall = "\(local.day.weekdayName)  \(isAllDay ? "\(local.day)" : local.description)"
      guard let clock, let instant = clock.instant(of: local) else { return wall }
      let shown = clock.local(of: instant)
      let note = shown == local ? "" : "  the clock shows \(shown?.description ?? "")"
      return "\(wall)  \(instant)\(note)"
    }
  }

  private func text(_ local: LocalDateTime) -> String {
    isAllDay ? local.day.description : local.description
  }
}

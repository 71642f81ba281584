import ArgumentParser
import Avro
import Daybook
import DaybookSamples
import DaybookStore
import Foundation
import Journal

struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract:
      "Measure this machine: replay, append, import, query, past, auditing, feed, open, seal, hives, tasks, receipts, or growth.",
    discussion: """
      Makes a book of made-up logs in a temporary directory (or in --dir, which is then kept), and \
      measures on it. Build with -c release, else the figures mean nothing.
      """)

  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case replay, append, query, past, auditing, feed, open, seal, hives, tasks, receipts, growth
    case bulkImport = "import"
  }

  @Argument(
    help:
      "What to measure: replay, append, import, query, past, auditing, feed, open, seal, hives, tasks, receipts or growth."
  )
  var subject: Subject

  @Option(help: "How many logs the book has (append: how many commits).")
  var entries: Int = 1_000_000

  @Option(
    help: "How many accounts the book has, with five habits each (default: one per thousand logs).")
  var accounts: Int?

  @Option(help: "Make the book here and keep it; an existing one is used again.")
  var dir: String?

  @Option(help: "append: how many tasks record at the same time.")
  var writers: Int?

  @Option(help: "append: how many logs each commit has.")
  var batch: Int?

  @Option(help: "growth: how many things of each kind the largest book has.")
  var limit: Int = 10_000

  @Flag(help: "Group the book's entries as a person makes them: one a commit.")
  var single = false

  @Flag(help: "Answer in JSON.")
  var json = false

  func run() async throws {
    guard (1...100_000_000).contains(entries) else {
      throw ValidationError("--entries: \(entries) is not from 1 to 100000000")
    }
    if let accounts, !(1...1_000_000).contains(accounts) {
      throw ValidationError("--accounts: \(accounts) is not from 1 to 1000000")
    }
    guard (1000...1_000_000).contains(limit) else {
      throw ValidationError("--limit: \(limit) is not from 1000 to 1000000")
    }
    if subject == .growth { return try growth() }
    let path = dir ?? FileManager.default.temporaryDirectory.path + "/daybook-bench-\(getpid())"
    defer { if dir == nil { try? FileManager.default.removeItem(atPath: path) } }
    let figures: [Figure] =
      switch subject {
      case .replay: try replay(path)
      case .append:
        if let writers {
          try await append(path, writers: writers)
        } else if let batch {
          try append(path, batch: batch)
        } else {
          try append(path)
        }
      case .query: try query(path)
      case .bulkImport: try importing(path)
      case .past: try past(path)
      case .auditing: try auditing(path)
      case .feed: try feed(path)
      case .open: try open(path)
      case .seal: try seal(path)
      case .hives: try hives(path)
      case .tasks: try tasks(path)
      case .receipts: try receipts(path)
      case .growth: []
      }
    if json {
      let members = figures.map { JSON.Member($0.name, .number(Self.text($0.value))) }
      return Output.line(
        JSON.object([.init("bench", .string(subject.rawValue))] + members).encoded)
    }
    var table = TextTable([.text("figure", 9), .number("value", 9)])
    for figure in figures { table.add([figure.name, Self.text(figure.value)]) }
    table.print()
  }

  typealias Figure = (name: String, value: Double)

  private static func text(_ value: Double) -> String {
    if value >= 1000 { return String(Int(value.rounded())) }
    let thousandths = Int((value * 1000).rounded())
    let digits = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
  }

  /// A book with the requested logs; ten million of them have 10 000 accounts with five habits each.
  func book(_ path: String) throws -> BookReader {
    let reader = BookReader(at: path)
    if try !reader.journal.exists() {
      Output.note("Making a book with \(entries) logs at \(path) …")
      _ = try BenchBook.make(
        at: path, logs: entries, accounts: accounts ?? max(1, entries / 1000),
        grouping: single ? .single : .bulk, hasHives: subject == .feed)
    }
    return reader
  }

  /// The error for a --dir book that was made for another benchmark.
  static let emptyBook = ValidationError(
    "the book in --dir has no account with a habit to measure; name a directory that does not exist"
  )

  private func replay(_ path: String) throws -> [Figure] {
    let reader = try book(path)
    let size = try Self.byteCount(path)
    var counter = Counter()
    let memoryBefore = Self.peakMemoryByteCount
    let decoding = try Self.seconds { try reader.replay(into: &counter) }
    // The counter keeps nothing, so all of this memory belongs to the replay.
    let memory = Self.peakMemoryByteCount - memoryBefore
    var judged = 0
    // Three rounds, because the first also pays for memory that the process touches for the first time.
    let streakTimes = try (0..<3).map { _ in
      try Self.seconds {
        var streaks = StreakReplay()
        try reader.replay(into: &streaks)
        let query = Query(asOf: counter.last, zones: reader.zones)
        judged = try streaks.summaries(query).count
      }
    }
    let streakTime = Self.median(streakTimes)
    let sideBySide = Self.median(
      try (0..<3).map { _ in
        try Self.seconds {
          try reader.streakSummaries(Query(asOf: counter.last, zones: reader.zones))
        }
      })
    var position: Int64 = 0
    let stateTimes = try (0..<3).map { _ in
      try Self.seconds { position = try reader.state().position }
    }
    let stateTime = Self.median(stateTimes)
    let count = Double(counter.count)
    return [
      ("entries", count), ("habits", Double(judged)), ("bytes_per_entry", Double(size) / count),
      ("decode_million_entries_per_second", count / decoding / 1e6),
      ("decode_memory_mebibytes", Double(memory) / 1_048_576),
      ("streaks_million_entries_per_second", count / streakTime / 1e6),
      ("streaks_on_all_cores_million_entries_per_second", count / sideBySide / 1e6),
      ("streaks_on_all_cores_seconds", sideBySide), ("streaks_seconds", streakTime),
      ("streaks_first_round_seconds", streakTimes[0]),
      ("state_million_entries_per_second", count / stateTime / 1e6),
      ("state_seconds", stateTime), ("state_first_round_seconds", stateTimes[0]),
      ("position", Double(position)),
    ]
  }

  /// Measures how long a person waits for each of: opening the book, today's list, an audit, a past day.
  private func query(_ path: String) throws -> [Figure] {
    let reader = try book(path)
    var state = BookState()
    let open = try Self.seconds { state = try reader.state() }
    let query = Query(asOf: state.at, zones: reader.zones)
    guard
      let account = state.accounts.elements.first.flatMap({ state.accounts.number(of: $0.key) }),
      let habit = state.habits.elements.first
    else { throw Self.emptyBook }
    var cards = 0
    let today = try Self.seconds { cards = try state.today(of: account, query).count }
    let number = Habit.ID(1)
    let audit = try Self.seconds {
      if let number {
        var trail = AuditTrail(habit: number, owner: habit.owner)
        try reader.replay(into: &trail)
        _ = Audit(try state.view(of: habit, query), trail)
      }
    }
    let middle = Instant(
      clamping: (habit.created.milliseconds + state.at.milliseconds) / 2)
    let past = try Self.seconds { _ = try reader.state(asOf: middle) }
    return [
      ("entries", Double(state.position)), ("open_milliseconds", open * 1000),
      ("today_milliseconds", today * 1000), ("today_cards", Double(cards)),
      ("audit_milliseconds", audit * 1000), ("as_of_milliseconds", past * 1000),
    ]
  }

  private struct Counter: Projection {
    var count = 0
    var last = Instant.first
    mutating func apply(_ entry: Entry) {
      count += 1
      last = entry.head.at
    }
    mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
      count &+= 1
      last = head.at
    }
  }

  static func byteCount(_ path: String) throws -> Int {
    let storage = FileStorage()
    let directory = path + "/journal"
    let segments = try (storage.names(in: directory) ?? []).filter { $0.hasSuffix(".avro") }
    return try segments.reduce(0) { sum, name in
      sum + (try storage.open(directory + "/" + name, .read).byteCount())
    }
  }

  /// The peak memory of the process.
  private static var peakMemoryByteCount: Int {
    var usage = rusage()
    // This is `RUSAGE_SELF`, whose type differs between systems.
    getrusage(0, &usage)
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss * 1024
    #endif
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
  }

  static func seconds(_ body: () throws -> some Any) rethrows -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure { _ = try body() }
    return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
  }
}

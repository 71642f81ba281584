import ArgumentParser
import Daybook
import DaybookStore
import Foundation
import Journal

/// The option that selects the book.
struct BookOptions: ParsableArguments {
  @Option(
    name: .long, help: "The book's directory (default: $DAYBOOK, else ./my.daybook).",
    completion: .directory)
  var book: String?

  @Flag(name: .long, help: "Answer in JSON.")
  var json = false

  var path: String {
    book ?? ProcessInfo.processInfo.environment["DAYBOOK"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "my.daybook"
  }

  var reader: BookReader { BookReader(at: path, meter: ProgressBar.meter) }

  /// Opens the book for writing, or creates it.
  func make(pepper: Pepper? = nil) throws -> Book {
    if try !reader.journal.exists() { try Book.create(at: path) }
    let book = try Book(opening: reader, pepper: pepper)
    Interruption.protect(book)
    return book
  }

  /// Opens the existing book for writing. Reports any remains of a crash, and a book clock ahead of the
  /// machine's, because new entries then get a time in the future.
  func open(pepper: Pepper? = nil) throws -> Book {
    guard try reader.journal.exists() else { throw JournalError.noBook(path: path) }
    let book = try Book(opening: reader, pepper: pepper)
    Interruption.protect(book)
    if let torn = book.recovered { Output.note("\(torn) They were cut off and kept beside it.") }
    let (last, now) = (book.read { $0.at }, BookClock.system.now())
    if last > now {
      Output.note(
        """
        The book's clock is ahead of this machine's, so new entries get the time of its last \
        entry, \(last); if that was a mistake, `daybook restore NEWDIR --to \(now)` makes a book \
        without it.
        """)
    }
    return book
  }
}

/// The option for the time at which something is recorded.
struct ClockOptions: ParsableArguments {
  @Option(help: "The book's clock: \(TimeArgument.help) (default: now).")
  var at: String?

  @Flag(help: "Do it without asking; also accept an --at that is more than a day ahead.")
  var yes = false

  /// The given time, if any.
  ///
  /// - Parameter clock: The clock for everyday wording; by default this machine's.
  /// - Returns: The time.
  /// - Throws: `CommandFailure` for a time more than a day ahead. No later entry can precede it, so a typing error
  ///   would misdate everything recorded afterwards.
  func instant(
    by clock: () throws -> DayClock = {
      DayClock(timeZone: SystemTimeZones.current, dayStartHour: 0)
    }
  ) throws -> Instant? {
    guard let at = try TimeArgument.spoken(at, "--at", .refused, by: clock) else { return nil }
    let now = BookClock.system.now()
    guard yes || at <= now.advanced(byMilliseconds: Limit.maximumLeadMilliseconds) else {
      throw CommandFailure(
        "clock_ahead",
        """
        --at: \(at) is more than a day ahead of this machine's clock (\(now)), and nothing \
        earlier could be recorded afterwards; give --yes if you mean it.
        """)
    }
    return at
  }
}

/// The option for the pepper used to hash phone numbers and other identities.
struct PepperOptions: ParsableArguments {
  @Option(
    name: .customLong("pepper"),
    help: "A file that holds the pepper (default: the value of $DAYBOOK_PEPPER).",
    completion: .file())
  var file: String?

  /// The pepper, if one is set. It comes from a file or a variable, because anyone can see a command's
  /// arguments.
  func pepper() throws -> Pepper? {
    if let file {
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw CommandFailure("file_not_found", "Could not read \(file); check the path.")
      }
      return try Pepper(String(decoding: bytes, as: UTF8.self))
    }
    let value = ProcessInfo.processInfo.environment["DAYBOOK_PEPPER"] ?? ""
    return value.isEmpty ? nil : try Pepper(value)
  }
}

/// The option that selects the account when the book has several.
struct ActorOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: "The account that acts, by key or by a prefix of its name (default: $DAYBOOK_AS).",
    completion: Completions.people)
  var actor: String?

  /// The acting account: the one named, else the book's only one.
  func account(in state: BookState) throws -> Account.ID {
    if let number = try chosen(in: state) { return number }
    let accounts = state.livingAccounts
    guard accounts.count == 1, let only = state.accounts.number(of: accounts[0].key) else {
      guard !accounts.isEmpty else {
        throw CommandFailure(
          "account_missing",
          "The book has no account yet; `daybook init --name NAME` makes the first one.")
      }
      throw CommandFailure(
        "account_ambiguous",
        "Say who acts with --as: \(accounts.map(\.label).joined(separator: ", ")).")
    }
    return only
  }

  /// The clock of the acting account.
  func dayClock(in book: BookOptions) throws -> DayClock {
    let state = try book.reader.state()
    guard let account = state.accounts[try account(in: state)] else {
      throw Rejection.accountNotFound
    }
    return account.dayClock
  }

  /// Whether the arguments name an account. A command that covers everybody without a name, such as an
  /// export, must not be restricted to one person by a variable set long ago.
  var isChosen: Bool { actor != nil }

  /// Whether the arguments or $DAYBOOK_AS name an account.
  var isNamed: Bool { actor ?? Self.usual != nil }

  /// The key of the account, if it is named by key.
  var key: Key? { (actor ?? Self.usual).flatMap { Key($0) } }

  /// The named account, if any.
  func chosen(in state: BookState) throws -> Account.ID? {
    guard let name = actor ?? Self.usual else { return nil }
    return try EntityFinder(
      noun: "account",
      whenEmpty: "The book has no account yet; `daybook init --name NAME` makes the first one.",
      whenMissing: actor == nil ? "The name comes from $DAYBOOK_AS." : nil
    ).find(name, in: state.accounts, among: state.livingAccounts)
  }

  /// The account to use when the arguments name none.
  private static var usual: String? {
    ProcessInfo.processInfo.environment["DAYBOOK_AS"].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The point in time from which a question is asked.
struct TimeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "As the book knew it at this time: 2026-03-01T12:00:00Z, or a day (to its end).")
  var asOf: String?

  @Option(name: .long, help: "About this day: \(DayArgument.help).")
  var on: String?

  @Option(
    name: .long, help: "The streak rule: a name of `daybook rules`, or a rule file.",
    completion: .file(extensions: ["json"]))
  var rule: String = StreakRule.daybook.id

  func chosenRule(_ id: String? = nil) throws -> StreakRule {
    try RuleArgument.rule(id ?? rule)
  }
}

/// The options for reading: the book, the account, the time, and the layout of the answer.
struct ReadOptions: JoinedOptions {
  var options = BookOptions()
  var screen = ScreenOptions()
  var actor = ActorOptions()
  var time = TimeOptions()

  static var parts: [OptionPart<Self>] {
    [OptionPart(\.options), OptionPart(\.screen), OptionPart(\.actor), OptionPart(\.time)]
  }

  var json: Bool { options.json }

  /// The context for answering the command.
  func context(byMembers: Bool = false) throws -> QueryContext {
    try QueryContext(options, actor, time, byMembers: byMembers)
  }

  /// The context for answering a command about one habit. For a past moment, only the habits of the asking account are
  /// read, if they suffice.
  ///
  /// - Parameters:
  ///   - text: The habit, as the arguments name it.
  ///   - orHive: Whether the text may also name a hive.
  /// - Returns: The context.
  /// - Throws: `ValidationError`, `CommandFailure`, or `JournalError`.
  func context(ofHabit text: String, orHive: Bool = false) throws -> QueryContext {
    try QueryContext(ofHabit: text, orHive: orHive, options, actor, time) ?? context()
  }
}

/// The context for a command that reads: the state as of an instant, and the query.
struct QueryContext {
  let reader: BookReader
  let state: BookState
  let query: Query
  /// The named account, or the book's only one.
  let account: Account.ID?

  /// The accounts among which the asking one is found.
  let people: BookState

  /// Makes the context for a book.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - actor: The account that asks.
  ///   - time: The point in time.
  ///   - byMembers: Whether present members may view a past state, whoever was a member then.
  /// - Throws: `ValidationError`, `CommandFailure`, or `JournalError`.
  init(
    _ book: BookOptions, _ actor: ActorOptions, _ time: TimeOptions, byMembers: Bool = false
  ) throws {
    reader = book.reader
    let rule = try time.chosenRule()
    var instant = time.asOf.flatMap { Instant($0) }
    var state: BookState
    if let instant, !byMembers {
      state = try reader.state(asOf: instant)
      people = state
    } else {
      let (now, end) = try reader.stateAndEnd()
      if let torn = end.torn {
        Output.note("\(torn) They are not counted; the next entry cuts them off.")
      }
      if instant == nil, let text = time.asOf {
        instant = try Self.end(of: text, for: actor, now, reader)
      }
      var past: BookState?
      if let instant { past = try reader.state(asOf: instant) }
      people = byMembers ? now : past ?? now
      state = (byMembers ? past?.seen(from: now) : past) ?? now
    }
    account = try Self.account(actor, people)
    self.state = state
    query = try Self.query(
      asOf: instant ?? max(BookClock.system.now(), state.at), rule, time, account, state, reader)
    Self.kept = state
  }

  /// Makes the context for a command about one habit as of an instant, from the entries of the asking account's habits
  /// alone; `nil` where the whole state of the instant must be read. Refusals are decided in that state, because it has
  /// everything that a refusal names.
  ///
  /// - Parameters:
  ///   - text: The habit, as the arguments name it.
  ///   - orHive: Whether the text may also name a hive.
  ///   - book: The book.
  ///   - actor: The account that asks.
  ///   - time: The point in time.
  /// - Throws: `ValidationError`, or `JournalError`.
  fileprivate init?(
    ofHabit text: String, orHive: Bool, _ book: BookOptions, _ actor: ActorOptions,
    _ time: TimeOptions
  ) throws {
    reader = book.reader
    let rule = try time.chosenRule()
    guard let instant = time.asOf.flatMap({ Instant($0) }),
      let past = try reader.indexedPast(asOf: instant),
      let account = try? Self.account(actor, past.people),
      !(orHive && past.mayMeanHive(text, for: account)),
      let state = try past.state(withHabitsOf: account),
      (try? HabitChoice.find(text, in: state, for: account)) != nil
    else { return nil }
    self.state = state
    people = state
    self.account = account
    query = try Self.query(asOf: instant, rule, time, account, state, reader)
  }

  private static func query(
    asOf instant: Instant, _ rule: StreakRule, _ time: TimeOptions, _ account: Account.ID?,
    _ state: BookState, _ reader: BookReader
  ) throws -> Query {
    var query = Query(asOf: instant, rule: rule, zones: reader.zones)
    if let text = time.on {
      query.on = try DayArgument.day(text, for: account.flatMap { state.viewer($0) }, query)
    }
    return query
  }

  /// The state that the last answer used. It is deliberately never deallocated, which would take long for a
  /// large book: the system reclaims all memory at exit. Only the running command sets it.
  nonisolated(unsafe) private static var kept: BookState?

  /// The end of a day, on the asking account's clock.
  private static func end(
    of text: String, for actor: ActorOptions, _ now: BookState, _ reader: BookReader
  ) throws -> Instant? {
    let account = try account(actor, now).flatMap { now.accounts[$0] }
    let query = Query(asOf: BookClock.system.now(), zones: reader.zones)
    guard let day = try DayArgument.known(text, for: account, query) else {
      throw ValidationError(
        "--as-of: \"\(text)\" is neither a time such as 2026-03-01T12:00:00Z nor a day: give \(DayArgument.help)"
      )
    }
    let clock = account?.dayClock ?? DayClock(timeZone: "UTC", dayStartHour: 0)
    return clock.end(of: day, in: reader.zones)
  }

  private static func account(_ actor: ActorOptions, _ state: BookState) throws -> Account.ID? {
    if let chosen = try actor.chosen(in: state) { return chosen }
    return state.onlyAccount()
  }

  /// The view of the book.
  var view: BookView { BookView(state, query, reader) }

  /// Answers a question for the asking account, or for nobody in particular.
  func ask<Asked: Question>(_ question: Asked) throws -> Asked.Answer {
    try question.answer(from: view, for: account)
  }

  /// Answers a question for an account.
  func ask<Asked: Question>(_ question: Asked, by account: Account.ID) throws -> Asked.Answer {
    try question.answer(from: view, for: account)
  }

  /// Finds the habit that a text denotes.
  func habit(_ text: String) throws -> (Habit.ID, Habit) {
    try HabitChoice.find(text, in: state, for: account)
  }
}

extension BookState {
  /// The book's only account, if there is exactly one.
  func onlyAccount() -> Account.ID? {
    var only: Account.ID?
    for account in accounts.elements where !account.isErased {
      guard only == nil else { return nil }
      only = accounts.number(of: account.key)
    }
    return only
  }
}

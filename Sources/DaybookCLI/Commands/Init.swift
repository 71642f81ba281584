import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a book, and with --name its first account.")

  @OptionGroup var options: BookOptions

  @Option(help: "Your name: makes your account in the book.")
  var name: String?

  @Option(help: "Your IANA time zone (default: this machine's).")
  var timezone: String?

  @Option(help: "The hour at which your day begins, 0…23.")
  var dayStart: Int = 4

  @Option(help: "The account's key, a UUID (default: a fresh one).")
  var key: String?

  @OptionGroup var clock: ClockOptions

  func run() throws {
    let wantsAccount = name != nil || timezone != nil || key != nil
    let instant = try clock.instant()
    let accountKey = try KeyArgument.key(key, "--key")
    let exists = try options.reader.journal.exists()
    if exists {
      let isEmpty = try options.reader.state().accounts.elements.isEmpty
      guard wantsAccount, isEmpty else { throw JournalError.alreadyABook(path: options.path) }
    }
    let command = CreateAccount(
      key: accountKey, name: name ?? "New Bee",
      timeZone: timezone ?? SystemTimeZones.current, dayStartHour: dayStart)
    if wantsAccount {
      // Decided before anything is created, so that a rejection leaves no empty book behind.
      _ = try command.decide(
        BookState(),
        Context(
          actor: nil, at: instant ?? BookClock.system.now(), freshKey: BookClock.system.freshKey(),
          zones: options.reader.zones))
    }
    if !exists { try Book.create(at: options.path) }
    guard wantsAccount else {
      if options.json {
        Output.line(#"{"ok":{"book":"# + quoted(options.path) + "}}")
      } else {
        Output.line("An empty book is at \(options.path).")
        Output.line(
          "Next: `daybook init --name NAME` for your account, or `daybook import loop DIR`.")
      }
      return
    }
    let book = try options.open()
    let number = try book.record(command, at: instant)
    try book.read { state in
      guard let account = state.accounts[number] else { throw Rejection.accountNotFound }
      if options.json {
        Output.line(#"{"ok":"# + state.profileRow(account).encoded + "}")
      } else {
        Output.line(
          "\(account.displayName)'s book is at \(options.path) (\(account.dayClock.timeZone), day from"
            + " \(account.dayClock.dayStartHour):00).")
        Output.line("Next: `daybook habits add Read`, then `daybook log Read`.")
      }
    }
  }
}

import ArgumentParser
import Daybook
import DaybookStore

struct Matches: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matches",
    abstract: "Which of an account's contacts use the book, too.")

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  func run() throws {
    let matches = try QueryContext(options, actor, asOf: asOf).ask(MatchesQuestion(), by: actor)
    if options.json { return Output.answer(matches) }
    guard !matches.found.isEmpty else {
      let count = matches.contactCount
      return Output.line(
        count == 0 ? "No contacts were uploaded yet." : "None of \(count) contacts is here yet.")
    }
    for account in matches.found {
      Output.line("\(account.shortName)  \(Style.faint(account.key.description))")
    }
  }
}

import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Matches: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Who of an account's contacts uses the book, too.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  mutating func run() throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    let state = try options.reader.state(asOf: instant ?? .last)
    let number = try actor.account(in: state)
    let found = state.contactMatches(of: number).compactMap { state.accounts[$0] }
    if options.json { return Output.line(JSON.array(found.map(Self.row)).encoded) }
    guard !found.isEmpty else {
      let count = state.accounts[number]?.contacts.count ?? 0
      return Output.line(
        count == 0 ? "No contacts were uploaded yet." : "None of \(count) contacts is here yet.")
    }
    for account in found {
      Output.line("\(account.shortName)  \(Style.faint(account.key.description))")
    }
  }

  /// What others see of an account: not all that is the profile's.
  private static func row(of account: Account) -> JSON {
    [
      "user_id": .string(account.key.description), "display_name": .string(account.displayName),
      "avatar_url": account.avatarURL.map { .string($0) } ?? .null,
    ]
  }
}

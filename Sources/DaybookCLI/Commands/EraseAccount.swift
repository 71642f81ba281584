import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation

struct EraseAccount: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase-account",
    abstract: "Blank what the book says about a person, permanently.",
    discussion: """
      Names, notes, what habits and goals are called, identities, device tokens, contacts, birthday and \
      notification times are blanked in the journal itself, and the account's habits and goals are \
      deleted. The record of what happened when remains, and every head noted earlier can still \
      be proved: `daybook verify` tells which entries were blanked, and for whom. It cannot be \
      undone. Backups, exports and copies of the book are not touched.
      """)

  @OptionGroup var options: BookOptions

  @Argument(help: "The account, by key or by a prefix of its name.")
  var account: String

  @OptionGroup var clock: ClockOptions

  func run() throws {
    let at = try clock.instant()
    let book = try options.open()
    var actor = ActorOptions()
    actor.actor = account
    let state = book.read { $0 }
    guard let number = try actor.chosen(in: state), let found = state.accounts[number] else {
      throw Rejection.accountNotFound
    }
    guard try clock.yes || confirms(found) else {
      throw CommandFailure(
        "not_confirmed", "Nothing was erased; give --yes to erase without being asked.")
    }
    let count = try book.erase(number, at: at)
    if options.json {
      return Output.line(
        JSON.object([
          .init("erased", .string(found.key.description)), .init("segments", .number(Int64(count))),
        ])
        .encoded)
    }
    let segments = count == 1 ? "1 segment" : "\(count) segments"
    Output.line(
      "Erased \(found.displayName): rewrote \(segments). Backups and exports are not touched.")
  }

  /// Asks for confirmation, if anyone is at the terminal.
  private func confirms(_ account: Account) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    Output.note(
      "Erase all that the book says about \(account.label)? It cannot be undone. Type yes:")
    return readLine() == "yes"
  }
}

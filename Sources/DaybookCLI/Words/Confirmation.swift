import Daybook
import DaybookStore
import Foundation

/// Asks for confirmation of actions that are seldom intended.
enum Confirmation {
  /// How to restore what was deleted.
  static let wayBack = "`daybook undo` brings it back."

  /// How to find something shared again: undoing it does not restore it for everybody.
  static let wayBackInTime =
    "`--as-of` still finds it, and `daybook restore NEWDIR --to TIME` makes a book that has it."

  /// How to restore something shared by this many members.
  static func wayBack(sharedBy memberCount: Int) -> String {
    memberCount > 1 ? wayBackInTime : wayBack
  }

  /// Asks whether a second entity with the same name is intended.
  ///
  /// - Parameters:
  ///   - key: The given key of the new one, if any; a repetition with the same key makes no second one.
  ///   - name: The name.
  ///   - noun: The kind: "habit".
  ///   - others: The existing entities.
  ///   - isMeant: Whether it was already confirmed.
  /// - Throws: `CommandFailure` when it is not intended.
  static func ofSecond(
    _ key: Key?, name: String, _ noun: String, among others: [some Entity],
    _ isMeant: Bool
  ) throws {
    guard !isMeant else { return }
    let wanted = name.trimmingCharacters(in: .whitespaces).lowercased()
    let same = others.filter { $0.displayName.lowercased() == wanted }
    guard let other = same.first, !same.contains(where: { $0.key == key }) else { return }
    try ask(
      "There is a \(noun) \"\(other.displayName)\" already. Another one?",
      otherwise: CommandFailure(
        "\(noun)_exists",
        "There is a \(noun) \"\(other.displayName)\" already; give --yes for another one."))
  }

  /// Asks for confirmation before removing something with contents.
  ///
  /// - Parameters:
  ///   - verb: The action: "delete".
  ///   - name: The name of the entity.
  ///   - contents: What is removed with it; if `nil`, no confirmation is needed.
  ///   - isMeant: Whether it was already confirmed.
  /// - Throws: `CommandFailure` when it is not intended.
  static func ask(_ verb: String, _ name: String, with contents: String?, _ isMeant: Bool) throws {
    guard let contents, !isMeant else { return }
    let what = "\(verb) \"\(name)\" with \(contents)"
    try ask(
      "This will \(what). Continue?",
      otherwise: CommandFailure("not_confirmed", "This would \(what); give --yes if you mean it."))
  }

  /// Asks the user; without a terminal the answer is no.
  private static func ask(_ question: String, otherwise failure: CommandFailure) throws {
    guard canAsk else { throw failure }
    try askAtTerminal(question)
  }

  private static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks the user; without a terminal the answer is yes, since a script means what it says.
  ///
  /// - Throws: `CommandFailure` if the user says no.
  static func askAtTerminal(_ question: String) throws {
    guard canAsk else { return }
    Output.flush()
    ProgressBar.end()
    StandardStreams.writeAll("\(question) [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure("not_confirmed", "Nothing was recorded.")
    }
  }
}

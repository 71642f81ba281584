import Daybook
import DaybookStore
import Foundation

/// Asks before something is done that is seldom meant.
enum Confirmation {
  /// How to get back what was deleted.
  static let wayBack = "`daybook undo` brings it back."

  /// How what others shared, which is not brought back for all of them by one, is found again.
  static let wayBackInTime =
    "`--as-of` still finds it, and `daybook restore NEWDIR --to TIME` makes a book that has it."

  /// The way back of what so many shared.
  static func wayBack(sharedBy memberCount: Int) -> String {
    memberCount > 1 ? wayBackInTime : wayBack
  }

  /// Asks whether a second one of a name is meant.
  ///
  /// - Parameters:
  ///   - key: The key of the new one, if it was given: repeated with it, the command makes no second one.
  ///   - name: What it is called.
  ///   - noun: What it is: "habit".
  ///   - others: Those there are.
  ///   - isMeant: Whether it was said that it is meant.
  /// - Throws: `Failure` when it is not.
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
      otherwise: Failure(
        "\(noun)_exists",
        "There is a \(noun) \"\(other.displayName)\" already; give --yes for another one."))
  }

  /// Asks whether something is to be done away with that holds other things.
  ///
  /// - Parameters:
  ///   - verb: What is done: "delete".
  ///   - name: To what.
  ///   - contents: What goes with it; nothing when nothing does, and then nobody is asked.
  ///   - isMeant: Whether it was said that it is meant.
  /// - Throws: `Failure` when it is not.
  static func ask(_ verb: String, _ name: String, with contents: String?, _ isMeant: Bool) throws {
    guard let contents, !isMeant else { return }
    let what = "\(verb) \"\(name)\" with \(contents)"
    try ask(
      "This will \(what). Is that meant?",
      otherwise: Failure("not_confirmed", "This would \(what); give --yes if it is meant."))
  }

  /// Asks a person; where nobody can be asked, the answer is no.
  private static func ask(_ question: String, otherwise failure: Failure) throws {
    guard canAsk else { throw failure }
    try askAtTerminal(question)
  }

  private static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a person; where nobody can be asked, the answer is yes: a script means what it says.
  ///
  /// - Throws: `Failure` for a no.
  static func askAtTerminal(_ question: String) throws {
    guard canAsk else { return }
    Output.flush()
    Progress.end()
    StandardStreams.tell("\(question) [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    guard answer == "y" || answer == "yes" else {
      throw Failure("not_confirmed", "Nothing was recorded.")
    }
  }
}

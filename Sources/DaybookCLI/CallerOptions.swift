import ArgumentParser
import Daybook

/// For whom lines are carried out that may come from anybody.
struct CallerOptions: ParsableArguments {
  @Option(help: "The lines are this account's: by key or by a prefix of its name.")
  var caller: String?

  /// The account whose lines they are; without one the owner of the machine, for whom `actor` or the book's only
  /// account acts where a line does not say.
  ///
  /// - Parameters:
  ///   - actor: The account that was named to act, if one was.
  ///   - state: The book in which names are looked up; not looked at where none is given.
  /// - Returns: Who calls.
  /// - Throws: `ValidationError` for both, or what refuses a name.
  func caller(
    or actor: ActorOptions, in state: @autoclosure () throws -> BookState
  ) throws -> Caller {
    guard caller != nil || actor.isNamed else { return .owner { $0.onlyAccount() } }
    let state = try state()
    guard caller != nil else {
      let chosen = try actor.chosen(in: state)
      return .owner { chosen ?? $0.onlyAccount() }
    }
    guard !actor.isChosen else {
      throw ValidationError("--caller says who acts: leave out --as")
    }
    var named = ActorOptions()
    named.actor = caller
    return .account(try named.account(in: state))
  }
}

import ArgumentParser
import Daybook

/// For whom lines are carried out that may come from anybody.
struct CallerOptions: ParsableArguments {
  @Option(help: "The lines are this account's: by key or by a prefix of its name.")
  var caller: String?

  /// The account whose lines they are; without one the owner of the machine, for whom `actor` acts or asks where a
  /// line does not say. Who acts is never guessed.
  ///
  /// - Parameters:
  ///   - actor: The account that was named to act, if one was. A key may be of one that the lines themselves begin.
  ///   - asksAlone: Whether the book's only account asks where none is named.
  ///   - state: The book in which names are looked up; not looked at where none is given.
  /// - Returns: Who calls.
  /// - Throws: `ValidationError` for both, or what refuses a name.
  func caller(
    or actor: ActorOptions, asksAlone: Bool = false, in state: @autoclosure () throws -> BookState
  ) throws -> Caller {
    guard caller != nil || actor.isNamed else {
      return asksAlone ? .owner { $0.onlyAccount() } : .owner
    }
    let state = try state()
    guard caller != nil else {
      if let key = actor.key, state.accounts.number(of: key) == nil {
        return .owner { now throws(Rejection) in
          guard let number = now.accounts.number(of: key) else { throw .accountNotFound }
          return number
        }
      }
      let chosen = try actor.chosen(in: state)
      return .owner { _ in chosen }
    }
    guard !actor.isChosen else {
      throw ValidationError("--caller says who acts: leave out --as")
    }
    var named = ActorOptions()
    named.actor = caller
    return .account(try named.account(in: state))
  }
}

import ArgumentParser
import Daybook

/// The caller of lines that may come from anybody.
struct CallerOptions: ParsableArguments {
  @Option(help: "Every line acts as this account: its key, or a prefix of its name.")
  var caller: String?

  /// The account that sends the lines. Without one they come from the owner of the machine, and `actor` acts or asks in
  /// lines that name nobody. The actor is never guessed.
  ///
  /// - Parameters:
  ///   - actor: The account named as the actor, if any. A key may belong to an account that the lines
  ///     themselves create.
  ///   - asksAlone: Whether the book's only account asks if none is named.
  ///   - state: The state in which names are looked up; evaluated only if one is given.
  /// - Returns: The caller.
  /// - Throws: `ValidationError` if both are given, or the refusal of a name.
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
      throw ValidationError("--caller already says who acts; leave out --as")
    }
    var named = ActorOptions()
    named.actor = caller
    return .account(try named.account(in: state))
  }
}

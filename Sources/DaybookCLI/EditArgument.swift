import ArgumentParser
import Daybook

/// What is to be otherwise, of a command line that changes something.
enum EditArgument {
  /// A command, unless it was told of nothing that is to be otherwise: that was not meant.
  static func checked<C>(_ command: C) throws -> C {
    guard (command as? any ChangingCommand)?.isEmpty != true else {
      throw ValidationError("nothing is to be changed: give an option; --help lists them")
    }
    return command
  }
}

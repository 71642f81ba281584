import ArgumentParser
import Daybook

/// Checks the changes requested by an editing command line.
enum EditArgument {
  /// Returns the command, unless it changes nothing, which cannot be intended.
  static func checked<C>(_ command: C) throws -> C {
    guard (command as? any ChangingCommand)?.isEmpty != true else {
      throw ValidationError("nothing to change: give an option; --help lists them")
    }
    return command
  }
}

import ArgumentParser
import Daybook
import DaybookStore
import Foundation
import Journal

/// A refusal of the program itself: what was asked cannot be found, or names several things.
struct Failure: Error, CustomStringConvertible {
  var code: String
  var description: String

  init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Says in one sentence what happened and what to do next, and ends the process: 1 refused or not found,
  /// 2 wrong use, 3 the book is damaged, 4 the book is held by another writer.
  static func exit(with error: any Error) -> Never {
    switch error {
    case let error as ExitCode: Foundation.exit(error.rawValue)
    case let error as JournalError: quit(error.description, error.exitCode)
    case let error as Rejection: quit(error.description, error.kind.exitCode)
    case let error as ExchangeError: quit(error.description, 1)
    case let error as PositionConflict: quit(error.description, 1)
    case let error as Failure: quit(error.description, 1)
    case let error as StorageError: quit(error.description, 1)
    case let error as ValidationError: quit(error.message, 2)
    default:
      let code = DaybookCommand.exitCode(for: error)
      let message = DaybookCommand.fullMessage(for: error)
      if code == .success {
        print(message)
        Foundation.exit(0)
      }
      quit(message.isEmpty ? "\(error)" : message, 2)
    }
  }

  private static func quit(_ message: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    Foundation.exit(code)
  }
}

extension Rejection.Kind {
  /// What the program exits with when it was refused so.
  var exitCode: Int32 {
    switch self {
    case .malformed, .unauthenticated, .forbidden, .notFound, .conflict, .invalid, .limit,
      .untimely:
      1
    }
  }
}

extension JournalError {
  fileprivate var exitCode: Int32 {
    switch self {
    case .corrupt, .newerFormat, .unknownSchema: 3
    case .locked: 4
    case .storage, .noBook, .notABook, .alreadyABook, .unfinished, .notEmpty, .anotherHistory,
      .poisoned,
      .rolledBack,
      .commitTooLarge:
      1
    }
  }
}

import ArgumentParser
import Daybook
import DaybookStore
import Foundation
import Journal

/// An error of the program itself: something cannot be found, or a name is ambiguous.
struct CommandFailure: Error, CustomStringConvertible {
  var code: String
  var description: String

  init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Prints in one sentence what happened and what to do next, and exits with 1 (refused or not found), 2
  /// (wrong usage), 3 (the book is damaged), or 4 (another writer holds the book).
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - isJSON: Whether to print it as JSON: on standard output instead of the answer, or on standard error
  ///     if part of the answer was already printed.
  static func exit(with error: any Error, inJSON isJSON: Bool) -> Never {
    let said: (code: String, message: String, status: Int32)
    var field: String?
    switch error {
    case let error as ExitCode:
      Output.finish()
      Foundation.exit(error.rawValue)
    case let error as JournalError: said = (error.code, error.description, error.exitCode)
    case let error as Rejection:
      said = (error.code, error.description, error.kind.exitCode)
      field = error.field
    case let error as ExchangeError: said = ("not_imported", error.description, 1)
    case let error as PositionConflict: said = ("position_conflict", error.description, 1)
    case let error as CommandFailure: said = (error.code, error.description, 1)
    case let error as StorageError: said = ("storage", error.description, 1)
    case let error as ValidationError: said = ("wrong_use", error.message, 2)
    default:
      let message = DaybookCommand.fullMessage(for: error)
      if DaybookCommand.exitCode(for: error) == .success {
        Output.text(message + "\n")
        Output.finish()
        Foundation.exit(0)
      }
      let sentence = isJSON ? DaybookCommand.message(for: error) : message
      said = ("wrong_use", sentence.isEmpty ? "\(error)" : sentence, 2)
    }
    if isJSON, Output.isUntouched {
      Output.bytes(RequestOutcome(code: said.code, field: field, message: said.message).text)
      Output.line()
      Output.finish()
    } else {
      Output.finish()
      Output.note(said.message)
    }
    Foundation.exit(said.status)
  }
}

extension Rejection.Kind {
  /// The exit code for this rejection.
  var exitCode: Int32 {
    switch self {
    case .malformed, .unauthenticated, .forbidden, .notFound, .conflict, .invalid, .limit,
      .untimely:
      1
    }
  }
}

extension JournalError {
  /// A stable code for programs.
  fileprivate var code: String {
    switch self {
    case .storage: "storage"
    case .noBook: "no_book"
    case .notABook: "not_a_book"
    case .alreadyABook: "already_a_book"
    case .unfinished: "unfinished_copy"
    case .notEmpty: "not_empty"
    case .anotherHistory: "another_history"
    case .newerFormat: "newer_format"
    case .unknownSchema: "unknown_schema"
    case .corrupt: "damaged"
    case .locked: "locked"
    case .poisoned: "poisoned"
    case .rolledBack: "rolled_back"
    case .commitTooLarge: "commit_too_large"
    }
  }

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

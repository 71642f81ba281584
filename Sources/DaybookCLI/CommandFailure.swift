import ArgumentParser
import Daybook
import DaybookReplica
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
    if let error = error as? ExitCode {
      Output.finish()
      Foundation.exit(error.rawValue)
    }
    if !isKnown(error), DaybookCommand.exitCode(for: error) == .success {
      Output.text(DaybookCommand.fullMessage(for: error) + "\n")
      Output.finish()
      Foundation.exit(0)
    }
    let said = words(for: error, inJSON: isJSON)
    if isJSON, Output.isUntouched {
      Output.bytes(RequestOutcome(code: said.code, field: said.field, message: said.message).text)
      Output.line()
      Output.finish()
    } else {
      Output.finish()
      Output.note(said.message)
    }
    Foundation.exit(said.status)
  }
}

extension CommandFailure {
  /// The words for an error: a stable code, the field at fault, a sentence, and the exit code.
  typealias Words = (code: String, field: String?, message: String, status: Int32)

  /// Words an error, as every answer of the program does.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - isJSON: Whether a wrong use is told without the usage.
  /// - Returns: The words.
  static func words(for error: any Error, inJSON isJSON: Bool = true) -> Words {
    if let known = known(error) { return known }
    let sentence =
      isJSON ? DaybookCommand.message(for: error) : DaybookCommand.fullMessage(for: error)
    return ("wrong_use", nil, sentence.isEmpty ? "\(error)" : sentence, 2)
  }

  private static func isKnown(_ error: any Error) -> Bool { known(error) != nil }

  private static func known(_ error: any Error) -> Words? {
    switch error {
    case let error as JournalError: (error.code, nil, error.description, error.exitCode)
    case let error as Rejection:
      (error.code, error.field, error.description, error.kind.exitCode)
    case let error as ExchangeError: ("not_imported", nil, error.description, 1)
    case let error as PositionConflict: ("position_conflict", nil, error.description, 1)
    case let error as CommandFailure: (error.code, nil, error.description, 1)
    case let error as ReplicaError: (error.code, nil, error.description, error.exitCode)
    case let error as StorageError: ("storage", nil, error.description, 1)
    case let error as ValidationError: ("wrong_use", nil, error.message, 2)
    default: nil
    }
  }
}

extension ReplicaError {
  /// The exit code for this error.
  fileprivate var exitCode: Int32 {
    switch self {
    case .held: 4
    case .damaged: 3
    default: 1
    }
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

package import Avro
package import Daybook
package import DaybookStore

/// The book behind a ``ToolSession``, for one caller.
package protocol ToolBook {
  /// Answers a question in its JSON form.
  ///
  /// - Throws: ``ToolFailure``.
  mutating func answer(_ question: JSON) async throws(ToolFailure) -> ToolAnswer

  /// Carries out a command in its JSON form.
  ///
  /// - Returns: The outcome, once it is on disk.
  /// - Throws: ``ToolFailure`` when the book cannot be written.
  mutating func carryOut(_ command: JSON) async throws(ToolFailure) -> RequestOutcome
}

/// The answer to a question.
package struct ToolAnswer: Hashable, Sendable {
  /// The answer as JSON text, without anything around it.
  package let text: [UInt8]
  /// The position of the book's last entry when it was asked.
  package let position: Int64

  /// An answer that was made when the book's last entry had this position.
  package init(_ text: [UInt8], at position: Int64) {
    self.text = text
    self.position = position
  }
}

/// A reason why a question or a command has no answer.
package struct ToolFailure: Error, Hashable, Sendable {
  /// A stable name in snake_case.
  package let code: String
  /// The field at fault, if there is one.
  package let field: String?
  /// One sentence: what is wrong, and usually what to do instead.
  package let message: String

  /// A failure in the words of the book's refusals.
  package init(_ code: String, field: String? = nil, _ message: String) {
    self.code = code
    self.field = field
    self.message = message
  }

  /// A rejection by the book's rules.
  package init(_ rejection: Rejection) {
    self.init(rejection.code, field: rejection.field, rejection.description)
  }

  /// The failure as a refused command is answered: `{"error":{"code":"…","message":"…"}}`.
  var text: [UInt8] {
    RequestOutcome(code: code, field: field?.cutForErrors, message: message.cutForErrors).text
  }
}

extension QuestionRequest {
  /// The answer as JSON text, up to a size.
  ///
  /// - Parameter isWanted: Whether somebody still waits for it.
  /// - Returns: The text.
  /// - Throws: ``ToolFailure`` for an answer longer than ``ToolLimit/answerByteCount``, `CancellationError` if nobody
  ///   waits, ``Rejection``, or ``JournalError``.
  package func answerText(while isWanted: () -> Bool = { true }) throws -> [UInt8] {
    var text: [UInt8] = []
    try answer().writePieces { piece throws(any Error) in
      guard isWanted() else { throw CancellationError() }
      guard text.count + piece.count <= ToolLimit.answerByteCount else {
        throw ToolFailure(
          "answer_too_long",
          "The answer is longer than \(ToolLimit.answerByteCount >> 20) MiB; ask for less at once.")
      }
      text += piece
    }
    return text
  }
}

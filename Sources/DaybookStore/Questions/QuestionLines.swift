import Avro
public import Daybook
import Journal

/// Answers questions in their JSON form, one after another, from the book as it is when each is asked.
///
/// What the book knows now is read once, and then goes on with what was recorded since.
public struct QuestionLines {
  private let reader: BookReader
  private var replay: StateReplay?

  /// Answers from a book.
  public init(_ reader: BookReader) { self.reader = reader }

  /// Answers one question: `{"ok":…}`, or `{"error":{"code":"unknown_field","message":"…","field":"…"}}`.
  ///
  /// - Parameters:
  ///   - line: The JSON text.
  ///   - caller: Who calls.
  /// - Returns: The answer, and whether the question was taken.
  /// - Throws: ``JournalError``.
  public mutating func answer(
    line: [UInt8], from caller: Caller = .owner
  ) throws -> RequestOutcome {
    do {
      let json = try Request.object(in: line)
      let request = try QuestionRequest(json, of: reader, knowing: try present(), from: caller)
      return RequestOutcome(answer: try request.answer())
    } catch let rejection as Rejection {
      return RequestOutcome(rejection)
    }
  }

  /// The book as it is now.
  private mutating func present() throws(JournalError) -> BookState {
    var replay: StateReplay
    if let known = self.replay {
      replay = known
    } else {
      replay = StateReplay(from: try reader.state())
    }
    // Nobody else may hold the state while it goes on: it would be copied.
    self.replay = nil
    try reader.replay(into: &replay, from: replay.state.position + 1)
    replay.finish()
    self.replay = replay
    return replay.state
  }
}

extension RequestOutcome {
  /// The answer to a question.
  fileprivate init(answer: any QuestionAnswer) {
    var json = JSONWriter()
    json.object { json in
      json.name("ok")
      answer.write(to: &json)
    }
    self.init(text: json.bytes)
  }
}

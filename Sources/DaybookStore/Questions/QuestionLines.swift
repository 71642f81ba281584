import Avro
public import Daybook
public import Journal

/// Answers questions in their JSON form, one after another, each from the book at the time of
/// asking.
///
/// The current state is read once and then follows what is recorded; a further question reads
/// nothing else.
public struct QuestionLines {
  private let reader: BookReader
  private var present: FollowedState?

  /// Makes it for a book.
  public init(_ reader: BookReader) { self.reader = reader }

  /// Answers one question: `{"ok":…}`, or `{"error":{"code":"unknown_field","message":"…","field":"…"}}`.
  ///
  /// - Parameters:
  ///   - line: The JSON text.
  ///   - caller: Who calls.
  /// - Returns: The answer, and whether the question was accepted.
  /// - Throws: ``JournalError``.
  public mutating func answer(
    line: [UInt8], from caller: Caller = .owner
  ) throws -> RequestOutcome {
    do {
      return RequestOutcome(answer: try request(line, from: caller).answer())
    } catch let rejection as Rejection {
      return RequestOutcome(rejection.asSeen(by: caller))
    }
  }

  /// Parses one question.
  ///
  /// - Returns: The question with its view of the book.
  /// - Throws: ``Rejection`` for a field, or ``JournalError``.
  package mutating func request(
    _ line: [UInt8], from caller: Caller = .owner
  ) throws -> QuestionRequest {
    let reader = reader
    return try QuestionRequest(
      try Request.object(in: line), of: reader, knowing: try state(), from: caller)
  }

  /// The current state of the book.
  ///
  /// - Throws: ``JournalError``.
  public mutating func state() throws(JournalError) -> BookState {
    guard var present else { return try begin() }
    // The state must have no other holder while it is brought forward, or it would be copied.
    self.present = nil
    // When a crash took back entries that were followed, the book is read from the start; that also
    // finds damage.
    do throws(JournalError) { try present.catchUp() } catch { return try begin() }
    self.present = present
    return present.state
  }

  private mutating func begin() throws(JournalError) -> BookState {
    let present = try FollowedState(reader)
    self.present = present
    return present.state
  }
}

/// A book's state that follows what is recorded. After an error it cannot be used any more.
private struct FollowedState {
  private var replay: StateReplay
  private let follower: any LogFollower
  private var bridge = SchemaBridge()

  var state: BookState { replay.state }

  init(_ reader: BookReader) throws(JournalError) {
    replay = StateReplay(from: try reader.state())
    follower = try reader.log.follow(from: Position(replay.state.position).next)
  }

  mutating func catchUp() throws(JournalError) {
    var replay = replay
    self.replay = StateReplay()
    while try follower.step(until: nil) {
      try follower.withBlock { schemaText, block throws(JournalError) in
        let (count, first, next) = (block.count, block.first.number, replay.state.position + 1)
        _ = try bridge.read(block, of: schemaText) { bytes throws(AvroError) in
          try replay.applyEntries(count, in: bytes, from: first, startingAt: next, until: .last)
        }
      }
    }
    replay.finish()
    self.replay = replay
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

public import HTTPTypes

/// The events that an account is told of, as the text of a stream (`text/event-stream`): those that are there after a
/// position, then those that come.
///
/// A chunk holds whole events, or a comment. Nothing is read before it is asked for, and nothing further ahead than one
/// chunk, and a page of the past: who reads slowly is read to slowly. The stream ends when its account is erased, when
/// the one who reads goes away, and with an error when the book cannot be read on; a client asks again then, from where
/// it was.
public struct EventStream: AsyncSequence, Sendable {
  /// Whole events, in UTF-8.
  public typealias Element = [UInt8]
  /// Why the book cannot be read on.
  public typealias Failure = any Error

  /// The headers of the answer.
  public static let headers: HTTPFields = [
    .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
  ]

  var feed: EventFeed
  let heartbeat: Duration

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: EventReading(feed, heartbeat: heartbeat))
  }

  /// Goes through the chunks.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reading: EventReading

    /// The next chunk; nothing once the stream has ended.
    ///
    /// - Throws: why the book cannot be read on.
    public mutating func next() async throws -> [UInt8]? { try await reading.slot.take() }
  }
}

/// What goes on while a stream is read: it ends with the last who holds it.
private final class EventReading: Sendable {
  let slot = ChunkSlot()
  private let tasks: [Task<Void, Never>]

  init(_ feed: EventFeed, heartbeat: Duration) {
    let slot = self.slot
    let reading = Task {
      do {
        try await feed.run(into: slot)
        slot.close()
      } catch {
        slot.close(error)
      }
    }
    let beating = Task {
      while (try? await Task.sleep(for: heartbeat)) != nil {
        slot.giveAtOnce(ServerSentEvent.heartbeat)
      }
    }
    tasks = [reading, beating]
  }

  deinit {
    for task in tasks { task.cancel() }
    slot.close()
  }
}

public import HTTPTypes

/// The events after a position that an account may see, in the format `text/event-stream`: first past events,
/// then new ones as they are recorded.
///
/// Each chunk holds whole events, or a comment. Reading is never more than one chunk and one page of past
/// entries ahead of the client, so a slow client slows the reading down. The stream ends when the account is
/// erased or the client disconnects. It fails if the book can no longer be read; the client then asks again
/// from its last position.
public struct EventStream: AsyncSequence, Sendable {
  /// Whole events, in UTF-8.
  public typealias Element = [UInt8]
  /// The error when the book can no longer be read.
  public typealias Failure = any Error

  /// The headers of the answer.
  public static let headers: HTTPFields = [
    .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
  ]

  var feed: EventFeed
  let heartbeat: Duration

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: EventReading(feed, heartbeat: heartbeat))
  }

  /// Iterates over the chunks.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reading: EventReading

    /// The next chunk; `nil` once the stream has ended.
    ///
    /// - Throws: The error when the book can no longer be read.
    public mutating func next() async throws -> [UInt8]? { try await reading.slot.receive() }
  }
}

/// The tasks that feed a stream. They are cancelled when the last reference to this object is gone.
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

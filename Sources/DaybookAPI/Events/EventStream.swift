public import HTTPTypes

/// The events that an account may see, as the text of a stream (`text/event-stream`): those after a position that
/// exist already, and then new ones.
///
/// A chunk holds whole events, or a comment. Nothing is read before it is requested, and no further ahead than one
/// chunk and a page of the past, so a slow reader slows the reading. The stream ends when its account is erased or
/// its reader goes away, and with an error if the book can no longer be read; a client then asks again from its
/// last position.
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

/// The tasks behind a stream; they end with the last reference to it.
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

import DaybookAuth
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization
import Values
import Wire

/// Who sends a body.
///
/// The sender decides how long the body may be, and how much of the room for bodies it may take.
enum BodySender: Hashable {
  /// The account of a valid token.
  case account(Key)
  /// Somebody without a token, by the network that the request comes from.
  case network(String)
  /// Somebody with an invalid token; the request is refused whatever the body says.
  case refused

  /// The sender's key in a ``TurnQueue``.
  ///
  /// Networks share the queues of accounts, under keys that no account has.
  var key: Key {
    switch self {
    case .account(let key): key
    case .network(let name): Key(high: 0, low: UInt64(truncatingIfNeeded: name.hashValue))
    case .refused: Key(high: 0, low: 0)
    }
  }

  /// How many bytes the sender's body may have.
  func byteLimit(_ limits: ServerLimits) -> Int {
    switch self {
    case .account: limits.bodyByteCount
    case .network, .refused: min(limits.anonymousBodyByteCount, limits.bodyByteCount)
    }
  }
}

/// Reads bodies as they arrive, within the limits of size, time and room.
struct BodyReader: Sendable {
  let limits: ServerLimits
  private let room: BodyRoom

  init(_ limits: ServerLimits) {
    self.limits = limits
    room = BodyRoom(holding: limits.bodyByteCount)
  }

  /// Makes a counter of the bytes that are held of one body.
  func place(for sender: BodySender) -> HeldBody { HeldBody(room, of: sender) }

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - sender: Who sends it.
  ///   - channel: The connection; it is closed when no more of the body arrives.
  ///   - held: Counts the body's bytes until it is released.
  /// - Returns: The body, or why it is refused.
  /// - Throws: what reading throws.
  func read(
    _ request: Request, from sender: BodySender, _ channel: any Channel, _ held: HeldBody
  ) async throws -> Result<[UInt8], RequestRefusal> {
    let byteLimit = sender.byteLimit(limits)
    let isTooLarge: RequestRefusal =
      byteLimit == limits.bodyByteCount ? .tooLarge : .tooLargeWithoutToken
    if let length = request.headers[.contentLength].flatMap({ Int($0) }) {
      if length == 0 { return .success([]) }
      if length > byteLimit { return .failure(isTooLarge) }
    } else if request.headers[.transferEncoding] == nil {
      return .success([])
    }
    // A slow sender gets an answer. When nothing more arrives, the connection can only be closed. That is left to the
    // event loop: it frees a task that is cancelled, while a sleeping task would be kept until it was due to wake.
    let deadline = ContinuousClock.now + .seconds(limits.seconds)
    let end = channel.eventLoop.scheduleTask(in: .seconds(Int64(limits.seconds) + 1)) {
      channel.close(promise: nil)
    }
    // When the server shuts down, it does not wait for slow senders.
    let closing = ClosingChannel(channel)
    return try await withGracefulShutdownHandler {
      var bytes: [UInt8] = []
      for try await buffer in request.body {
        guard bytes.count + buffer.readableBytes <= byteLimit else {
          return .failure(isTooLarge)
        }
        guard ContinuousClock.now <= deadline else { return .failure(.tooSlow) }
        guard held.take(buffer.readableBytes) else { return .failure(.noRoom) }
        bytes.append(contentsOf: buffer.readableBytesView)
      }
      // Only for a whole body: the rest of a refused one may come for ever, so its connection is closed.
      end.cancel()
      closing.end()
      return .success(bytes)
    } onGracefulShutdown: {
      closing.begin()
    }
  }
}

/// The memory that all bodies may take together, from when they arrive until they are answered.
final class BodyRoom: Sendable {
  private struct Contents {
    var byteCount = 0
    var byteCounts: [BodySender: Int] = [:]
  }

  /// How many bytes all bodies may have together.
  let byteLimit: Int
  /// How many bytes one sender's bodies may have: a quarter, so that no single sender shuts the others out.
  var senderByteLimit: Int { byteLimit / 4 }
  private let contents = Mutex(Contents())

  /// Makes room for bodies.
  ///
  /// - Parameter byteCount: How long one body may be. A sender has room for at least one.
  init(holding byteCount: Int) { byteLimit = 4 * max(byteCount, 48 << 20) }

  fileprivate func take(_ count: Int, for sender: BodySender) -> Bool {
    contents.withLock { contents in
      let taken = contents.byteCounts[sender, default: 0] + count
      guard taken <= senderByteLimit, contents.byteCount + count <= byteLimit else { return false }
      contents.byteCounts[sender] = taken
      contents.byteCount += count
      return true
    }
  }

  fileprivate func giveBack(_ count: Int, of sender: BodySender) {
    contents.withLock { contents in
      let left = contents.byteCounts[sender, default: 0] - count
      contents.byteCounts[sender] = left > 0 ? left : nil
      contents.byteCount -= count
    }
  }
}

/// Counts the bytes held of one body, and gives them back to the room when it is released.
final class HeldBody: Sendable {
  private let room: BodyRoom
  private let sender: BodySender
  private let byteCount = Atomic<Int>(0)

  init(_ room: BodyRoom, of sender: BodySender) { (self.room, self.sender) = (room, sender) }

  deinit {
    let count = Self.counted(byteCount.load(ordering: .relaxed))
    if count > 0 { room.giveBack(count, of: sender) }
  }

  /// Holds more bytes, if there is room for them.
  func take(_ count: Int) -> Bool {
    let before = byteCount.load(ordering: .relaxed)
    let more = Self.counted(before + count) - Self.counted(before)
    guard more == 0 || room.take(more, for: sender) else { return false }
    byteCount.store(before + count, ordering: .relaxed)
    return true
  }

  /// How many of so many bytes count. A short body always has room, so that large ones keep nobody from signing in.
  private static func counted(_ byteCount: Int) -> Int { max(0, byteCount - freeByteCount) }

  /// How many bytes of a body do not count.
  static let freeByteCount = 16 << 10
}

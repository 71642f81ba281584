import DaybookAuth
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization
import Values
import Wire

/// The sender of a body, which determines how long the body may be and how much memory it may take.
enum BodySender: Hashable {
  /// The account of a valid token.
  case account(Key)
  /// A client without a token, identified by its network.
  case network(String)
  /// A client whose token is refused, whatever the body.
  case refused

  /// The sender's key in a ``TurnQueue``. Networks share the accounts' queues under keys that no account has.
  var key: Key {
    switch self {
    case .account(let key): key
    case .network(let name): Key(high: 0, low: UInt64(truncatingIfNeeded: name.hashValue))
    case .refused: Key(high: 0, low: 0)
    }
  }

  /// The most bytes of a body.
  func byteLimit(_ limits: ServerLimits) -> Int {
    switch self {
    case .account: limits.bodyByteCount
    case .network, .refused: min(limits.anonymousBodyByteCount, limits.bodyByteCount)
    }
  }
}

/// Reads bodies as they arrive, within the limits of size, time and memory.
struct BodyReader: Sendable {
  private let limits: ServerLimits
  private let room: BodyMemory

  init(_ limits: ServerLimits) {
    self.limits = limits
    room = BodyMemory(holding: limits.bodyByteCount)
  }

  /// Makes the counter of a sender's body.
  func place(for sender: BodySender) -> BodyReservation { BodyReservation(room, of: sender) }

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - sender: The sender.
  ///   - channel: The connection, which is closed if the body stops arriving.
  ///   - held: Counts the bytes of the body until it is released.
  /// - Returns: The body, or the reason for refusing it.
  /// - Throws: what reading throws.
  func read(
    _ request: Request, from sender: BodySender, _ channel: any Channel, _ held: BodyReservation
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
    // A slow body is refused with an answer, but a stalled one can only be closed. A scheduled task of the event
    // loop is freed when it is cancelled, whereas a sleeping task would live until its time.
    let deadline = ContinuousClock.now + .seconds(limits.seconds)
    let end = channel.eventLoop.scheduleTask(in: .seconds(Int64(limits.seconds) + 1)) {
      channel.close(promise: nil)
    }
    // The server does not wait for a slow sender when it stops.
    let closing = ClosingChannel(channel)
    return try await withGracefulShutdownHandler {
      var bytes: [UInt8] = []
      for try await buffer in request.body {
        guard bytes.count + buffer.readableBytes <= byteLimit else {
          return .failure(isTooLarge)
        }
        guard ContinuousClock.now <= deadline else { return .failure(.tooSlow) }
        guard held.reserve(buffer.readableBytes) else { return .failure(.noRoom) }
        bytes.append(contentsOf: buffer.readableBytesView)
      }
      // The rest of a refused body might never end, so its connection is closed.
      end.cancel()
      closing.end()
      return .success(bytes)
    } onGracefulShutdown: {
      closing.begin()
    }
  }
}

/// The memory that all bodies share while they arrive and are answered.
final class BodyMemory: Sendable {
  private struct Contents {
    var byteCount = 0
    var byteCounts: [BodySender: Int] = [:]
  }

  /// The most bytes of all bodies together.
  let byteLimit: Int
  /// The most bytes of one sender: a quarter, so that no single sender shuts out the others.
  var senderByteLimit: Int { byteLimit / 4 }
  private let contents = Mutex(Contents())

  /// Makes the memory for bodies.
  ///
  /// - Parameter byteCount: The longest body. A sender has room for at least one.
  init(holding byteCount: Int) { byteLimit = 4 * max(byteCount, 48 << 20) }

  fileprivate func reserve(_ count: Int, for sender: BodySender) -> Bool {
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

/// The bytes held of one body until it is released.
final class BodyReservation: Sendable {
  private let room: BodyMemory
  private let sender: BodySender
  private let byteCount = Atomic<Int>(0)

  init(_ room: BodyMemory, of sender: BodySender) { (self.room, self.sender) = (room, sender) }

  deinit {
    let count = Self.counted(byteCount.load(ordering: .relaxed))
    if count > 0 { room.giveBack(count, of: sender) }
  }

  /// Holds more bytes; returns whether there was room.
  func reserve(_ count: Int) -> Bool {
    let before = byteCount.load(ordering: .relaxed)
    let more = Self.counted(before + count) - Self.counted(before)
    guard more == 0 || room.reserve(more, for: sender) else { return false }
    byteCount.store(before + count, ordering: .relaxed)
    return true
  }

  /// How many of these bytes count. A short body always has room, so that large ones keep nobody from signing in.
  private static func counted(_ byteCount: Int) -> Int { max(0, byteCount - freeByteCount) }

  /// How many bytes of a body do not count.
  static let freeByteCount = 16 << 10
}

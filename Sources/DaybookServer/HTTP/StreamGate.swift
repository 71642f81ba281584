import Hummingbird
import Synchronization
import Values
import Wire

/// Counts the open streams of events, which last for as long as their clients like.
final class StreamGate: Sendable {
  /// The most streams that an account may have open.
  static let perAccount = 8
  /// The most streams in all.
  static let inAll = 4_000

  private struct Open {
    var count = 0
    var byAccount: [Key: Int] = [:]
  }

  private let open = Mutex(Open())

  /// Admits a stream; `nil` if too many are open.
  func admit(for account: Key?) -> StreamPass? {
    let isLetIn = open.withLock { open in
      let own = account.map { open.byAccount[$0] ?? 0 } ?? 0
      guard open.count < Self.inAll, own < Self.perAccount else { return false }
      open.count += 1
      if let account { open.byAccount[account] = own + 1 }
      return true
    }
    return isLetIn ? StreamPass(of: self, for: account) : nil
  }

  fileprivate func leave(_ account: Key?) {
    open.withLock { open in
      open.count -= 1
      guard let account, let own = open.byAccount[account] else { return }
      open.byAccount[account] = own > 1 ? own - 1 : nil
    }
  }
}

/// An admitted stream, until it ends or is dropped.
final class StreamPass: Sendable {
  private let gate: Mutex<StreamGate?>
  private let account: Key?

  fileprivate init(of gate: StreamGate, for account: Key?) {
    self.gate = Mutex(gate)
    self.account = account
  }

  deinit { end() }

  /// Releases the stream.
  func end() { gate.withLock { $0.take() }?.leave(account) }
}

extension Response {
  /// The refusal of a stream because an account has too many open.
  static var tooManyStreams: Response {
    Response(
      .apiRefusal(
        .tooManyRequests, "too_many_streams",
        "Too many streams of events are open; close one, and try again."))
  }
}

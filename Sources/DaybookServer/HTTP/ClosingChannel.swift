import NIOCore
import Synchronization

/// Closes a connection some seconds after the server was told to end, unless what is done on it was done by then.
final class ClosingChannel: Sendable {
  /// How long it is waited.
  private static let patience = TimeAmount.seconds(5)

  private enum State {
    case open
    case closing(Scheduled<Void>)
    case done
  }

  private let channel: any Channel
  private let state = Mutex(State.open)

  init(_ channel: any Channel) { self.channel = channel }

  /// The server was told to end.
  func begin() {
    state.withLock { state in
      guard case .open = state else { return }
      let channel = channel
      state = .closing(
        channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) })
    }
  }

  /// What was done is done.
  func end() {
    let scheduled: Scheduled<Void>? = state.withLock { state in
      defer { state = .done }
      if case .closing(let scheduled) = state { return scheduled }
      return nil
    }
    scheduled?.cancel()
  }
}

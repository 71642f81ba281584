import NIOCore
import Synchronization

/// Closes a connection some seconds after the server is told to stop, unless its work is done by then.
final class ClosingChannel: Sendable {
  /// The time to wait before closing.
  private static let patience = TimeAmount.seconds(5)

  private struct State {
    var closing: Scheduled<Void>?
    var isDone = false
  }

  private let channel: any Channel
  private let state = Mutex(State())

  init(_ channel: any Channel) { self.channel = channel }

  /// Starts the wait, when the server is told to stop.
  func begin() {
    let channel = channel
    let closing = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    let isDone = state.withLock { state in
      if !state.isDone { state.closing = closing }
      return state.isDone
    }
    if isDone { closing.cancel() }
  }

  /// Ends the wait, because the work is done.
  func end() {
    let closing = state.withLock { state in
      state.isDone = true
      return state.closing.take()
    }
    closing?.cancel()
  }
}

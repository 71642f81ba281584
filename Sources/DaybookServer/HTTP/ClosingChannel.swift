import NIOCore
import Synchronization

/// Closes a connection some seconds after the server was told to end, unless what is done on it was done by then.
final class ClosingChannel: Sendable {
  /// How long it is waited.
  private static let patience = TimeAmount.seconds(5)

  private struct State {
    var closing: Scheduled<Void>?
    var isDone = false
  }

  private let channel: any Channel
  private let state = Mutex(State())

  init(_ channel: any Channel) { self.channel = channel }

  /// The server was told to end.
  func begin() {
    let channel = channel
    let closing = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    let isDone = state.withLock { state in
      if !state.isDone { state.closing = closing }
      return state.isDone
    }
    if isDone { closing.cancel() }
  }

  /// What was done is done.
  func end() {
    let closing = state.withLock { state in
      state.isDone = true
      return state.closing.take()
    }
    closing?.cancel()
  }
}

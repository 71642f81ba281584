import Calendar
import Synchronization

/// Measures the delay of changes from their commit to the sockets.
final class LagMeter: Sendable {
  private let last = Atomic<Int64>(0)
  private let now: @Sendable () -> Instant

  init(now: @escaping @Sendable () -> Instant) { self.now = now }

  /// Records the delivery of something that was recorded at an instant.
  func noteDelivered(of at: Instant) {
    last.store(max(0, now().milliseconds - at.milliseconds), ordering: .relaxed)
  }

  /// The last delay, in milliseconds.
  var milliseconds: Int64 { last.load(ordering: .relaxed) }
}

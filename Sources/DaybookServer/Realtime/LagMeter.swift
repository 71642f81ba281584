import Calendar
import Synchronization

/// How long changes were on their way, from their commit to the sockets.
final class LagMeter: Sendable {
  private let last = Atomic<Int64>(0)
  private let now: @Sendable () -> Instant

  /// Measures by a clock.
  init(now: @escaping @Sendable () -> Instant) { self.now = now }

  /// Notes that what was recorded at an instant was told now.
  func noteDelivered(of at: Instant) {
    last.store(max(0, now().milliseconds - at.milliseconds), ordering: .relaxed)
  }

  /// The last one, in milliseconds.
  var milliseconds: Int64 { last.load(ordering: .relaxed) }
}

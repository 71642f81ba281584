import Synchronization

/// A clock that stands still until it is moved.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    var sleeping: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  /// The number of sleepers.
  var sleeperCount: Int { state.withLock { $0.sleeping.count } }
  /// The number of sleepers so far.
  var sleepCount: Int { state.withLock { $0.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let error = state.withLock { state -> (any Error)?? in
          if Task.isCancelled { return .some(CancellationError()) }
          if state.now >= deadline { return .some(nil) }
          state.sleeping[number] = (deadline, continuation)
          return nil
        }
        if let error { continuation.resume(with: error.map { .failure($0) } ?? .success(())) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleeping.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleeping.filter { $0.value.until <= state.now }
      for number in woken.keys { state.sleeping[number] = nil }
      return woken.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}

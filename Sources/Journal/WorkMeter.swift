import Synchronization

/// Counts the progress of long work, so that another thread can show it.
///
/// Work that begins during other work is part of it. Foreground work takes precedence over
/// background work, whichever began first. The unit is bytes read, or whatever the work chooses.
package final class WorkMeter: Sendable {
  /// The work under way.
  package struct Reading: Sendable {
    /// Its name: "Reading".
    package var label: String
    /// How much of it is done.
    package var done: Int
    /// How much there is; 0 when that is unknown.
    package var all: Int
    /// When it began.
    package var begun: ContinuousClock.Instant
  }

  private struct State {
    var depth = 0
    var reading: Reading?
    /// Whether the work under way is in the background.
    var isOfBackground = false
  }

  private let state = Mutex(State())

  package init() {}

  /// The work under way, if there is any.
  package var reading: Reading? { state.withLock { $0.reading } }

  /// Starts work.
  ///
  /// - Parameters:
  ///   - label: Its name; not shown when it is part of other work.
  ///   - count: How much there is; 0 when that is unknown.
  ///   - isInBackground: Whether nobody waits for it.
  package func begin(_ label: String, _ count: Int = 0, isInBackground: Bool = false) {
    state.withLock { state in
      state.depth += 1
      if state.reading == nil || state.isOfBackground && !isInBackground {
        state.reading = Reading(label: label, done: 0, all: 0, begun: .now)
        state.isOfBackground = isInBackground
      }
      state.reading?.all += count
    }
  }

  /// Reports that more was done.
  package func advance(by count: Int) { state.withLock { $0.reading?.done += count } }

  /// Reports the work done and the total, for work that knows both.
  package func reach(_ done: Int, of all: Int) {
    state.withLock { state in
      state.reading?.done = done
      state.reading?.all = all
    }
  }

  /// Ends the work that began last, or in parallel.
  package func end() {
    state.withLock { state in
      state.depth -= 1
      if state.depth == 0 { state.reading = nil }
    }
  }
}

/// Reports one reader's progress to a meter; not at every block, because each report takes a lock.
struct MeteredReading {
  private static let stepByteCount = 1 << 16

  private let meter: WorkMeter?
  /// The total size of the files before the current one.
  private var before = 0
  private var told = 0

  /// Starts reading files of a total size.
  init(_ meter: WorkMeter?, byteCount: Int) {
    self.meter = meter
    meter?.begin("Reading", byteCount)
  }

  /// Reports the offset that the read has reached in a file.
  mutating func reach(_ byteCount: Int) {
    guard let meter, before + byteCount - told >= Self.stepByteCount else { return }
    meter.advance(by: before + byteCount - told)
    told = before + byteCount
  }

  /// Reports that a file was read to its end.
  mutating func endFile(_ byteCount: Int) { before += byteCount }

  func end() { meter?.end() }
}

import Synchronization

/// Counts what long work has done, for who shows it meanwhile: threads work on, and another one looks.
///
/// Work that is begun while other work goes on is part of it; but what somebody waits for is told before what goes on in
/// the background, whichever was begun first. What is counted are bytes that are read, or whatever the
/// beginner of the work says.
package final class WorkMeter: Sendable {
  /// What is being done just now.
  package struct Reading: Sendable {
    /// What it is: "Reading".
    package var label: String
    /// How much of it is done.
    package var done: Int
    /// How much there is; 0 when nobody knows.
    package var all: Int
    /// When it was begun.
    package var begun: ContinuousClock.Instant
  }

  private struct State {
    var depth = 0
    var reading: Reading?
    /// Whether the reading is of work in the background.
    var isOfBackground = false
  }

  private let state = Mutex(State())

  package init() {}

  /// What is being done just now, if anything is.
  package var reading: Reading? { state.withLock { $0.reading } }

  /// Begins work.
  ///
  /// - Parameters:
  ///   - label: What it is; not told when it is part of other work.
  ///   - count: How much there is; 0 when nobody knows.
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

  /// Tells that more was done.
  package func advance(by count: Int) { state.withLock { $0.reading?.done += count } }

  /// Tells how much is done of how much, of work that knows both.
  package func reach(_ done: Int, of all: Int) {
    state.withLock { state in
      state.reading?.done = done
      state.reading?.all = all
    }
  }

  /// Ends the work that was begun last, or alongside.
  package func end() {
    state.withLock { state in
      state.depth -= 1
      if state.depth == 0 { state.reading = nil }
    }
  }
}

/// What one reader tells a meter: not every block, for a lock is taken each time.
struct MeteredReading {
  private static let stepByteCount = 1 << 16

  private let meter: WorkMeter?
  /// The bytes of the files before the one that is read.
  private var before = 0
  private var told = 0

  /// Begins to read files of so many bytes together.
  init(_ meter: WorkMeter?, byteCount: Int) {
    self.meter = meter
    meter?.begin("Reading", byteCount)
  }

  /// Tells how far in a file the reading is.
  mutating func reach(_ byteCount: Int) {
    guard let meter, before + byteCount - told >= Self.stepByteCount else { return }
    meter.advance(by: before + byteCount - told)
    told = before + byteCount
  }

  /// Tells that a file of so many bytes was read.
  mutating func endFile(_ byteCount: Int) { before += byteCount }

  func end() { meter?.end() }
}

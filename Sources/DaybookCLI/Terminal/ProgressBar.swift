import DaybookStore
import Foundation
import Journal
import Synchronization

/// A progress bar on standard error: only on a terminal, only for work of more than half a second, and never
/// among the lines of an answer.
enum ProgressBar {
  private static let patience = Duration.milliseconds(500)
  private static let (stepMicroseconds, barWidth) = (UInt32(100_000), 30)

  private struct Bar {
    var isShown = false
    var isOver = false
  }

  private static let bar = Mutex(Bar())

  /// Counts the work done; `nil` when nobody would see the bar.
  static let meter: WorkMeter? = {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    let meter = WorkMeter()
    Thread.detachNewThread {
      while show(meter.reading) { usleep(stepMicroseconds) }
    }
    return meter
  }()

  /// Does work that reports its progress.
  static func during<Result>(
    _ label: String, _ work: (_ report: (_ done: Int, _ all: Int) -> Void) throws -> Result
  ) rethrows -> Result {
    meter?.begin(label)
    defer {
      meter?.end()
      clear()
    }
    return try work { meter?.reach($0, of: $1) }
  }

  /// Hides the bar for other output; it may reappear.
  static func clear() { bar.withLock { clear(&$0) } }

  /// Hides the bar for good.
  static func end() {
    bar.withLock {
      clear(&$0)
      $0.isOver = true
    }
  }

  private static func clear(_ bar: inout Bar) {
    guard bar.isShown else { return }
    bar.isShown = false
    write("\r\u{1B}[K")
  }

  /// Shows the current progress; returns whether to continue.
  private static func show(_ reading: WorkMeter.Reading?) -> Bool {
    bar.withLock { bar in
      guard !bar.isOver else { return false }
      guard let reading, reading.begun.duration(to: .now) > patience else {
        clear(&bar)
        return true
      }
      bar.isShown = true
      write("\r\(line(reading))\u{1B}[K")
      return true
    }
  }

  /// The bar with its label, not wider than the terminal.
  private static func line(_ reading: WorkMeter.Reading) -> String {
    guard reading.all > 0 else { return "\(reading.label) …" }
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let room = (isKnown ? Int(size.ws_col) : 80) - reading.label.columnCount - 8
    let width = max(0, min(barWidth, room))
    let share = min(1, max(0, Double(reading.done) / Double(reading.all)))
    let filled = Int(share * Double(width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    return "\(reading.label) \(bar) \(Int(share * 100)) %"
  }

  private static func write(_ text: String) { StandardStreams.writeAll(text) }
}

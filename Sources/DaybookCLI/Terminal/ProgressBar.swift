import Foundation

/// A bar on standard error that grows with long work; nothing where standard error is no terminal, and
/// nothing for work that is soon done.
struct ProgressBar {
  private static let width = 30
  private let label: String
  private let isShown = isatty(2) == 1
  private let start = ContinuousClock.now
  private var shown: String?

  init(_ label: String) { self.label = label }

  /// Shows how much is done.
  mutating func show(_ done: Int, of all: Int) {
    guard isShown, all > 0, start.duration(to: .now) > .milliseconds(500) else { return }
    let share = min(1, max(0, Double(done) / Double(all)))
    let filled = Int(share * Double(Self.width))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    let text = "\r\(label) \(bar) \(Int(share * 100)) %"
    guard text != shown else { return }
    shown = text
    write(text)
  }

  /// Takes the bar away.
  mutating func clear() {
    guard shown != nil else { return }
    shown = nil
    write("\r\u{1B}[K")
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

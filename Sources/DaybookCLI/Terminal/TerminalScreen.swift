import ArgumentParser
import Foundation

/// The screen that answers are laid out for; nothing else determines its width, height and features.
struct TerminalScreen {
  /// When to use colours.
  enum Coloring: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

  /// The smallest and the largest width for layouts.
  static let columnCounts = 20...1000

  /// The width in columns; `nil` for a pipe, whose lines are never wrapped.
  private(set) var columnCount: Int?
  /// The height of the terminal in rows.
  private(set) var height: Int?
  /// The height at which a pager starts; `nil` without a pager.
  private(set) var rowCount: Int?
  /// Whether to use colours.
  private(set) var hasColor: Bool
  /// Whether to use symbols beyond ASCII; true on a terminal.
  let hasSigns: Bool

  /// Determines the screen of standard output from the terminal and the environment.
  ///
  /// - Parameters:
  ///   - width: The requested width, which overrides `$COLUMNS` and the terminal.
  ///   - coloring: When to use colours; `auto` means on a terminal, unless NO_COLOR is set
  ///     (https://no-color.org).
  ///   - isPaged: Whether an answer longer than the screen goes through a pager.
  init(width: Int? = nil, coloring: Coloring = .auto, isPaged: Bool = true) {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    var size = winsize()
    if isTerminal { _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) }
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? Int(size.ws_col)
    let known = Self.columnCounts.contains(columns) ? columns : 80
    columnCount = width ?? (isTerminal ? known : nil)
    let rows = environment["LINES"].flatMap { Int($0) } ?? Int(size.ws_row)
    height = isTerminal && rows > 0 ? rows : nil
    rowCount = isPaged ? height : nil
    hasSigns = isTerminal
    hasColor =
      switch coloring {
      case .always: true
      case .never: false
      case .auto:
        isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
      }
  }

  /// The screen for JSON answers, whose lines are never wrapped.
  static var ofPrograms: TerminalScreen {
    var screen = TerminalScreen(isPaged: false)
    (screen.columnCount, screen.rowCount, screen.hasColor) = (nil, nil, false)
    return screen
  }
}

/// The options for the layout of answers for people.
struct ScreenOptions: ParsableArguments {
  @Option(
    help:
      "Lay the answer out for this many columns (default: $COLUMNS or the terminal's; a pipe is never cut)."
  )
  var width: Int?

  @Option(name: .customLong("color"), help: "When to colour: auto, always or never.")
  var coloring: TerminalScreen.Coloring = .auto

  @Flag(
    help: "Do not page; otherwise a longer answer than the screen goes through $PAGER, or less.")
  var noPager = false

  /// Sets the screen; the parser calls this after parsing and before the command runs.
  mutating func validate() throws {
    let counts = TerminalScreen.columnCounts
    if let width, !counts.contains(width) {
      throw ValidationError("--width: give \(counts.lowerBound) to \(counts.upperBound)")
    }
    guard !Output.isForPrograms else { return }
    Output.screen = TerminalScreen(width: width, coloring: coloring, isPaged: !noPager)
  }
}

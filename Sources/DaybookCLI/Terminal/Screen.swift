import ArgumentParser
import Foundation

/// What answers are laid out for: the one place that knows how wide and high it is, and what it shows.
struct Screen {
  /// When there are colours.
  enum Coloring: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

  /// The narrowest and the widest for which anything is laid out.
  static let columnCounts = 20...1000

  /// How many columns there are; a pipe has none, and its lines are never broken.
  private(set) var columnCount: Int?
  /// How many rows a terminal has.
  private(set) var height: Int?
  /// How many rows a terminal has, for who pages; nothing where nobody does.
  private(set) var rowCount: Int?
  /// Whether colours are shown.
  private(set) var hasColor: Bool
  /// Whether signs beyond ASCII are shown: on a terminal.
  let hasSigns: Bool

  /// What standard output is, by the terminal and the environment.
  ///
  /// - Parameters:
  ///   - width: The width that was asked for, before `$COLUMNS` and the terminal.
  ///   - coloring: When there are colours; by itself on a terminal, unless NO_COLOR is set (https://no-color.org).
  ///   - isPaged: Whether what is longer than the screen goes through a pager.
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

  /// What answers in JSON are written for: a program, which wants lines as they are.
  static var ofPrograms: Screen {
    var screen = Screen(isPaged: false)
    (screen.columnCount, screen.rowCount, screen.hasColor) = (nil, nil, false)
    return screen
  }
}

/// What an answer for people is laid out for.
struct ScreenOptions: ParsableArguments {
  @Option(
    help:
      "Lay the answer out for so many columns (default: $COLUMNS or the terminal's; a pipe is never cut)."
  )
  var width: Int?

  @Option(name: .customLong("color"), help: "When to colour: auto, always or never.")
  var coloring: Screen.Coloring = .auto

  @Flag(help: "Page nothing; what is longer than the screen goes through $PAGER else, or less.")
  var noPager = false

  /// Sets the screen: the parser calls it once the words are read, before the command runs.
  mutating func validate() throws {
    if let width, !Screen.columnCounts.contains(width) {
      throw ValidationError(
        "--width: give \(Screen.columnCounts.lowerBound) to \(Screen.columnCounts.upperBound)")
    }
    guard !Output.isForPrograms else { return }
    Output.screen = Screen(width: width, coloring: coloring, isPaged: !noPager)
  }
}

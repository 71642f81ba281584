import Foundation

/// What shows an answer that is longer than the screen, a page at a time.
struct Pager {
  private let stream: UnsafeMutablePointer<FILE>

  /// Where the answer is written.
  var descriptor: Int32 { fileno(stream) }

  /// Begins to page; nothing where there is no pager, or none is wanted: `PAGER` is empty, or cat.
  init?() {
    let environment = ProcessInfo.processInfo.environment
    let command = environment["PAGER"] ?? "less"
    guard !command.isEmpty, command != "cat", Self.isThere(command, environment["PATH"] ?? "")
    else { return nil }
    // Short answers stay, colours are shown, and the screen is left as it is: unless somebody wants less otherwise.
    setenv("LESS", "FRX", 0)
    guard let stream = popen(command, "w") else { return nil }
    // A Ctrl-C is the pager's now; and that its reader had enough is no failure.
    signal(SIGINT, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    self.stream = stream
  }

  /// Returns once the reader has had enough.
  func close() { pclose(stream) }

  /// Whether the first word of a command is a program that can be run.
  private static func isThere(_ command: String, _ path: String) -> Bool {
    guard let program = command.split(separator: " ").first else { return false }
    let directories = program.contains("/") ? [""] : path.split(separator: ":").map { "\($0)/" }
    return directories.contains { access($0 + program, X_OK) == 0 }
  }
}

import Foundation

/// A pager for an answer that is longer than the screen.
struct Pager {
  private let stream: UnsafeMutablePointer<FILE>

  /// The descriptor to write the answer to.
  var descriptor: Int32 { fileno(stream) }

  /// Starts the pager; `nil` when there is none, or `PAGER` is empty or `cat`.
  init?() {
    let environment = ProcessInfo.processInfo.environment
    let command = environment["PAGER"] ?? "less"
    guard !command.isEmpty, command != "cat", Self.isThere(command, environment["PATH"] ?? "")
    else { return nil }
    // By default `less` leaves short answers on screen, shows colours and does not clear the screen.
    setenv("LESS", "FRX", 0)
    guard let stream = popen(command, "w") else { return nil }
    // Ctrl-C now belongs to the pager, and quitting it is not an error.
    signal(SIGINT, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    self.stream = stream
  }

  /// Returns when the user quits the pager.
  func close() { pclose(stream) }

  /// Whether the first word of a command is an executable program.
  private static func isThere(_ command: String, _ path: String) -> Bool {
    guard let program = command.split(separator: " ").first else { return false }
    let directories = program.contains("/") ? [""] : path.split(separator: ":").map { "\($0)/" }
    return directories.contains { access($0 + program, X_OK) == 0 }
  }
}

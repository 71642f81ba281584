import Foundation

/// A terminal in raw mode that delivers each key as it is pressed, and shows an alternate screen.
///
/// The terminal is restored however the program ends: on leaving, at exit, on Ctrl-C (which goes through
/// ``Interruption``), and on a fatal signal.
enum RawTerminal {
  private static let begin = "\u{1B}[?1049h\u{1B}[?25l"
  private static let end: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

  // Written before the handlers that read it are installed; the command runs on one thread.
  nonisolated(unsafe) private static var former = termios()
  nonisolated(unsafe) private static var isRaw = false

  /// Whether input and output are a terminal that supports this.
  static var isThere: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Enters raw mode and the alternate screen.
  ///
  /// - Returns: Whether that succeeded.
  static func enter() -> Bool {
    guard isThere, tcgetattr(STDIN_FILENO, &former) == 0 else { return false }
    var mode = former
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-S would freeze the screen, and Ctrl-Z would leave it in raw mode.
    mode.c_iflag &= ~tcflag_t(IXON)
    let none = UInt8(truncatingIfNeeded: fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE)))
    withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(VSUSP)] = none }
    isRaw = true
    atexit { RawTerminal.leave() }
    for number in [SIGTERM, SIGHUP, SIGQUIT] {
      signal(number) { number in
        RawTerminal.leave()
        // Restores the default action, so that the process ends as it would have.
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else {
      isRaw = false
      return false
    }
    Output.text(begin)
    Output.flush()
    return true
  }

  /// Restores the terminal. A signal handler may call it: it does not allocate.
  static func leave() {
    guard isRaw else { return }
    isRaw = false
    _ = write(STDOUT_FILENO, end.utf8Start, end.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, &former)
  }

  /// Waits for keys.
  ///
  /// - Parameter milliseconds: The timeout.
  /// - Returns: The bytes of the keys pressed; `nil` when the terminal is gone.
  static func keys(within milliseconds: Int) -> [UInt8]? {
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let count = poll(&ready, 1, Int32(clamping: milliseconds))
    guard count > 0 else { return count == 0 || errno == EINTR ? [] : nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let length = read(STDIN_FILENO, &bytes, bytes.count)
    guard length > 0 else { return length < 0 && errno == EINTR ? [] : nil }
    return Array(bytes[..<length])
  }
}

import ArgumentParser
import DaybookServer
import DaybookStore
import Foundation
import Journal
import Logging
import Values

/// `daybook-server page`: a book of one's own in the browser of this machine. `daybook page` starts it.
struct PageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Opens one account's page in the browser of this machine, and nothing else.",
    discussion: """
      It listens on the loopback alone, keeps sign-in in memory, and signs in whoever opens the link that it prints, \
      once. `daybook page` starts it for your book.
      """)

  /// `--book`, `--port` and `--config`.
  @ParentCommand var server: ServerProgram

  @Option(
    name: .customLong("as"), help: "The key of the account (default: the book's only one).",
    transform: { text in
      guard let key = Key(text) else {
        throw ValidationError("\"\(text)\" is not the key of an account")
      }
      return key
    })
  var account: Key?

  @Flag(name: .customLong("no-open"), help: "Only print the link.")
  var staysClosed = false

  func run() async throws {
    try await ServerProgram.reportingErrors {
      do { try await serve() } catch let error as JournalError {
        guard case .locked(let path, let holder) = error else { throw error }
        StandardStreams.writeAll(
          "The book at \(path) is held by another program (\(holder)), and the page needs it for itself: "
            + "end that one, and start the page again.\n")
        throw ExitCode(4)
      }
    }
  }

  private func serve() async throws {
    var settings = try await server.settings()
    if server.port == nil { settings.port = 0 }
    LoggingSystem.bootstrap { JSONLogHandler($0) }
    defer { JSONLogHandler.flush() }
    var logger = Logger(label: "daybook-server")
    logger.logLevel = .error
    let page = try await DaybookServer(pageOf: account, settings, logger: logger)
    let opens = !staysClosed
    try await page.run { address in
      let link = try await page.visitAddress(at: address)
      StandardStreams.writeAll(
        """
        \(page.ownerName)'s page, to open once within ten minutes:

          \(link)

        Only this machine can reach it. Other commands can read the book meanwhile, but not record. Stop with Ctrl-C.

        """, on: STDOUT_FILENO)
      if opens, !Self.open(link) {
        StandardStreams.writeAll("No browser could be started: open the link yourself.\n")
      }
    }
  }

  /// Opens an address in the usual browser.
  ///
  /// - Returns: Whether the system has a program for that, and it was started.
  private static func open(_ address: String) -> Bool {
    #if os(macOS)
      let program = "/usr/bin/open"
    #else
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let candidates = path.split(separator: ":").map { "\($0)/xdg-open" }
      guard let program = candidates.first(where: FileManager.default.isExecutableFile) else {
        return false
      }
    #endif
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [address]
    // Messages of the browser must not mix with the lines of this program.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) != nil
  }
}

import ArgumentParser
import Configuration
import DaybookServer
import DaybookStore
import Foundation
import Logging

/// `daybook-server`: serves clients of the apps on a book.
@main
struct ServerProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook-server",
    abstract: "Serves a book to the apps: sign-in, tables, functions, changes as they happen.",
    discussion: """
      Settings come from these options, then from the environment (DAYBOOK_PORT), then from the file of --config. \
      Secrets come from the environment or from files that settings name, never from options. See Docs/Server.md.
      """,
    subcommands: [OutboxCommand.self, PageCommand.self])

  @Flag(
    help: "Make a demo book of two years in a temporary directory, and serve it.")
  var demo = false

  @Option(help: "The book's directory (default: my.daybook); it is made if it is missing.")
  var book: String?

  @Option(help: "The address to listen on (default: 127.0.0.1).")
  var host: String?

  @Option(help: "The port to listen on (default: 8080); 0 for any that is free.")
  var port: Int?

  @Option(help: "A file of settings: .yaml or .json.")
  var config: String?

  @Flag(
    help: "Keep messages at /dev/outbox instead of sending them. For development only.")
  var development = false

  func run() async throws {
    try await Self.reportingErrors { try await serve() }
  }

  /// Does work, and reports a failure in a sentence: invalid settings end the process with 64, everything
  /// else with 1.
  static func reportingErrors(_ work: () async throws -> Void) async throws {
    StandardStreams.hold()
    do {
      try await work()
    } catch let error as ExitCode {
      throw error
    } catch {
      StandardStreams.writeAll("Error: \(error)\n")
      throw error is SettingsError ? ExitCode.validationFailure : ExitCode.failure
    }
  }

  /// The settings from the options, the environment and the file.
  func settings() async throws -> ServerSettings {
    var settings = try await ServerSettings(file: config)
    if let book { settings.book = book }
    if let host { settings.host = host }
    if let port {
      guard ServerSettings.ports.contains(port) else {
        throw SettingsError("--port: \(port) is not a port; give one from 0 to 65535.")
      }
      settings.port = port
    }
    if development { settings.isDevelopment = true }
    return settings
  }

  private func serve() async throws {
    var settings = try await settings()
    if demo { try DemoServer.prepare(&settings) }
    LoggingSystem.bootstrap { JSONLogHandler($0) }
    defer { JSONLogHandler.flush() }
    var logger = Logger(label: "daybook-server")
    logger.logLevel = demo ? .error : settings.logLevel
    let server = try await DaybookServer(settings, logger: logger)
    let (book, isDemo) = (settings.book, demo)
    try await server.run { address in
      let greeting =
        isDemo
        ? try await DemoServer.greeting(of: server, at: address) : "Serving \(book) at \(address)"
      // The reader may be waiting on a pipe.
      StandardStreams.writeAll(greeting + "\n", on: STDOUT_FILENO)
    }
  }
}

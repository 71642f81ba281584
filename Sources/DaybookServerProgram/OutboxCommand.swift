import ArgumentParser
import Calendar
import DaybookAuth
import DaybookServer
import Foundation
import Values

/// `daybook-server outbox`: lists what could not be sent, and sends it again.
struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Lists the messages that were given up, and has them sent again.",
    discussion: """
      For each message it shows the id, when it was given up, its channel, its kind, how often \
      it was tried, and why it failed the last time; never the recipient or the text. The server \
      may be running. Name the book with --book or --config: `daybook-server outbox --book \
      my.daybook`.
      """)

  /// `--book` and `--config`, which select the outbox.
  @ParentCommand var server: ServerProgram

  @Option(
    parsing: .upToNextOption, help: "The ids of the messages to send again.",
    transform: { text in
      guard let id = Key(text) else {
        throw ValidationError("\"\(text)\" is not the id of a message")
      }
      return id
    })
  var sendAgain: [Key] = []

  @Flag(help: "Send all of them again.")
  var all = false

  func run() async throws {
    try await ServerProgram.reportingErrors {
      let letters = try DeadLetters(ofBookAt: try await server.settings().book)
      if sendAgain.isEmpty, !all { return try await list(letters) }
      let found = try await letters.list(atMost: .max)
      for id in all ? found.map(\.id) : sendAgain {
        print("\(id)  \(try await again(id, letters, found))")
      }
    }
  }

  /// Sends a message again; prints the outcome.
  private func again(
    _ id: Key, _ letters: DeadLetters, _ found: [OutboxMessage]
  ) async throws -> String {
    if found.contains(where: { $0.id == id && letters.isOver($0) }) {
      return "is not sent again: it is out of date"
    }
    return try await letters.sendAgain(id)
      ? "is sent again" : "is not among those that were given up"
  }

  private func list(_ letters: DeadLetters) async throws {
    let found = try await letters.list()
    if found.isEmpty { return print("No message was given up.") }
    for message in found {
      let said = [
        "\(message.id)", "\(message.dead ?? message.due)", message.channel.rawValue,
        message.template, "\(message.attempts)",
        (message.lastError ?? "") + (letters.isOver(message) ? " (over)" : ""),
      ]
      print(said.joined(separator: "  "))
    }
  }
}

import ArgumentParser
import Avro
import Daybook
import DaybookReplica
import DaybookStore
import Foundation

/// The option that selects a replica.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: "The directory of the copy (default: $DAYBOOK_DEVICE, else ./device.daybook).",
    completion: .directory)
  var device: String?

  @Flag(name: .long, help: "Answer in JSON.")
  var json = false

  var path: String {
    let named = ProcessInfo.processInfo.environment["DAYBOOK_DEVICE"] ?? ""
    return device ?? (named.isEmpty ? "device.daybook" : named)
  }

  /// Opens the replica; there must be one.
  func open() async throws -> Replica {
    guard FileManager.default.fileExists(atPath: path + "/replica.json") else {
      throw CommandFailure(
        "no_device", "\(path) holds no copy of a book; make one with `daybook clone URL`.")
    }
    return try Replica(at: path)
  }
}

/// The option that gives the access token.
struct TokenOptions: ParsableArguments {
  @Option(
    name: .customLong("token"),
    help: "A file that holds the access token (default: the value of $DAYBOOK_TOKEN).",
    completion: .file())
  var file: String?

  /// The token. It comes from a file or a variable, because anyone can see a command's arguments.
  func token() throws -> String {
    let text: String
    if let file {
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw CommandFailure("file_not_found", "Could not read \(file); check the path.")
      }
      text = String(decoding: bytes, as: UTF8.self)
    } else {
      text = ProcessInfo.processInfo.environment["DAYBOOK_TOKEN"] ?? ""
    }
    let token = text.filter { !$0.isWhitespace }
    guard !token.isEmpty else {
      throw CommandFailure(
        "no_token", "Give the access token in $DAYBOOK_TOKEN, or in a file with --token.")
    }
    return token
  }

  /// The way to a server.
  func transport(to server: String) throws -> HTTPTransport {
    guard let address = URL(string: server), ["http", "https"].contains(address.scheme),
      address.host != nil
    else {
      throw CommandFailure(
        "not_an_address", "\(server) is no address such as https://daybook.example.")
    }
    let token = try token()
    return HTTPTransport(to: address) { token }
  }
}

struct CloneBook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clone",
    abstract: "Copy what you see of a server's book to this machine, to use it offline.",
    discussion: """
      daybook clone https://daybook.example --device laptop.daybook

      What you record here with `daybook record` waits until `daybook sync` brings it to the server.
      """)

  @OptionGroup var options: DeviceOptions
  @OptionGroup var token: TokenOptions

  @Argument(help: "The server's address.")
  var server: String

  func run() async throws {
    guard !FileManager.default.fileExists(atPath: options.path + "/replica.json") else {
      throw CommandFailure(
        "already_a_device", "\(options.path) is a copy already; use `daybook sync`.")
    }
    let transport = try token.transport(to: server)
    let replica = try Replica(at: options.path)
    try await replica.connect(to: server)
    let report = try await replica.sync(over: transport)
    try await SyncReport.print(report, of: replica, options)
  }
}

struct SyncBook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Send what waits on this machine to the server, and fetch what is new.",
    discussion: """
      The server's order counts: what you recorded here is decided there once more. What does not hold as you meant \
      it is listed by `daybook conflicts`. After an interruption, sync again; nothing is carried out twice.
      """)

  @OptionGroup var options: DeviceOptions
  @OptionGroup var token: TokenOptions

  @Flag(help: "Go on although the server's book is another one, or an older state of it.")
  var acceptOther = false

  @Flag(help: "Sync every few seconds until Ctrl-C; commands may be recorded meanwhile.")
  var watch = false

  func run() async throws {
    guard watch else { return try await sync(printsNothingNew: true) }
    var backoff = Backoff(from: .seconds(2), upTo: .seconds(300))
    var random = SystemRandomNumberGenerator()
    while true {
      var wait = Duration.seconds(2)
      do {
        try await sync(printsNothingNew: false)
        backoff.reset()
      } catch let error as ReplicaError where error.passes {
        wait = backoff.next(using: &random)
        Output.note("\(error) Next try in \(Int(wait.components.seconds).counted("second")).")
      }
      // The replica is not open meanwhile, so that other commands can use it.
      try await Task.sleep(for: wait)
    }
  }

  private func sync(printsNothingNew: Bool) async throws {
    let replica = try await options.open()
    guard let server = await replica.server else {
      throw CommandFailure(
        "no_server", "\(options.path) knows no server; make it with `daybook clone URL`.")
    }
    let report = try await replica.sync(
      over: try token.transport(to: server), acceptingOther: acceptOther)
    guard printsNothingNew || report.pulledCount + report.settledCount + report.conflictCount > 0
    else { return }
    try await SyncReport.print(report, of: replica, options)
    Output.flush()
  }
}

extension ReplicaError {
  /// Whether the same sync may succeed a little later.
  fileprivate var passes: Bool {
    if case .held = self { true } else { isTransient }
  }
}

/// What `clone` and `sync` print.
private enum SyncReport {
  static func print(
    _ report: Replica.Report, of replica: Replica, _ options: DeviceOptions
  ) async throws {
    let waiting = await replica.pending.count
    let conflicts = await replica.conflicts.count
    guard !options.json else {
      let row: JSON = [
        "ok": [
          "pulled": .number(report.pulledCount), "settled": .number(report.settledCount),
          "waiting": .number(waiting), "conflicts": .number(conflicts),
          "digest": .string(try await replica.digest()),
        ]
      ]
      return Output.whole(row.encoded)
    }
    Output.line(
      "\(report.pulledCount.counted("entry", "entries")) came, "
        + "\(report.settledCount.counted("command")) went.")
    if waiting > 0 { Output.line("\(waiting.counted("command")) still waits: `daybook sync`.") }
    if conflicts > 0 {
      Output.line("\(conflicts.counted("command")) did not hold as meant: `daybook conflicts`.")
    }
  }
}

struct RecordOnDevice: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record commands on this machine, for the next sync.",
    discussion: """
      echo '{"do":"create_task","title":"Buy milk"}' | daybook record

      Each line of the input is a command, as `daybook apply` takes it, without `as` and `at`. Each answer is the \
      command's id, or why it is refused as things stand here.
      """)

  @OptionGroup var options: DeviceOptions

  func run() async throws {
    let replica = try await options.open()
    var hasFailed = false
    while let line = readLine() {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      do {
        let id = try await replica.record(line: line)
        Output.whole(JSON.object([.init("ok", ["id": .string(id.description)])]).encoded)
      } catch let rejection as Rejection {
        hasFailed = true
        refuse(rejection.code, rejection.field, rejection.description)
      } catch let error as ReplicaError where error.isOfOneCommand {
        hasFailed = true
        refuse(error.code, nil, error.description)
      }
    }
    if hasFailed { throw ExitCode(1) }
  }

  private func refuse(_ code: String, _ field: String?, _ message: String) {
    Output.bytes(RequestOutcome(code: code, field: field, message: message).text)
    Output.line()
  }
}

extension ReplicaError {
  /// Whether other commands may be recorded all the same.
  fileprivate var isOfOneCommand: Bool {
    if case .onlineOnly = self { true } else { false }
  }
}

struct ListPending: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pending",
    abstract: "Show what was recorded on this machine and waits for the next sync.",
    discussion: """
      A command that would be refused as things stand here says so; the server decides about it.
      """)

  @OptionGroup var options: DeviceOptions

  func run() async throws {
    let replica = try await options.open()
    let doubtful = await replica.doubtful
    let rows = try await replica.pending.map { line in
      let json = try JSON(parsing: Array(line.utf8))
      return (json, Request.id(of: json).flatMap { doubtful[$0] })
    }
    guard !options.json else {
      let waiting: [JSON] = rows.map { json, rejection in
        [
          "command": json,
          "refusal": rejection.map {
            ["code": .string($0.code), "message": .string($0.description)]
          } ?? .null,
        ]
      }
      return Output.whole((["ok": .array(waiting)] as JSON).encoded)
    }
    if rows.isEmpty { return Output.line("Nothing waits.") }
    for (json, rejection) in rows {
      Output.line(json.encoded)
      if let rejection { Output.line("  as things stand: \(rejection.description)") }
    }
  }
}

struct ListConflicts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "Show what did not hold on the server as it was meant here.",
    discussion: """
      Each conflict says what was meant, what holds, and why. With --retry, its command is recorded again, for the \
      next sync; with --dismiss, what holds is right.
      """)

  @OptionGroup var options: DeviceOptions

  @Option(help: "Record the command of the conflict with this key again.")
  var retry: String?

  @Option(help: "Close the conflict with this key.")
  var dismiss: String?

  func run() async throws {
    let replica = try await options.open()
    if let key = try KeyArgument.key(dismiss, "--dismiss") { try await replica.dismiss(key) }
    if let key = try KeyArgument.key(retry, "--retry") { try await replica.retry(key) }
    let conflicts = await replica.conflicts
    guard !options.json else {
      let row: JSON = ["ok": .array(conflicts.map(\.json))]
      return Output.whole(row.encoded)
    }
    if conflicts.isEmpty { return Output.line("Everything held as it was meant.") }
    for conflict in conflicts {
      Output.line("\(conflict.id)  \(conflict.kind.rawValue)  \(conflict.at)")
      Output.line("  meant: \(conflict.line)")
      if conflict.held != "[]" { Output.line("  holds: \(conflict.held)") }
      Output.line("  \(conflict.reason)")
    }
    Output.line(
      "`daybook conflicts --retry KEY` records a command again; `--dismiss KEY` leaves it.")
  }
}

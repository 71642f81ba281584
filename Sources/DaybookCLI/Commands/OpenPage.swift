import ArgumentParser
import Daybook
import DaybookStore
import Foundation
import Journal

struct OpenPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Open your book in a browser, on this machine alone.",
    discussion: """
      It starts `daybook-server page`, which listens on the loopback, and opens a link that signs you in once. The book \
      is held until Ctrl-C: other commands can read it meanwhile, but not record. The server is a program of its own, \
      which is looked for beside this one and in the PATH.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions

  @Flag(name: .customLong("no-open"), help: "Only print the link.")
  var staysClosed = false

  func run() throws {
    guard !options.json else {
      throw ValidationError("--json: the page is for people; `daybook ask` answers in JSON.")
    }
    let state = try options.reader.state()
    guard let account = state.accounts[try actor.account(in: state)] else {
      throw Rejection.accountNotFound
    }
    guard let program = Self.server() else {
      throw CommandFailure(
        "server_missing",
        "The page needs the program daybook-server, which is neither beside daybook nor in the PATH: "
          + "build it with `swift build -c release --product daybook-server`, and put it beside daybook."
      )
    }
    var words = [program, "page", "--book", options.path, "--as", account.key.description]
    if staysClosed { words.append("--no-open") }
    Output.finish()
    try Self.become(words)
  }

  /// The path of the server's program: beside this one, or in the PATH.
  private static func server() -> String? {
    var folders: [String] = []
    if let own = Bundle.main.executablePath {
      folders.append(URL(fileURLWithPath: own).deletingLastPathComponent().path)
      // A link to the program may be in another directory than the program.
      folders.append(
        URL(fileURLWithPath: own).resolvingSymlinksInPath().deletingLastPathComponent().path)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    folders += path.split(separator: ":").map(String.init)
    return folders.lazy.map { "\($0)/daybook-server" }
      .first(where: FileManager.default.isExecutableFile)
  }

  /// Lets another program go on in place of this one: it has the terminal, and gets its signals.
  private static func become(_ words: [String]) throws {
    // Signal handlers end with this program, but an ignored signal would stay ignored in the next one.
    signal(SIGINT, SIG_DFL)
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    _ = execv(words[0], arguments)
    let reason = String(cString: strerror(errno))
    throw CommandFailure("server_missing", "\(words[0]) could not be started: \(reason).")
  }
}

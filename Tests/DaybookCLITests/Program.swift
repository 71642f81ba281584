import Avro
import Foundation
import Testing

/// Runs the built `daybook` in a temporary directory of its own.
final class Program {
  let directory: String

  struct Run {
    var status: Int32
    var output: String
    var error: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
    func json() throws -> JSON { try JSON(parsing: output) }
  }

  init() throws {
    directory = FileManager.default.temporaryDirectory.path + "/daybook-cli-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// A program in a directory with a copy of another's files, which are made once for many tests.
  convenience init(with files: [String: Data]) throws {
    try self.init()
    for (name, bytes) in files {
      let file = URL(fileURLWithPath: path(name))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
  }

  /// The files in the directory, by relative path.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path(name), isDirectory: &isDirectory)
      if !isDirectory.boolValue { files[name] = FileManager.default.contents(atPath: path(name)) }
    }
    return files
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// The path of a file in the directory.
  func path(_ name: String) -> String { directory + "/" + name }

  /// Runs `daybook` with words, in the directory, without colours.
  @discardableResult
  func callAsFunction(_ words: String..., input: String = "") throws -> Run {
    try run(words, input: input)
  }

  /// A run that has not started yet.
  func process(_ words: [String], environment extra: [String: String] = [:]) throws -> Process {
    let process = Process()
    process.executableURL = try Self.binary()
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    var environment = ProcessInfo.processInfo.environment
    environment["DAYBOOK"] = nil
    environment["DAYBOOK_AS"] = nil
    environment["NO_COLOR"] = "1"
    environment["TZ"] = "UTC"
    environment["DAYBOOK_PEPPER"] = nil
    environment.merge(extra) { _, given in given }
    process.environment = environment
    return process
  }

  func run(
    _ words: [String], input: String = "", environment extra: [String: String] = [:]
  ) throws -> Run {
    let process = try process(words, environment: extra)
    let (output, error) = (path(".out"), path(".err"))
    for file in [output, error] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
    try Data(input.utf8).write(to: URL(fileURLWithPath: path(".in")))
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: path(".in")))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: error))
    try process.run()
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus,
      output: try String(contentsOfFile: output, encoding: .utf8),
      error: try String(contentsOfFile: error, encoding: .utf8))
  }

  /// The program is in the same directory as the tests.
  private static func binary() throws -> URL {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for directory in [tests, tests.deletingLastPathComponent(), Bundle.main.bundleURL] {
      let candidate = directory.appendingPathComponent("daybook")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

/// A book of Ada's with one habit, made by the program.
struct AdasBook {
  let daybook: Program
  static let ada = "00000000-0000-4000-8000-00000000000a"
  static let read = "00000000-0000-4000-8000-000000000001"

  private static let files = Result {
    let daybook = try Program()
    try daybook(
      "init", "--name", "Ada", "--timezone", "Europe/London", "--key", ada, "--at",
      "2026-03-01T08:00:00Z")
    try daybook("habits", "add", "Read", "--key", read, "--at", "2026-03-01T08:01:00Z")
    return try daybook.files()
  }

  init() throws { try self.init(with: Self.files.get()) }

  /// Ada's book with the files of another one.
  init(with files: [String: Data]) throws { daybook = try Program(with: files) }

  /// The journal's content, byte for byte.
  func journal() throws -> [String: Data] {
    let directory = daybook.path("my.daybook/journal")
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      files[name] = FileManager.default.contents(atPath: directory + "/" + name)
    }
    return files
  }
}

public import Configuration
public import Logging

/// All that a server is told: where its book is, where it listens, which secrets it has.
///
/// Settings come from the environment (`DAYBOOK_PORT`), then from a file (`port`), then from what stands here. A secret
/// is never an argument: it comes from the environment, or from a file that a setting names (`pepperFile`).
public struct ServerSettings: Sendable {
  /// The book's directory.
  public var book: String
  /// The address to listen on.
  public var host: String
  /// The port to listen on; 0 for any that is free.
  public var port: Int
  /// How clients reach the server, without a `/` at its end: links in messages begin with it.
  public var publicURL: String?
  /// The key that every app carries; it is no secret.
  public var anonymousKey: String
  /// Whether the server shows what it would have sent, and issues tokens of its own: never in production.
  public var isDevelopment: Bool
  /// Whether a request may say through how many proxies it came, and from where (`X-Forwarded-For`).
  public var trustsProxy: Bool
  /// Where apps may be sent back to after signing in: addresses, those that end in `/*` for all below, in `://` for all of a scheme.
  public var redirects: [String]
  /// Where a browser is sent after signing in that named no place, or none that is allowed: a page of the app's. The server
  /// itself unless given.
  public var home: String?
  /// The secret with which e-mail addresses and phone numbers are hashed in the book (``Docs/CommandLine.md``, "People").
  public var pepper: [UInt8]?
  /// From which level on log lines are written; `info` has one for each request.
  public var logLevel: Logger.Level
  /// How much one may ask for.
  public var limits: ServerLimits
  /// What other settings there are, for the parts that read their own.
  public let reader: ConfigReader

  private var file: SettingsFile?

  /// The names in the file of settings that nobody has read: once all has been made that is made of them, these mean nothing.
  var unread: [String] { file?.unread ?? [] }

  /// How clients reach the server, as far as it is known.
  var site: String { publicURL ?? "http://\(host):\(port)" }

  /// Reads the settings.
  ///
  /// - Throws: ``SettingsError``.
  public init(_ reader: ConfigReader) throws(SettingsError) {
    self.reader = reader
    book = try reader.text("book", default: "my.daybook")
    host = try reader.text("host", default: "127.0.0.1")
    port = try reader.number("port", in: Self.ports, default: 8080)
    publicURL = reader.string(forKey: "publicURL").map { url in
      url.hasSuffix("/") ? String(url.dropLast()) : url
    }
    anonymousKey = reader.string(forKey: "anonymousKey", default: "")
    isDevelopment = try reader.flag("development", default: false)
    trustsProxy = try reader.flag("trustProxy", default: false)
    redirects = try reader.texts("redirects")
    home = reader.string(forKey: "home")
    pepper = try SecretSetting(reader, "pepper").bytes
    limits = try ServerLimits(reader)
    let level = reader.string(forKey: "logLevel", default: Logger.Level.info.rawValue)
    guard let logLevel = Logger.Level(rawValue: level) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingsError("logLevel: \(level) is no level; give one of \(levels).")
    }
    self.logLevel = logLevel
    if let publicURL, !publicURL.hasPrefix("http://"), !publicURL.hasPrefix("https://") {
      throw SettingsError(
        "publicURL: \(publicURL) is no address that begins with https:// or http://.")
    }
  }

  /// The ports that there are; 0 stands for any that is free.
  public static let ports = 0...65_535

  /// Reads the settings of the environment, and of a file if one is named, and notes which names of it nobody reads.
  ///
  /// - Parameter path: A file whose name ends in `.json`, or in `.yaml` or `.yml`.
  /// - Throws: ``SettingsError``.
  public init(file path: String?) async throws(SettingsError) {
    let file = path.map { SettingsFile($0) }
    try self.init(try await Self.reader(file: path, reportingTo: file))
    self.file = file
  }

  private static func reader(
    file path: String?, reportingTo reporter: SettingsFile?
  ) async throws(SettingsError) -> ConfigReader {
    let environment = EnvironmentVariablesProvider().prefixKeys(with: "daybook")
    guard let path else { return ConfigReader(provider: environment) }
    let named = ConfigReader(
      provider: InMemoryProvider(values: ["filePath": ConfigValue(.string(path), isSecret: false)]))
    do {
      let file: any ConfigProvider =
        path.hasSuffix(".json")
        ? try await FileProvider<JSONSnapshot>(config: named)
        : try await FileProvider<YAMLSnapshot>(config: named)
      return ConfigReader(providers: [environment, file], accessReporter: reporter)
    } catch {
      throw SettingsError("\(path) cannot be read as settings: \(error)")
    }
  }
}

/// A setting is missing, or cannot be.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence: what is wrong, and what to do.
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// How much one request, and all of them together, may ask for.
public struct ServerLimits: Sendable {
  /// How many bytes a body may have.
  public var bodyByteCount: Int
  /// How many bytes a body may have when its sender is not signed in.
  public var anonymousBodyByteCount: Int
  /// How many bytes a request target may have.
  public var targetByteCount: Int
  /// For how many seconds a request may be read and answered.
  public var seconds: Int
  /// How many requests are answered at once; others are told to come again.
  public var requestCount: Int
  /// How many connections there may be.
  public var connectionCount: Int

  init(_ reader: ConfigReader) throws(SettingsError) {
    func number(
      _ name: String, _ range: ClosedRange<Int>, _ standard: Int
    ) throws(SettingsError) -> Int {
      try reader.number(ConfigKey("limits.\(name)"), in: range, default: standard)
    }
    bodyByteCount = try number("bodyBytes", 1...1 << 30, 4 << 20)
    anonymousBodyByteCount = try number("anonymousBodyBytes", 1...1 << 30, 16 << 10)
    // The target and all headers have 32 KiB together.
    targetByteCount = try number("targetBytes", 1...32 << 10, 32 << 10)
    seconds = try number("seconds", 1...3600, 30)
    requestCount = try number("requests", 1...1_000_000, 512)
    connectionCount = try number("connections", 1...1_000_000, 10_000)
  }
}

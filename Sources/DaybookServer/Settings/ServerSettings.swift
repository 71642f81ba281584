public import Configuration
import DaybookAPI
public import Logging

/// The settings of a server: its book, its address, its secrets, its limits.
///
/// A setting comes from the environment (`DAYBOOK_PORT`), else from a file (`port`), else from the defaults here. A
/// secret is never an argument: it comes from the environment, or from a file that a setting names (`pepperFile`).
public struct ServerSettings: Sendable {
  /// The book's directory.
  public var book: String
  /// The address to listen on.
  public var host: String
  /// The port to listen on; 0 for any free port.
  public var port: Int
  /// The address by which clients reach the server, without a trailing `/`; links in messages begin
  /// with it.
  public var publicURL: String?
  /// The public key that every app contains; it is no secret.
  public var anonymousKey: String
  /// Whether the server shows the messages it would send, and issues tokens of its own; never in production.
  public var isDevelopment: Bool
  /// Whether browsers get screens at `/`.
  public var hasPage: Bool
  /// Whether browsers get the documentation at `/docs`, without a sign-in.
  public var hasDocuments: Bool
  /// Whether people may make personal tokens, and calendars with an address of their own.
  public var hasPersonalTokens: Bool
  /// Whether assistants get tools at `/mcp`, for the account that signed in.
  public var hasTools: Bool
  /// Whether commands are among these tools, and not questions alone.
  public var toolsWrite: Bool
  /// Whether to trust a request's list of proxies (`X-Forwarded-For`).
  public var trustsProxy: Bool
  /// The addresses to which apps may return after sign-in. One that ends in `/*` allows every address below it; one
  /// that ends in `://` allows every address of its scheme.
  public var redirects: [String]
  /// The page of the app to which a browser returns after a sign-in that named no allowed address. The server
  /// itself by default.
  public var home: String?
  /// The price at which the page offers the paid version: the shop's id of it (`checkout.price`).
  var price: String
  /// The secret with which e-mail addresses and phone numbers are hashed in the book (``Docs/CommandLine.md``, "People").
  public var pepper: [UInt8]?
  /// The lowest level of log lines that are written; `info` has one for each request.
  public var logLevel: Logger.Level
  /// The limits of requests.
  public var limits: ServerLimits
  /// Reads further settings, for the parts that have their own.
  public let reader: ConfigReader

  private var file: SettingsFile?

  /// The names in the settings file that nothing has read; once everything is set up, they have no effect.
  var unread: [String] { file?.unread ?? [] }

  /// The address by which clients reach the server, as far as it is known.
  var site: String { publicURL ?? "http://\(host):\(port)" }

  /// What assistants may do; `nil` where they are not served.
  var tools: ToolSettings? { hasTools ? ToolSettings(canWrite: toolsWrite, site: site) : nil }

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
    hasPage = try reader.flag("page", default: true)
    hasDocuments = try reader.flag("documents", default: false)
    hasPersonalTokens = try reader.flag("personalTokens", default: false)
    hasTools = try reader.flag("assistants", default: false)
    toolsWrite = try reader.flag("assistantsWrite", default: false)
    trustsProxy = try reader.flag("trustProxy", default: false)
    redirects = try reader.texts("redirects")
    home = reader.string(forKey: "home")
    price = reader.string(forKey: "checkout.price", default: "premium")
    pepper = try SecretSetting(reader, "pepper").bytes
    limits = try ServerLimits(reader)
    let level = reader.string(forKey: "logLevel", default: Logger.Level.info.rawValue)
    guard let logLevel = Logger.Level(rawValue: level) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingsError("logLevel: \(level) is not a level; give one of \(levels).")
    }
    self.logLevel = logLevel
    if let publicURL, !publicURL.hasPrefix("http://"), !publicURL.hasPrefix("https://") {
      throw SettingsError(
        "publicURL: \(publicURL) is not an address that begins with https:// or http://.")
    }
  }

  /// The valid ports; 0 stands for any free port.
  public static let ports = 0...65_535

  /// Reads the settings from the environment and from a file, and notes which names of the file are not read.
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

/// A setting is missing or invalid.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence: what is wrong, and what to do.
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// The limits of a single request and of all requests together.
public struct ServerLimits: Sendable {
  /// The most bytes of a body.
  public var bodyByteCount: Int
  /// The most bytes of a body from a client that is not signed in.
  public var anonymousBodyByteCount: Int
  /// The most bytes of a request target.
  public var targetByteCount: Int
  /// The most seconds for reading the body of a request.
  public var seconds: Int
  /// The most requests in progress; further ones are told to come again.
  public var requestCount: Int
  /// The most connections.
  public var connectionCount: Int

  init(_ reader: ConfigReader) throws(SettingsError) {
    func number(
      _ name: String, _ range: ClosedRange<Int>, _ standard: Int
    ) throws(SettingsError) -> Int {
      try reader.number(ConfigKey("limits.\(name)"), in: range, default: standard)
    }
    bodyByteCount = try number("bodyBytes", 1...1 << 30, 4 << 20)
    anonymousBodyByteCount = try number("anonymousBodyBytes", 1...1 << 30, 16 << 10)
    // The target and all headers share 32 KiB.
    targetByteCount = try number("targetBytes", 1...32 << 10, 32 << 10)
    seconds = try number("seconds", 1...3600, 30)
    requestCount = try number("requests", 1...1_000_000, 512)
    connectionCount = try number("connections", 1...1_000_000, 10_000)
  }
}

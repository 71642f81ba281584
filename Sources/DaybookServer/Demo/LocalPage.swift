import Daybook
import DaybookAPI
import DaybookAuth
import DaybookDelivery
import DaybookPage
import DaybookStore
import DaybookTables
import HTTPTypes
import Journal
public import Logging
public import Values
import Wire

// A book of one's own in the browser of this machine: `daybook page`.
extension DaybookServer {
  /// Opens a book for its page alone, on the loopback, for one account.
  ///
  /// Sign-in is kept in memory: nothing is added beside the book, and all sessions end with the server. Nothing is sent to
  /// anybody, and only the page is served.
  ///
  /// - Parameters:
  ///   - account: The key of the account; `nil` for the book's only one.
  ///   - settings: The settings; only the book, the port, the pepper and the limits have an effect.
  ///   - logger: The log.
  /// - Throws: ``SettingsError``, `JournalError` or `DatabaseFailure`.
  public init(pageOf account: Key?, _ settings: ServerSettings, logger: Logger) async throws {
    var settings = settings
    settings.host = "127.0.0.1"
    settings.publicURL = nil
    settings.trustsProxy = false
    settings.isDevelopment = false
    // Nobody knows it, and nothing asks for it.
    settings.anonymousKey = Key().description
    let reader = BookReader(at: settings.book)
    guard try reader.journal.exists() else { throw JournalError.noBook(path: settings.book) }
    let book = try Book(at: settings.book, pepper: try settings.pepper.map { try Pepper($0) })
    let owner = try Self.owner(account, of: book)
    let database = try ServerDatabase()
    let secret = try Pepper(Key().description + Key().description)
    let auth = try await AuthService(
      settings: AuthSettings(settings), database: database, book: book, pepper: secret,
      outbound: NothingOutside())
    let figures = FigureRegistry()
    let directory = OwnDirectory()
    let now = { @Sendable in BookClock.system.now() }
    let schemas = TableSchema.all + [.together]
    let hub = ChangeHub(
      book, directory, schemas: schemas, lag: LagMeter(now: now), logger: logger)
    let api = ClientAPI(book: book, bodyByteCount: settings.limits.bodyByteCount)
    let functions = EdgeFunctions(
      book, outbox: DatabaseOutbox(database), outbound: NothingOutside(),
      settings: FunctionSettings(now: now), logger: logger, emailOf: { _ in nil })
    var page = PageSettings()
    page.takesCodes = false
    page.cookieMark = String(owner.description.prefix(8))
    var parts = ServerParts(
      settings: settings, book: book, auth: auth, development: nil,
      tables: TableService(book, directory), api: api, functions: functions,
      personalTokens: nil, page: PageService(api: api, auth: auth, settings: page),
      health: Health(book: book, database: database, hub: hub, figures: figures),
      figures: figures,
      schemas: Dictionary(schemas.map { ($0.name, $0) }) { first, _ in first })
    parts.isLocal = true
    self.settings = settings
    self.logger = logger
    self.parts = parts
    self.hub = hub
    outbound = HTTPOutbound()
    services = [hub]
    self.owner = owner
  }

  /// The address that signs the owner in, once and within ten minutes.
  ///
  /// - Throws: `DatabaseFailure`.
  public func visitAddress(at address: String) async throws -> String {
    guard let owner else { throw SettingsError("This server has no page of one's own.") }
    return "\(address)/enter?link=\(try await parts.auth.visitLink(for: owner))"
  }

  /// The name of the owner.
  public var ownerName: String {
    parts.book.read { state in
      owner.flatMap { state.accounts.present($0) }.flatMap { state.accounts[$0]?.shortName } ?? ""
    }
  }

  /// The account whose page is served.
  private static func owner(_ account: Key?, of book: Book) throws -> Key {
    let living = book.read { $0.livingAccounts.map(\.key) }
    if let account {
      guard living.contains(account) else { throw Rejection.accountNotFound }
      return account
    }
    guard let only = living.first, living.count == 1 else {
      throw SettingsError(
        living.isEmpty
          ? "The book has no account yet; `daybook init --name NAME` makes the first one."
          : "The book has \(living.count) accounts: give the key of one with --as.")
    }
    return only
  }
}

/// A page of one's own asks no other server.
private struct NothingOutside: Outbound {
  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse {
    throw OutboundFailure("This page asks no other server.")
  }
}

/// Nobody signs in by an address here.
private struct OwnDirectory: ContactDirectory {
  func email(of account: Key) -> String? { nil }
}

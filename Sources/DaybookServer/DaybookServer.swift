import Avro
import Daybook
import DaybookAPI
import DaybookAuth
import DaybookDelivery
import DaybookPage
import DaybookStore
import DaybookTables
import Hummingbird
import HummingbirdCore
public import Logging
import NIOHTTP1
import ServiceLifecycle
import Values
import Wire

/// A server for a book that answers apps over HTTP.
///
/// It opens the book for writing and is its only writer; the `daybook` program can read and back up the same book
/// meanwhile.
public struct DaybookServer: Sendable {
  let settings: ServerSettings
  let logger: Logger
  let parts: ServerParts
  let hub: ChangeHub
  let outbound: HTTPOutbound
  let services: [any Service]
  /// The one account whose page is served, if this is a page of one's own.
  var owner: Key?

  /// Opens the book and the database beside it.
  ///
  /// - Throws: ``SettingsError``, `JournalError` or `DatabaseFailure`.
  public init(_ settings: ServerSettings, logger: Logger) async throws {
    let outbound = HTTPOutbound()
    do { try await self.init(settings, logger, outbound) } catch {
      await outbound.shutDown()
      throw error
    }
  }

  private init(
    _ settings: ServerSettings, _ logger: Logger, _ outbound: HTTPOutbound
  ) async throws {
    guard let pepper = settings.pepper else {
      throw SettingsError(
        "A server needs a pepper, the secret by which it recognises people: set DAYBOOK_PEPPER,"
          + " or pepperFile in the settings, to 16 bytes or more that nobody else knows.")
    }
    guard !settings.anonymousKey.isEmpty else {
      throw SettingsError("anonymousKey is missing: set the public key that the apps send.")
    }
    let secret = try Pepper(pepper)
    let book = try Book(at: settings.book, pepper: secret)
    let database = try ServerDatabase(at: settings.book + "/server.sqlite") { failure in
      guard let failure else { return logger.notice("server.sqlite works again.") }
      logger.error(
        "server.sqlite fails: until it is repaired, nobody can sign in, and nothing is sent.",
        metadata: ["reason": "\(failure)"])
    }
    let mark = try secret.hash(.email, "pepper@daybook.invalid").description
    guard try await database.keeps(mark, as: "pepper") else {
      throw SettingsError(
        "The pepper is not the one that this book was served with: nobody would be recognised, "
          + "and everybody who signs in would get a second account. Set the earlier pepper."
      )
    }
    let now = { @Sendable in BookClock.system.now() }
    let auth = try await AuthService(
      settings: AuthSettings(settings), database: database, book: book, pepper: secret,
      outbound: outbound)
    let directory = Directory(known: auth.people)
    let schemas = TableSchema.all + [.together]
    let figures = FigureRegistry()
    let hub = ChangeHub(
      book, directory, schemas: schemas, lag: LagMeter(now: now), logger: logger)
    let outbox = DatabaseOutbox(database)
    let api = ClientAPI(
      book: book, bodyByteCount: settings.limits.bodyByteCount, tools: settings.tools)
    let functions = EdgeFunctions(
      book, outbox: outbox, outbound: outbound,
      settings: try FunctionSettings(settings, now: now),
      logger: logger, emailOf: { auth.provenEmail(of: $0) })
    self.settings = settings
    self.logger = logger
    self.hub = hub
    self.outbound = outbound
    parts = ServerParts(
      settings: settings, book: book, auth: auth, development: DevService(auth),
      tables: TableService(book, directory), api: api,
      functions: functions,
      personalTokens: settings.hasPersonalTokens
        ? PersonalTokens(auth: auth, api: api, site: settings.site) : nil,
      page: settings.hasPage
        ? PageService(api: api, auth: auth, settings: PageSettings(functions, settings)) : nil,
      health: Health(book: book, database: database, hub: hub, figures: figures),
      figures: figures,
      schemas: Dictionary(schemas.map { ($0.name, $0) }) { first, _ in first })
    if let seconds = parts.health.secondsAhead {
      logger.error(
        "This machine's clock is behind the book's last entry: new entries get that entry's time.",
        metadata: ["seconds": "\(seconds)"])
    }
    services = [
      hub, Sweeper(auth: auth, logger: logger),
      Scheduler(
        book, outbox: outbox, progress: outbox, settings: ScheduleSettings(now: now),
        logger: logger),
      OutboxWorker(
        outbox, senders: try Senders.all(settings, book, outbound, now: now),
        settings: DeliverySettings(now: now), logger: logger),
    ]
    let unread = settings.unread
    if !unread.isEmpty {
      logger.warning(
        "Settings that nothing reads: their names are wrong, or they need others that are not set.",
        metadata: ["names": "\(unread.joined(separator: ", "))"])
    }
  }

  /// Answers requests until the process is told to stop (SIGTERM, SIGINT). Requests in progress are then finished,
  /// and no acknowledged write is lost.
  ///
  /// - Parameter whenServing: Receives the address once requests are accepted.
  /// - Throws: an error of the network, such as an address in use or a forbidden port.
  public func run(
    _ whenServing: @escaping @Sendable (_ address: String) async throws -> Void
  ) async throws {
    let (parts, hub, settings, logger) = (parts, hub, settings, logger)
    let tokens = parts.tokens
    let (answers, date) = (ServerResponder(parts), DateHeader())
    let sockets = HTTPServerBuilder { responder in
      SocketUpgrade(
        responder: responder, makeDirect: { DirectHandler(answers.direct, date, logger) },
        limits: ConnectionLimits()
      ) { target, headers in
        parts.socket(target, headers, hub, tokens)
      }
    }
    let app = Application(
      responder: answers, server: sockets,
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: "daybook",
        availableConnectionsDelegate: MaximumAvailableConnections(settings.limits.connectionCount)),
      services: services,
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        do { try await whenServing("http://\(settings.host):\(port)") } catch {
          logger.error("The greeting failed.", metadata: ["reason": "\(error)"])
        }
      }, logger: logger)
    do {
      try await app.runService()
    } catch {
      await outbound.shutDown()
      throw error
    }
    await outbound.shutDown()
  }
}

extension PageSettings {
  /// What a server offers to browsers, from its functions and its settings.
  init(_ functions: EdgeFunctions, _ settings: ServerSettings) {
    self.init()
    hasDocuments = settings.hasDocuments
    let body: JSON = ["price_id": .string(settings.price)]
    checkout = { account in
      await functions.answer(
        WireRequest(.post, [], body: Array(body.encoded.utf8)), name: "create-checkout-session",
        for: account)
    }
  }
}

extension ServerParts {
  /// The socket for a request that may upgrade to one; `nil` for any other request.
  func socket(
    _ target: String, _ headers: HTTPHeaders, _ hub: ChangeHub, _ tokens: AuthTokens
  ) -> (@Sendable () -> SocketHandler)? {
    guard !isLocal, let target = RequestTarget(target), Route(target.path) == .realtime,
      let schema = schema(of: target.app)
    else { return nil }
    let query = WireQuery(encoded: target.query)
    guard isKnown(key: query["apikey"] ?? headers["apikey"].first) else { return nil }
    let version = PhoenixFrame.Version(named: query["vsn"])
    return {
      SocketHandler(hub, tokens, schema, version, now: { BookClock.system.now() })
    }
  }
}

/// The e-mail addresses that sign-in knows, for the tables.
private struct Directory: ContactDirectory {
  let known: PeopleDirectory

  func email(of account: Key) -> String? { known.email(of: account) }
}

/// Reads the tokens of sign-in; the public key, and other keys of its form, identify nobody.
struct AuthTokens: TokenReader {
  let auth: AuthService
  let anonymousKey: String

  func claims(of token: String) throws(TokenError) -> Claims? {
    if token == anonymousKey || token.utf8.starts(with: "sb_".utf8) { return nil }
    return try auth.claims(of: token)
  }

  func isLive(_ claims: Claims) -> Bool { auth.isLive(claims) }
}

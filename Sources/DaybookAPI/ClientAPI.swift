import Daybook
public import DaybookStore
import HTTPTypes
import Journal
public import Values
public import Wire

/// Answers Daybook's own clients under `/v1`: commands, questions, events, and the document that describes them.
///
/// It has no transport: whoever has a connection passes requests to it, with the account that signed in.
public struct ClientAPI: Sendable {
  /// The book.
  public let book: Book
  /// The longest body, in bytes.
  public let bodyByteCount: Int
  /// The interval between heartbeats in a stream of events.
  public let heartbeat: Duration
  /// What assistants may do; `nil` where they are not served.
  public let tools: ToolSettings?
  /// What serves devices.
  let source: SyncSource
  /// The queue of questions, some of which read everything that was ever recorded.
  let turns = TurnQueue(width: activeProcessorCount)
  /// The queue of assistants' messages: one of an account at a time.
  let toolTurns = TurnQueue(width: .max, widthPerAccount: 1)

  public init(
    book: Book, bodyByteCount: Int = 16_777_216, heartbeat: Duration = .seconds(15),
    tools: ToolSettings? = nil
  ) {
    self.book = book
    source = SyncSource(book)
    self.bodyByteCount = bodyByteCount
    self.heartbeat = heartbeat
    self.tools = tools
  }

  /// Answers a request with the path after `/v1`; there is always an answer.
  ///
  /// - Parameters:
  ///   - request: The request. `GET events` goes to ``events(_:for:)`` instead.
  ///   - account: The key of the account that signed in; `nil` if nobody did.
  /// - Returns: The answer.
  public func answer(_ request: WireRequest, for account: Key?) async -> WireResponse {
    var response: WireResponse
    do {
      response = try await route(request, account)
    } catch {
      response = APIRefusal(error).response
    }
    if request.method == .head { response.body = [] }
    return response
  }

  private func route(_ request: WireRequest, _ account: Key?) async throws -> WireResponse {
    let endpoint = try Endpoint(of: request, withTools: tools != nil)
    if endpoint == .description { return describe(request) }
    let asker = try signedIn(account)
    guard request.body.count <= bodyByteCount else {
      throw APIRefusal.bodyTooLong(bodyByteCount)
    }
    switch endpoint {
    case .commands: return try await carryOut(request, by: asker)
    case .question(let name): return try await answer(to: name, request, for: asker)
    case .questions: return try await answer(request, for: asker)
    case .sync: return try await sync(request, for: asker)
    case .export(let format): return try await export(format, request, for: asker)
    case .importFile(let format): return try await importFile(format, request, for: asker)
    case .tools: return try await useTools(request, for: asker)
    case .events, .description: throw APIRefusal.streamed
    }
  }

  /// The account that signed in.
  ///
  /// - Throws: ``APIRefusal``, or ``Rejection/accountNotFound`` for an account that does not exist or was erased.
  func signedIn(_ key: Key?) throws -> Account.ID {
    guard let key else { throw APIRefusal.notSignedIn }
    return try book.read { state in
      guard let number = state.accounts.present(key) else { throw Rejection.accountNotFound }
      return number
    }
  }
}

enum Endpoint: Hashable {
  case commands
  case question(String)
  case questions
  case sync
  case export(ExportFormat)
  case importFile(FileImport.Format)
  case tools
  case events
  case description

  /// Finds the endpoint of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - hasTools: Whether assistants are served.
  /// - Throws: ``APIRefusal`` for an unknown path, and for a method that the path does not allow.
  init(of request: WireRequest, withTools hasTools: Bool) throws(APIRefusal) {
    switch request.path {
    case ["commands"]: self = .commands
    case ["ask"]: self = .questions
    case ["sync"]: self = .sync
    case ["events"]: self = .events
    case ["mcp"] where hasTools: self = .tools
    case ["openapi.json"]: self = .description
    case let path where path.count == 2 && path[0] == "ask": self = .question(path[1])
    case let path where path.count == 2 && path[0] == "export":
      guard let format = ExportFormat(rawValue: path[1]), format != .rawCSV else {
        throw .noSuchPath
      }
      self = .export(format)
    case let path where path.count == 2 && path[0] == "import":
      guard let format = FileImport.Format(rawValue: path[1]) else { throw .noSuchPath }
      self = .importFile(format)
    default: throw .noSuchPath
    }
    guard methods.contains(request.method) else { throw .wrongMethod(methods) }
  }

  private var methods: [HTTPRequest.Method] {
    switch self {
    case .commands, .questions, .sync, .importFile, .tools: [.post]
    case .question, .export, .events, .description: [.get, .head]
    }
  }
}
